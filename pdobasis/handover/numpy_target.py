"""A NumPy function, and its source: a module that needs nothing but NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.handover.correlation import check_padding, correlate
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target
from pdobasis.handover.texts import correlation, data, head

APPLY = '''

def apply(field, weights=None, padding="valid"):
    """The operator sum_k weights[k] * (element k), applied to a field (..., c_in, *space) by cross-correlation.

    The result is (..., c_out, *space'). padding: "valid" (only where the whole stencil fits), or a mode of numpy.pad
    ("wrap" for periodic fields, "edge", "reflect", "constant" for zeros), which keeps the size of an odd stencil.
    """
    if weights is None:
        if SHAPE[0] != 1:
            raise ValueError(f"give one weight for each of the {SHAPE[0]} elements")
        weights = [1.0]
    kernel = np.tensordot(_numbers(weights), STENCILS, 1)
    return correlate(np, _numbers(field), kernel, _WHERE, DILATION, padding)


def _numbers(values):
    """Whole numbers become floats; complex ones stay complex."""
    values = np.asarray(values)
    return values.astype(np.result_type(values, float))


'''


def build(stencils: StencilSet) -> Callable[..., NDArray[Any]]:
    """``apply(field, weights=None, padding="valid")``."""
    places = np.argwhere(stencils.weights.any(axis=(0, 1, 2))).tolist()

    def apply(
        field: ArrayLike, weights: ArrayLike | None = None, padding: str = "valid"
    ) -> NDArray[Any]:
        check_padding(padding)
        own = _numbers(stencils.check_weights(weights))
        kernel = np.tensordot(own, stencils.weights, 1)
        found = correlate(np, _numbers(field), kernel, places, stencils.steps, padding)
        return np.asarray(found)

    return apply


def source(stencils: StencilSet) -> str:
    stencils.require_few("write an .npz file, which NumPy reads as well")
    imports = "\nfrom __future__ import annotations\n\nfrom typing import Any\n\nimport numpy as np\n\n"
    return head(stencils, "NumPy") + imports + data(stencils) + APPLY + correlation()


def _numbers(values: ArrayLike) -> NDArray[Any]:
    """Whole numbers become floats; complex ones stay complex."""
    array = np.asarray(values)
    return array.astype(np.result_type(array, float))


TARGET = Target(
    "numpy", "a function of arrays", build, source, (".py",), format="python"
)
