r"""Stencils as plain numbers with their meaning: what every target is made from.

Element k is the operator $(W_k f)_o(y) = \sum_{i,z} W_{k,o,i}(z)\, f_i(y + z)$, a cross-correlation. The last array
axis is x1, the one before it x2, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.errors import SizeError, SpecError
from pdobasis.stencils.grids import Layout

if TYPE_CHECKING:
    from pdobasis.stencils.sampled import Sampled

MAX_ENTRIES = 200_000
"""Non-zero weights that are written as text."""

Place = tuple[Fraction, ...]


class TargetKeywords(TypedDict, total=False):
    """Of the programs that take stencils over; each takes its own."""

    shape: int | Sequence[int] | None
    """Of scipy and sparse: the array, x1 last."""
    weights: ArrayLike | None
    """Of scipy and sparse: one number for each element."""
    padding: str
    """Of scipy: wrap, or constant.  [wrap]"""
    periodic: bool
    """Of findiff.  [False]"""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StencilSet:
    """``weights`` (elements, c_out, c_in, *shape) of the operators ``coefficients`` over ``monomials``.

    Invariants: the weights are read-only; orders and names have one entry per element, offsets one per channel.
    ``spacing``, ``dilation`` and offsets are x1 first. ``is_plain``: weights are products of the usual finite
    differences along the axes.

    >>> import pdobasis
    >>> gradient = pdobasis.solve("O(2)", "trivial", "vector", order=1).stencil_set("fd", size=3)
    >>> gradient.to("numpy")([[[0, 1, 4], [2, 3, 6], [4, 5, 8]]]).ravel()
    array([2., 2.])
    """

    weights: NDArray[np.float64]
    orders: tuple[int, ...]
    names: tuple[str, ...]
    coefficients: NDArray[np.float64]
    monomials: tuple[tuple[int, ...], ...]
    spacing: tuple[Fraction, ...]
    dilation: tuple[int, ...]
    in_offsets: tuple[Place, ...]
    out_offsets: tuple[Place, ...]
    layout: Layout
    title: str
    what: str
    is_plain: bool
    checksum: str = ""

    def __post_init__(self) -> None:
        self.weights.setflags(write=False)

    @property
    def elements(self) -> int:
        return len(self.weights)

    @property
    def c_out(self) -> int:
        return int(self.weights.shape[1])

    @property
    def c_in(self) -> int:
        return int(self.weights.shape[2])

    @property
    def size(self) -> tuple[int, ...]:
        """In the order of the array axes, x1 last."""
        return tuple(int(n) for n in self.weights.shape[3:])

    @property
    def dim(self) -> int:
        return len(self.size)

    @property
    def steps(self) -> tuple[int, ...]:
        """The dilation in the order of the array axes, x1 last."""
        return self.dilation[::-1]

    def __eq__(self, other: object) -> bool:
        """The same numbers for the same question; `dataclass` would compare arrays as if they were numbers."""
        if not isinstance(other, StencilSet):
            return NotImplemented
        pairs = zip(self._values(), other._values(), strict=True)
        return all(
            np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b
            for a, b in pairs
        )

    def __hash__(self) -> int:
        return hash((self.weights.shape, self.weights.tobytes(), self.title, self.what))

    def __reduce__(self) -> tuple[Any, ...]:
        """Made anew from what it holds, so that the weights of a pickled copy are read-only, too."""
        return StencilSet, self._values()

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))

    def __repr__(self) -> str:
        return f"<StencilSet of {self.elements} operators: {self.title}; {self.what}>"

    def to(self, target: str, **options: Unpack[TargetKeywords]) -> Any:
        """An object of another program: `pdobasis.handover.targets` lists them.

        ``scipy`` takes ``shape`` (then it is a LinearOperator), ``weights`` and ``padding``; ``sparse`` ``shape`` and
        ``weights``; ``findiff`` ``periodic``.
        """
        from pdobasis.handover.registry import builder, require_keywords

        build = builder(target)
        require_keywords(target, build, options)
        return build(self, **options)

    def source(self, target: str) -> str:
        """The stencils as a text in another language, which needs nothing of this package."""
        from pdobasis.handover.registry import writer

        own = writer(target)
        self._require_finite()
        return own(self)

    def _require_finite(self) -> None:
        """``nan`` and ``inf`` are names that a source does not know; a sum with weights of one's own may have them."""
        numbers = (self.weights, self.coefficients)
        if not all(np.isfinite(values).all() for values in numbers):
            raise SpecError(
                "some weights are no finite numbers, which no source can hold: combine the elements with others"
            )

    def combined(self, weights: ArrayLike | None = None) -> StencilSet:
        """One operator, the sum of the elements with these weights; needless where there is one element."""
        own = self.check_weights(weights)
        if np.iscomplexobj(own):
            raise SpecError("weights of operators have to be real")
        orders = [n for n, w in zip(self.orders, own, strict=True) if w]
        names: tuple[str, ...] = ("",)
        if self.elements == 1 and own[0] == 1:
            names = self.names
        return replace(
            self,
            weights=np.tensordot(own, self.weights, 1)[None],
            coefficients=np.tensordot(own, self.coefficients, 1)[None],
            orders=(max(orders, default=0),),
            names=names,
        )

    def check_weights(self, weights: ArrayLike | None) -> NDArray[Any]:
        """One number for each element; a single element needs none."""
        if weights is None and self.elements == 1:
            return np.ones(1)
        if weights is None or np.shape(weights) != (self.elements,):
            raise SpecError(f"give one weight for each of the {self.elements} elements")
        return np.asarray(weights)

    def space(self, shape: int | Sequence[int]) -> tuple[int, ...]:
        """The shape of an array, x1 last; one number for all axes."""
        if isinstance(shape, int):
            shape = (shape,) * self.dim
        found = tuple(int(n) for n in shape)
        if len(found) != self.dim or min(found) < 1:
            raise SpecError(
                f"shape= needs {self.dim} positive sizes, those of the array (x1 last), got {found}"
            )
        return found

    def require_few(self, instead: str) -> None:
        """Refuse what is too long for a text."""
        found = int(np.count_nonzero(self.weights))
        if found > MAX_ENTRIES:
            raise SizeError(
                f"{found:,} non-zero weights are too many for a source file (at most {MAX_ENTRIES:,}): {instead}"
            )


def of_sampled(
    sampled: Sampled,
    names: Sequence[str],
    title: str,
    what: str,
    checksum: str = "",
) -> StencilSet:
    """The stencils of a basis."""
    c_out, c_in = sampled.stencils.shape[1:3]
    into = (sampled.grid.offset,) * c_in
    onto = ((Fraction(0),) * sampled.grid.dim,) * c_out
    if sampled.places is not None:
        into, onto = sampled.places.in_offsets, sampled.places.out_offsets
    # Kernels are more than the elements of the basis, which have the names.
    if len(names) != sampled.elements:
        names = [""] * sampled.elements
    return StencilSet(
        sampled.stencils,
        tuple(sampled.orders.tolist()),
        tuple(names),
        sampled.coefficients,
        tuple(tuple(alpha) for alpha in sampled.monomials.tolist()),
        sampled.grid.spacing,
        sampled.grid.dilation,
        into,
        onto,
        sampled.grid.layout,
        title,
        what,
        sampled.method == "fd" and not sampled.options,
        checksum,
    )
