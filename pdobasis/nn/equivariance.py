"""Is f(g·x) = g·f(x)? For a layer or a whole network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from pdobasis.exact.numbers import to_float
from pdobasis.groups.membership import contains as is_element
from pdobasis.layers.arguments import fields_of, whole
from pdobasis.layers.elements import (
    Element,
    contains,
    element_matrix,
    grid_elements,
    is_signed_permutation,
    is_whole,
)
from pdobasis.layers.errors import LayerError
from pdobasis.nn.arguments import require_module, some_float
from pdobasis.nn.fields import in_steps, move, transform
from pdobasis.question.field_type import FieldType
from pdobasis.stencils import Layout
from pdobasis.stencils.lattices import Lattice

# Some digits above rounding, which adds up over layers; half precision, not listed, gets 5e-2.
TOLERANCES = {torch.float64: 1e-12, torch.float32: 1e-5}


@dataclass(frozen=True, slots=True)
class EquivarianceReport:
    """``errors[k]`` is |f(g·x) - g·f(x)| / |f(x)|, in the 2-norm, for the element ``elements[k]``.

    Attributes
    ----------
    elements : tuple of matrices
        That were compared.
    errors : tuple of float
        Relative, one for each element.
    tolerance : float
        Up to which an error is rounding.

    Examples
    --------
    >>> report = EquivarianceReport((((0.0, -1.0), (1.0, 0.0)),), (3e-16,), 1e-12)
    >>> report.holds, report.error
    (True, 3e-16)
    """

    elements: tuple[tuple[tuple[float, ...], ...], ...]
    errors: tuple[float, ...]
    tolerance: float

    @property
    def error(self) -> float:
        """The largest relative error."""
        return max(self.errors, default=0.0)

    @property
    def holds(self) -> bool:
        """Whether it is within the tolerance."""
        return self.error <= self.tolerance

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        verdict = "NOT equivariant"
        if self.holds:
            verdict = "equivariant"
        worst: tuple[tuple[float, ...], ...] = ()
        if self.errors:
            worst = self.elements[int(np.argmax(self.errors))]
        return (
            f"{verdict}: relative error {self.error:.1e} over {len(self.errors)} elements "
            f"(tolerance {self.tolerance:.0e}; worst at {[list(row) for row in worst]})"
        )


def check_equivariance(
    module: nn.Module,
    in_type: FieldType | None = None,
    out_type: FieldType | None = None,
    *,
    elements: Sequence[Element] | None = None,
    size: int | None = None,
    layout: Layout | None = None,
    tolerance: float | None = None,
    seed: int = 0,
) -> EquivarianceReport:
    """Compare on random fields for the given elements, by default all that map the grid to itself (and
    that are left in the group of the output, behind a restriction).

    The field types are those of the first and the last layer that has any; a network that ends in layers of another
    kind (nn.Linear after pooling) needs its ``out_type``, for example ``field_type("10xtrivial", group)``. ``size``
    is the number of points along every axis of the images, odd by default.

    Elements that move the border of the image, such as the sixfold turn of a hexagonal lattice in skew coordinates, are
    compared in its middle, on fields that are zero elsewhere.

    Parameters
    ----------
    module : nn.Module
        A layer or a network.
    in_type, out_type : FieldType, optional
        Where the module does not say them.
    elements : sequence, optional
        Matrices or numbers of elements.
    size : int, optional
        Points along every axis.
    layout : {"grid", "image"}, optional
        Which way x2 grows.
    tolerance : float, optional
        Relative; by default what rounding explains.
    seed : int
        Of the random fields.

    Returns
    -------
    EquivarianceReport
        True where all elements hold; prints as a table.

    Raises
    ------
    LayerError
        The field types are not known.

    Examples
    --------
    >>> from pdobasis.nn import PDOConv2d
    >>> report = check_equivariance(PDOConv2d("D4", "trivial", "vector", order=1, size=3).double())
    >>> bool(report), len(report.elements)
    (True, 8)
    """
    require_module(module)
    seed = whole(seed, "seed", 0)
    if in_type is None:
        source = first_type(module, "in_type", 0)
    else:
        source = fields_of(in_type, "in_type", at_places=True)
    if out_type is None:
        target = first_type(module, "out_type", -1)
    else:
        target = fields_of(out_type, "out_type", at_places=True)
    group = source.terms[0][0].group
    lattice = _lattice_of(module)
    if elements is not None:
        matrices = [element_matrix(group, g) for g in elements]
    elif lattice is not None:
        last = target.terms[0][0].group
        matrices = [
            to_float(g) for g, _ in lattice.symmetries(group) if is_element(last, g)
        ]
    else:
        # Behind a restriction the output knows fewer elements than the input.
        matrices = [
            g for g in grid_elements(group) if contains(target.terms[0][0].group, g)
        ]
    if layout is None:
        layout = _layout_of(module)
    steps = [in_steps(g, lattice) for g in matrices]
    inner = all(is_whole(m) for m in steps) and not all(
        is_signed_permutation(m) for m in steps
    )
    if size is None:
        # In space fewer, since the number of points is the third power; more where only the middle counts.
        size = {1: 17, 2: 17}.get(group.dim, 9) + 16 * inner
    smooth = not all(is_whole(m) for m in steps)
    x = _random(module, (2, source.size, *(size,) * group.dim), seed, smooth)
    if inner:
        x = x * _middle(x, steps, layout)
    # In evaluation: dropout would be drawn anew for every element, and running statistics would move.
    was_training = module.training
    try:
        errors = tuple(
            _compare(module.eval(), x, matrices, source, target, layout, inner, lattice)
        )
    finally:
        module.train(was_training)
    if tolerance is not None:
        limit = tolerance
    else:
        limit = TOLERANCES.get(x.dtype, 5e-2)
    return EquivarianceReport(tuple(_rows(g) for g in matrices), errors, limit)


def _compare(
    module: nn.Module,
    x: Tensor,
    matrices: Sequence[NDArray[np.float64]],
    source: FieldType,
    target: FieldType,
    layout: Layout,
    inner: bool,
    lattice: Lattice | None,
) -> list[float]:
    with torch.no_grad():
        y = module(x)
        if y.ndim < 2 or y.shape[1] != target.size:
            raise LayerError(
                f"{type(module).__name__} gives {tuple(y.shape)}, its last field type {target} has {target.size} "
                f'channels: give out_type=, for example field_type("{y.shape[-1]}xtrivial", group) after nn.Linear'
            )
        counted = torch.ones((), dtype=y.dtype, device=y.device)
        if inner and y.ndim > 2:
            counted = _middle(y, [in_steps(g, lattice) for g in matrices], layout)
        # An output of zeros has no relative error: its absolute one is taken.
        scale = float((y * counted).double().norm()) or 1.0
        moved = [
            (
                transform(x, g, source, layout, lattice),
                transform(y, g, target, layout, lattice),
            )
            for g in matrices
        ]
        return [
            float(((module(a.contiguous()) - b) * counted).double().norm()) / scale
            for a, b in moved
        ]


def _middle(
    x: Tensor, matrices: Sequence[NDArray[np.float64]], layout: Layout
) -> Tensor:
    """1 at the points of the inner half that all elements leave in it, else 0: what borders do stays outside."""
    dim = len(matrices[0])
    own = torch.ones((1, 1, *x.shape[2:]), dtype=x.dtype, device=x.device)
    for axis, n in enumerate(x.shape[2:]):
        line = torch.arange(n, device=x.device) - (n - 1) / 2
        shape = [1] * (dim + 2)
        shape[axis + 2] = n
        own = own * (line.abs() <= n / 4).to(x.dtype).reshape(shape)
    # The elements are a group, or else a few of one: points that none of them takes out.
    kept = own
    for g in matrices:
        kept = kept * move(own, g, layout)
    return kept


def _random(
    module: nn.Module, shape: tuple[int, ...], seed: int, smooth: bool
) -> Tensor:
    """Noise; or, where fields are turned by interpolation, smooth bumps away from the border."""
    like = some_float(module, torch.zeros((), dtype=torch.float64))
    # Drawn in double precision on the CPU, so that a seed means one field on every device and in every type.
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(shape, generator=generator, dtype=torch.float64)
    if smooth:
        width = max(2.0, min(shape[2:]) / 12)
        for axis in range(2, len(shape)):
            line = torch.arange(shape[axis], dtype=torch.float64)
            blur = torch.exp(-((line - line[:, None]) ** 2) / (2 * width**2))
            window = torch.exp(-(((line - line.mean()) / (shape[axis] / 4)) ** 2))
            # The axis goes from the third place to the last; after a turn for each axis all are back in order.
            values = torch.tensordot(values, blur, ([2], [0])) * window
    return values.to(device=like.device, dtype=like.dtype)


def first_type(module: nn.Module, name: str, which: int) -> FieldType:
    """The ``in_type`` or ``out_type`` of a module, or of the layer in it with this number among those that have one."""
    own = getattr(module, name, None)
    if isinstance(own, FieldType):
        return own
    found = [
        t
        for m in module.modules()
        if isinstance(t := getattr(m, name, None), FieldType)
    ]
    if not found:
        raise LayerError(
            f"no layer inside {type(module).__name__} has an {name}: give {name}="
        )
    return found[which]


def _lattice_of(module: nn.Module) -> Lattice | None:
    """That of the layers; all have to agree."""
    found = {own for m in module.modules() if (own := getattr(m, "lattice", None))}
    if len(found) > 1:
        raise LayerError("the layers of this network lie on different lattices")
    return found.pop() if found else None


def _layout_of(module: nn.Module) -> Layout:
    layouts = {
        layout
        for m in module.modules()
        if (layout := getattr(m, "layout", None)) in ("grid", "image")
    }
    if len(layouts) > 1:
        raise LayerError(
            "the layers of this network have different layouts: give layout="
        )
    if layouts == {"image"}:
        return "image"
    return "grid"


def _rows(g: NDArray[np.float64]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(v) for v in row) for row in g)
