"""Stencils as an array of NumPy that knows where it comes from, and how it looks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.basis import Basis
from pdobasis.stencils.sampled import Sampled

if TYPE_CHECKING:
    from pdobasis.pictures.canvas import Picture


class Stencils(np.ndarray[Any, np.dtype[np.float64]]):
    """float64 (elements, c_out, c_in, *kernel), read-only.

    An array like any other: whatever is computed or cut from it is a plain array. ``basis`` and ``sampled`` say what it
    was made from.

    >>> from pdobasis import solve
    >>> solve("D4", "trivial", "vector", order=1).stencils("fd", size=3)
    <Stencils of 1 PDO: D4, trivial -> vector, fd 3×3, array of shape (1, 2, 1, 3, 3)>
    """

    basis: Basis | None
    sampled: Sampled | None

    def __new__(cls, basis: Basis, sampled: Sampled) -> Stencils:
        own = sampled.stencils.view(cls)
        own.basis, own.sampled = basis, sampled
        own.setflags(write=False)
        return own

    def __array_finalize__(self, other: object) -> None:
        # views and copies have another shape, or other numbers: they are not these stencils
        self.basis = self.sampled = None

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **given: Any
    ) -> Any:
        """Plain arrays in, plain arrays out."""
        plain = [_plain(x) for x in inputs]
        return getattr(ufunc, method)(*plain, **given)

    def __getitem__(self, index: Any) -> Any:
        return _plain(self)[index]

    def __reduce__(self) -> Any:
        if self.basis is None or self.sampled is None:
            return _plain(self).__reduce__()
        return Stencils, (self.basis, self.sampled)

    def __deepcopy__(self, memo: dict[int, Any] | None) -> Any:
        # nothing in it can be changed
        if self.sampled is None:
            return _plain(self).__deepcopy__(memo)
        return self

    def plot(self, *, show: int = 12, entries: int = 16) -> Picture:
        """One row for each element, vector fields as arrows; needs the extra ``pdobasis[plot]``."""
        from pdobasis.errors import SpecError
        from pdobasis.pictures.panels import of_basis
        from pdobasis.pictures.stencils import stencils_picture

        if self.basis is None or self.sampled is None:
            raise SpecError(
                "this array was computed from stencils: plot those of Basis.stencils()"
            )
        return stencils_picture(of_basis(self.basis, self.sampled, show), show, entries)

    def __repr__(self) -> str:
        if self.basis is None or self.sampled is None:
            return repr(_plain(self))
        from pdobasis.pictures.panels import made_text

        p = self.basis.problem
        number = f"{len(self)} PDO{'s' * (len(self) != 1)}"
        made = made_text(self.sampled)
        return (
            f"<Stencils of {number}: {p.group.name}, {p.in_type} -> {p.out_type}, {made}, "
            f"array of shape {self.shape}>"
        )

    def __str__(self) -> str:
        """The numbers, as NumPy prints them."""
        return str(_plain(self))

    def _repr_html_(self) -> str | None:
        if self.basis is None or self.sampled is None:
            return None
        from pdobasis.notebook.weights import stencils_html

        return stencils_html(self.basis, self.sampled)


def _plain(x: Any) -> Any:
    """The same numbers as an ordinary array."""
    if isinstance(x, Stencils):
        return x.view(np.ndarray)
    return x


def plain(stencils: Stencils) -> NDArray[np.float64]:
    """The numbers alone."""
    out: NDArray[np.float64] = _plain(stencils)
    return out
