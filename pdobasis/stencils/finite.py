"""Weights are numbers: options that lead to none are refused by name, whatever the arithmetic made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.options import NOT_GIVEN

FAR = 1e12
"""A length or a shape this far from 1, up or down, is the first to be suspected."""


class NotFiniteError(StencilError):
    """Weights that overflow, or that are no numbers."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        given = {
            k: v for k, v in options.items() if v is not None and v is not NOT_GIVEN
        }
        far = {k: v for k, v in given.items() if _is_far(v)}
        named = ", ".join(f"{k}={_text(v)}" for k, v in (far or given).items())
        super().__init__(
            f"the weights are no finite numbers with {named or 'these options'}: take values nearer to 1"
        )


@contextmanager
def finite(options: Mapping[str, Any]) -> Iterator[None]:
    """Inside, an overflow is a `NotFiniteError`, in Python's numbers and in NumPy's."""
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            yield
    except StencilError:
        raise
    except (ArithmeticError, np.linalg.LinAlgError):
        raise NotFiniteError(options) from None
    except ValueError as error:
        # math.fsum has no other error for it
        if "fsum" not in str(error) and "infs or NaNs" not in str(error):
            raise
        raise NotFiniteError(options) from None


def require_finite(weights: NDArray[np.float64], options: Mapping[str, Any]) -> None:
    if not np.isfinite(weights).all():
        raise NotFiniteError(options)


def _is_far(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_is_far(v) for v in value)
    if isinstance(value, (bool, str)) or not hasattr(value, "__abs__"):
        return False
    # NaN is within nothing
    return value != 0 and not 1 / FAR < abs(value) < FAR


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(_text, value))
    try:
        return f"{float(value):.4g}"
    except (TypeError, ValueError, OverflowError):
        return f"{value!s:.40}"
