r"""The harmonic symbols between irreps of I, in integers.

For irreps $\phi$ of both $\psi' \otimes \psi^*$ and the harmonic polynomials of an order,

    $\chi(x) = \sum_k M_k\,f_k(x)$

with every map M from $\phi$ to the one and f to the other, in an orthonormal basis: these are all harmonic symbols from
$\psi$ to $\psi'$, and there is no linear system to be solved for them (:mod:`.icosahedral_maps`). Which of their
combinations are taken is told by the constraint: its solutions of an order are these and the multiples of $r^2$, in
echelon form, and of these the harmonic parts are taken (:mod:`.projection`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from pdobasis.exact.polynomials import count, monomials, position
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.icosahedral import occurring
from pdobasis.representations.polyhedral_irreps import Conjugate, FiveTetrahedra
from pdobasis.representations.terms import Tensor, Term, Trivial
from pdobasis.representations.terms import Vector as Space
from pdobasis.solvers.golden import (
    Vector,
    combined,
    digits,
    echelon,
    exactly,
    monic,
    primitive,
    times_root,
)
from pdobasis.solvers.icosahedral_harmonics import Harmonics, Products
from pdobasis.solvers.icosahedral_irreps import IRREPS, as_given
from pdobasis.solvers.icosahedral_maps import Counts, Module, Product, are_independent
from pdobasis.values import dataclass

Permuted = tuple[bool, bool]
"""Whether the group permutes the columns, and the rows: that is so for the trivial irrep."""
FORMULAS: dict[str, Term] = {
    "A": Trivial(),
    "T1": Space(),
    "T2": Conjugate(0),
    "G": FiveTetrahedra(0),
    "H": Spherical(2, 0),
}
"""Of the irreps, for their characters."""


@dataclass(frozen=True, slots=True, eq=False)
class Chi:
    """A symbol without its roots, and the square of what it is multiplied by, 3 or 1.

    ``first`` is the place in the bases of the catalogue whose number the constraint makes 1; None for harmonic parts.
    """

    values: Vector
    root: int
    first: int | None


class Chis:
    """The harmonic symbols between irreps, of all orders of a question."""

    def __init__(self) -> None:
        self._products = Products()
        self._modules: dict[object, tuple[Module, Counts]] = {}
        self._maps: dict[tuple[object, str], list[list[Vector]]] = {}
        self._harmonic: dict[tuple[str, str, int], list[Vector]] = {}
        self._chosen: dict[tuple[str, str, int, Permuted], list[Chi]] = {}

    def between(self, a: str, b: str, order: int, permuted: Permuted) -> list[Chi]:
        """Those that the constraint leads to."""
        key = a, b, order, permuted
        if key not in self._chosen:
            self._chosen[key] = list(self._found(*key))
        return self._chosen[key]

    def _found(self, a: str, b: str, order: int, permuted: Permuted) -> Iterable[Chi]:
        harmonic = self.harmonic(a, b, order)
        if not harmonic:
            return
        every = harmonic
        # what is permuted is solved together with the equation of Laplace
        is_projected = order > 1 and not any(permuted)
        if is_projected:
            every = self.all(a, b, order)
        size, width = count(3, order), len(IRREPS[a].types)
        views = [_as_given(own, a, b, size) for own in every]
        places = sorted({u for own in views for u in own.values})
        if permuted[0] or not permuted[1]:
            # column by column
            places.sort(key=lambda u: u // size % width)
        chosen: list[Vector] = []
        for place, factors in echelon(views, places):
            own = primitive(
                Vector({k: v for k, v in enumerate(factors[: len(harmonic)]) if v}, 0)
            )
            if len(chosen) == len(harmonic) or not own.values:
                continue
            if not are_independent([*chosen, own]):
                continue
            chosen.append(own)
            chi = combined(zip(factors, harmonic, strict=False))
            found = Chi(chi, _root(a, b, place // size), place)
            yield _tidied(found, a, b, size) if is_projected else found

    def all(self, a: str, b: str, order: int) -> list[Vector]:
        """A basis of all symbols, the harmonic ones first."""
        found = list(self.harmonic(a, b, order))
        if order > 1:
            found += [_raised(own, order - 2) for own in self.all(a, b, order - 2)]
        return found

    def harmonic(self, a: str, b: str, order: int) -> list[Vector]:
        """A basis; places are numbered row by row, column by column."""
        key = a, b, order
        if key not in self._harmonic:
            found = []
            one, other = self._counts((a, b)), self._counts(order)
            for letter in (k for k in IRREPS if one[k] and other[k]):
                squares = IRREPS[letter].squares
                # in the orthonormal basis both lines are divided by N
                weights = [max(squares) // n for n in squares]
                both = self._lines((a, b), letter), self._lines(order, letter)
                for m, f in product(*both):
                    found.append(_contracted(m, f, weights, count(3, order)))
            self._harmonic[key] = found
        return self._harmonic[key]

    def _counts(self, key: int | tuple[str, str]) -> Counts:
        return self._module(key)[1]

    def _module(self, key: int | tuple[str, str]) -> tuple[Module, Counts]:
        """The harmonics of an order, or the matrices from an irrep to another."""
        if key not in self._modules:
            module: Module
            if isinstance(key, int):
                module = Harmonics(key, self._products)
                term: Term = Spherical(key, key % 2)
            else:
                module = Product(*(IRREPS[letter] for letter in key))
                term = Tensor(*(FORMULAS[letter] for letter in key))
            counts = occurring(term, has_inversion=False) or {}
            self._modules[key] = module, counts
        return self._modules[key]

    def _lines(self, key: int | tuple[str, str], letter: str) -> list[list[Vector]]:
        """All maps from an irrep."""
        if (key, letter) not in self._maps:
            self._maps[key, letter] = self._all_lines(key, letter)
        return self._maps[key, letter]

    def _all_lines(self, key: int | tuple[str, str], letter: str) -> list[list[Vector]]:
        if isinstance(key, tuple) and "A" in key:
            # such matrices are the other irrep, or its dual N^2 psi N^-2: the map is 1, or N^2
            a, b = (IRREPS[own] for own in key)
            squares = a.squares if key[1] == "A" else (1,) * len(b.types)
            return [[Vector({k: n}, n) for k, n in enumerate(squares)]]
        module, counts = self._module(key)
        return [module.lines(letter, t) for t in module.seeds(letter, counts)]


def _tidied(chi: Chi, a: str, b: str, size: int) -> Chi:
    """Where the first number is a rational multiple of a root, it is made rational."""
    view = _as_given(chi.values, a, b, size)
    first = min(view.values)
    plain, rooted = digits(view.values[first])
    if plain and rooted:
        return Chi(chi.values, chi.root, None)
    values = times_root(chi.values) if rooted else chi.values
    return Chi(values, _root(a, b, first // size), None)


def _contracted(
    m: list[Vector], f: list[Vector], weights: list[int], size: int
) -> Vector:
    """The sum of all M_k f_k, with weights."""
    found: dict[int, int] = {}
    for left, right, weight in zip(m, f, weights, strict=True):
        for u, v in left.values.items():
            own = weight * v
            for alpha, w in right.values.items():
                place = u * size + alpha
                found[place] = found.get(place, 0) + own * w
    limit = sum(weights) * max(own.most for own in m) * f[0].most
    return monic(exactly(found, limit))


def _raised(own: Vector, order: int) -> Vector:
    """r^2 times a symbol of this order."""
    powers, where = monomials(3, order), position(3, order + 2)
    found: dict[int, int] = {}
    for u, v in own.values.items():
        cell, alpha = divmod(u, len(powers))
        i, j, k = powers[alpha]
        for beta in ((i + 2, j, k), (i, j + 2, k), (i, j, k + 2)):
            place = cell * len(where) + where[beta]
            found[place] = found.get(place, 0) + v
    return exactly(found, 3 * own.most)


def _as_given(own: Vector, a: str, b: str, size: int) -> Vector:
    """In the bases of the catalogue, but for N."""
    if a == "G":
        own = as_given(own, size)
    if b == "G":
        own = as_given(own, size * len(IRREPS[a].types))
    return own


def _root(a: str, b: str, cell: int) -> int:
    """The square of what N has at an entry, up to squares."""
    r, c = divmod(cell, len(IRREPS[a].types))
    return 1 if IRREPS[a].squares[c] == IRREPS[b].squares[r] else 3
