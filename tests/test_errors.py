"""Errors travel between processes as they are."""

import pickle

import pytest

import pdobasis
from pdobasis.errors import BudgetError, OutOfMemoryError, PdoBasisError, UnknownNameError, WrongTypeError
from pdobasis.solvers.direct import Direct
from pdobasis.stencils.errors import IllConditionedTargetError, IsotropyError, StencilTooSmallError


@pytest.mark.parametrize(
    "error",
    [
        UnknownNameError("group", "D88", ["D8"]),
        WrongTypeError("order", "a whole number", 1.5),
        StencilTooSmallError(2, 0, 2, 3),
        IsotropyError(2, 4, 2, (3, 3), (3, 5)),
        BudgetError("the time is used up", "proving"),
        OutOfMemoryError("solving"),
        IllConditionedTargetError(7, 0, 1e20, 1e10, "use more neighbours"),
    ],
)
def test_errors_are_the_same_after_a_journey(error: PdoBasisError) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301, made here
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_memory_that_the_system_does_not_give_is_named_with_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise MemoryError("Unable to allocate 76.3 GiB")

    monkeypatch.setattr(Direct, "solve", refused)
    with pytest.raises(OutOfMemoryError, match="out of memory while solving: ask for a lower order") as caught:
        pdobasis.solve("C4", "vector", "vector", method="direct")
    assert caught.value.stage == "solving"
