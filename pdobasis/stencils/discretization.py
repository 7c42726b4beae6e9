r"""The interface of a discretization: everything that the rest of the program knows about one.

A new discretization is one file: a frozen dataclass of its options, a subclass of `Derivatives` with its weights, and
its line in ``pdobasis/stencils/__init__.py`` (or a call of `pdobasis.stencils.registry.register`). The command line,
the files and the layers find it in the registry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pdobasis.stencils.cloud import Neighbourhoods
from pdobasis.stencils.discretized import Discretized, blocks_of
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.grids import Grid
from pdobasis.stencils.lattice_atoms import lattice_atoms
from pdobasis.stencils.multi_index import MultiIndex
from pdobasis.stencils.options import Option, given, options_of
from pdobasis.stencils.results import CloudStencils, MonomialStencils

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis

O = TypeVar("O")  # noqa: E741


@dataclass(frozen=True, slots=True)
class Change:
    """Another method, or other options of the same one: what is different."""

    method: str
    options: tuple[tuple[str, Any], ...] = ()


class Discretization(ABC, Generic[O]):
    """One way to turn a basis into stencils.

    ``Options`` is a frozen dataclass whose fields are made by `pdobasis.stencils.options.option`. In the help of a
    command its options follow the one that ``listed_after`` names.
    """

    name: ClassVar[str]
    Options: ClassVar[type[Any]]
    listed_after: ClassVar[str] = "dilation"
    samples_kernels: ClassVar[bool] = False
    """Whether it samples the angular parts of kernels rather than derivatives."""
    can_stagger: ClassVar[bool] = False
    """Whether it works between the places of a staggered grid."""
    has_clouds: ClassVar[bool] = False
    """Whether it works on scattered points."""
    max_nodes: ClassVar[int | None] = None
    """How many nodes a stencil may have, where that is less than the limit on all."""

    @property
    def options(self) -> tuple[Option, ...]:
        return options_of(self.Options)

    @property
    def option_names(self) -> tuple[str, ...]:
        return tuple(option.name for option in self.options)

    def completed(self, options: O, grid: Grid, order: int) -> O:
        """The options with the defaults that depend on the grid and on the order filled in."""
        return options

    @abstractmethod
    def discretize(self, basis: Basis, grid: Grid, options: O) -> Discretized:
        """The basis over atoms on a grid, with completed options."""

    def copies(self, size: Sequence[int]) -> int:
        """At most so many stencils for each element of the basis, on a grid of this size."""
        return 1


class Derivatives(Discretization[O]):
    r"""Stencils of $\partial^\alpha$ for every monomial; those of a basis are their combinations."""

    can_stagger = True

    @abstractmethod
    def stencils(
        self, alphas: Sequence[MultiIndex], grid: Grid, options: O
    ) -> MonomialStencils:
        """The stencil of every monomial."""

    def discretize(self, basis: Basis, grid: Grid, options: O) -> Discretized:
        alphas = basis.monomials()
        if grid.lattice is None:
            atoms = self.stencils(alphas, grid, options).weights
        else:
            atoms = lattice_atoms(self, basis, grid, options)
        terms = tuple(range(len(alphas)))
        return Discretized(
            basis, self.name, grid, recorded(options), atoms, blocks_of(basis), terms
        )

    def rounder(self, options: O) -> Change | None:
        """What may be far more equivariant off the grid, for the same derivatives on the same nodes; None: nothing."""
        return None

    def completed_on_points(self, options: O, order: int) -> O:
        """As `completed`, where there is no grid."""
        return options

    def cloud(
        self,
        points: NDArray[np.float64],
        targets: NDArray[np.float64],
        alphas: Sequence[MultiIndex],
        neighbours: int | Neighbourhoods,
        options: O,
    ) -> CloudStencils:
        """The derivatives at every target from its nearest points: so many, or those that were found already."""
        raise StencilError(f"{self.name} needs a grid: use a method that has clouds")


def recorded(options: Any) -> tuple[tuple[str, Any], ...]:
    """What is kept of the options: those that were given or filled in, sorted by name."""
    return tuple(sorted(given(options).items()))
