"""A pure function of JAX arrays, which jit, grad and vmap take; and its source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pdobasis.errors import MissingExtraError
from pdobasis.handover.correlation import check_padding, correlate
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target
from pdobasis.handover.texts import correlation, data, head

APPLY = '''

def apply(field, weights=None, padding="valid"):
    """The operator sum_k weights[k] * (element k), applied to a field (..., c_in, *space) by cross-correlation.

    A pure function of field and weights, in the precision of the field. The result is (..., c_out, *space').
    padding: "valid" (only where the whole stencil fits), or a mode of jax.numpy.pad ("wrap" for periodic fields,
    "edge", "reflect", "constant" for zeros), which keeps the size of an odd stencil.
    """
    field = jnp.asarray(field)
    field = field.astype(jnp.result_type(field, 1.0))
    if weights is None:
        if SHAPE[0] != 1:
            raise ValueError(f"give one weight for each of the {SHAPE[0]} elements")
        weights = jnp.ones(1, field.dtype)
    own = jnp.asarray(STENCILS, dtype=field.real.dtype)
    kernel = jnp.tensordot(jnp.asarray(weights), own, 1)
    return correlate(jnp, field, kernel, _WHERE, DILATION, padding)


'''


def build(stencils: StencilSet) -> Callable[..., Any]:
    """``apply(field, weights=None, padding="valid")``, in the precision of the field."""
    try:
        import jax.numpy as jnp
    except ImportError:
        raise MissingExtraError("jax", "jax", "a function of JAX arrays") from None

    places = np.argwhere(stencils.weights.any(axis=(0, 1, 2))).tolist()

    def apply(field: Any, weights: Any = None, padding: str = "valid") -> Any:
        check_padding(padding)
        field = jnp.asarray(field)
        # A Python float is weak: it makes floats of whole numbers and changes no other type.
        field = field.astype(jnp.result_type(field, 1.0))
        if weights is None:
            weights = stencils.check_weights(None).astype(field.real.dtype)
        own = jnp.asarray(stencils.weights, dtype=field.real.dtype)
        kernel = jnp.tensordot(jnp.asarray(weights), own, 1)
        return correlate(jnp, field, kernel, places, stencils.steps, padding)

    return apply


def source(stencils: StencilSet) -> str:
    stencils.require_few("write an .npz file")
    imports = (
        "\nfrom __future__ import annotations\n\nfrom typing import Any\n\n"
        "import jax.numpy as jnp\nimport numpy as np\n\n"
    )
    return head(stencils, "JAX") + imports + data(stencils) + APPLY + correlation()


TARGET = Target("jax", "a pure function of JAX arrays", build, source)
