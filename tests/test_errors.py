"""Errors travel between processes as they are."""

import pickle

import pytest

from pdobasis.errors import PdoBasisError, UnknownNameError, WrongTypeError
from pdobasis.stencils.errors import IllConditionedTargetError, IsotropyError, StencilTooSmallError


@pytest.mark.parametrize(
    "error",
    [
        UnknownNameError("group", "D88", ["D8"]),
        WrongTypeError("order", "a whole number", 1.5),
        StencilTooSmallError(2, 0, 2, 3),
        IsotropyError(2, 4, 2, (3, 3), (3, 5)),
        IllConditionedTargetError(7, 0, 1e20, 1e10, "use more neighbours"),
    ],
)
def test_errors_are_the_same_after_a_journey(error: PdoBasisError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301, made here
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
