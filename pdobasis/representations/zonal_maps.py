r"""The maps from irreps to a rational representation $\rho$ of SO(3) or O(3), modulo primes, without any elimination.

Let Z be the rotation about the axis of the harmonics, X and Y those about the others, $C = -(X^2 + Y^2 + Z^2)$. The
harmonic $Y_{l0}$ is what Z annihilates in the irrep of order l, so a map T from the irrep is known by the vector $v =
T Y_{l0}$; and every v with $Zv = 0$ and $Cv = l(l+1)v$ (and $fv = \pm v$ for the mirror f as for $Y_{l0}$) belongs to
one T. Where Z vanishes there is little room, and there C has the eigenvalues $k(k+1)$ of the orders k that occur:
$\prod_{k \ne l}(C - k(k+1))$ makes such v of any vectors. Then T is carried on from one harmonic to the next by X, Y.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from pdobasis.exact.array import ExactArray
from pdobasis.exact.types import IndexArray
from pdobasis.linear.dense_residues import Residues, reduced
from pdobasis.linear.lane_matrix import LaneMatrix
from pdobasis.linear.lane_stages import TooLargeError, null_space_modulo
from pdobasis.linear.lanes import Lanes, lane
from pdobasis.linear.sparse import nonzeros, run_starts
from pdobasis.representations.representation import Representation
from pdobasis.values import dataclass

ABOUT = 1
"""Which Lie generator turns about the axis of the rational harmonics, x2: so(3) is listed by planes (12, 13, 23)."""


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """A sparse matrix modulo a prime, by its entries sorted by rows, to act on columns."""

    rows: IndexArray
    heads: IndexArray
    columns: IndexArray
    values: Residues
    size: int

    def __call__(self, vectors: Residues, p: int) -> Residues:
        out = np.zeros((self.size, vectors.shape[1]))
        if len(self.rows):
            products = reduced(vectors[self.columns] * self.values[:, None], p)
            out[self.rows[self.heads]] = np.add.reduceat(products, self.heads, axis=0)
        return reduced(out, p)


def _action(matrix: LaneMatrix) -> Action:
    heads = run_starts(matrix.rows) if len(matrix.rows) else matrix.rows
    return Action(matrix.rows, heads, matrix.columns, matrix.values[0], matrix.shape[0])


class Zonal:
    """A rational representation modulo a prime: what Z annihilates in it, and what C and f do there.

    ``degrees`` are the orders of the irreps that occur.
    """

    def __init__(
        self, rep: Representation, degrees: tuple[int, ...], lanes: Lanes
    ) -> None:
        self.p = int(lanes.modulus[0])
        self.degrees = degrees
        images = [_image(x, lanes) for x in rep.lie]
        self.turns: dict[int, Action] = {
            k: _action(x) for k, x in enumerate(images) if k != ABOUT
        }
        kernel = null_space_modulo(images[ABOUT], lanes)
        if kernel is None:  # it is not: one lane agrees with itself
            raise TooLargeError
        # rows in echelon form: their coordinates are read off where they start
        starts = kernel.columns[run_starts(kernel.rows)]
        self.room = len(starts)
        self.vectors: Action = _action(kernel.transposed())
        across = [x.transposed() for k, x in enumerate(images) if k != ABOUT]
        twice = [
            kernel.times(x, lanes).collapsed(lanes).times(x, lanes) for x in across
        ]
        self.casimir: Action = self._inside(_sum(twice), starts, lanes, -1)
        self.mirrors: list[Action] = []
        for f in rep.generators:
            turned = kernel.times(_image(f, lanes).transposed(), lanes)
            self.mirrors.append(self._inside(turned, starts, lanes, 1))

    def _inside(
        self, rows: LaneMatrix, starts: IndexArray, lanes: Lanes, sign: int
    ) -> Action:
        """What maps the coordinates of vectors to those of their images, which are given as rows."""
        place = np.full(rows.shape[1], -1)
        place[starts] = np.arange(len(starts))
        whole = rows.collapsed(lanes)
        kept = np.flatnonzero(place[whole.columns] >= 0)
        columns = place[whole.columns[kept]]
        shape = (len(starts), len(starts))
        values = sign * whole.values[:, kept]
        return _action(
            LaneMatrix(whole.rows[kept], columns, values, shape).transposed()
        )

    def maps(self, irrep: Representation, count: int) -> Residues:
        """(harmonic, component of rho, map): ``count`` maps, which span all unless the prime is unlucky."""
        p, degree = self.p, irrep.size // 2
        found = _random((self.room, count), degree, p)
        for f, image in zip(self.mirrors, irrep.generators, strict=True):
            sign = int(image[degree, degree].fraction())
            found = reduced(f(found, p) + sign * found, p)
        for k in self.degrees:
            if k != degree:
                found = reduced(self.casimir(found, p) - k * (k + 1) * found, p)
        return self._carried(self.vectors(found, p), irrep)

    def _carried(self, first: Residues, irrep: Representation) -> Residues:
        """The images of all harmonics from those of the middle one: $T\\psi(X)Y = \\rho(X)TY$, solved for a new one."""
        p, size = self.p, irrep.size
        out = np.zeros((size, *first.shape))
        out[size // 2] = first
        for target, known, turn, scale, others in _words(irrep, p):
            image = self.turns[turn](out[known], p)
            for k, weight in others:
                image = reduced(image - weight * out[k], p)
            out[target] = reduced(image * scale, p)
        return out


Word = tuple[int, int, int, float, list[tuple[int, float]]]
"""A new harmonic, one that is known, what turns it, and what is to be done to the rest."""


def _words(irrep: Representation, p: int) -> Iterator[Word]:
    """How harmonics are reached from the middle: a turn of a known one has one part that is not."""
    known = [irrep.size // 2]
    tables = {}
    for k, x in enumerate(irrep.lie):
        if k != ABOUT:
            scale = pow(x.denominator, -1, p)
            tables[k] = [[v * scale % p for v in row] for row in _whole(x)]
    # the list grows while it is gone through
    for own in known:
        for k, table in tables.items():
            parts = [(j, row[own]) for j, row in enumerate(table) if row[own]]
            new = [(j, v) for j, v in parts if j not in known]
            if len(new) == 1:
                ((target, v),) = new
                others = [(j, _centred(w, p)) for j, w in parts if j != target]
                yield target, own, k, _centred(pow(v, -1, p), p), others
                known.append(target)


def _whole(x: ExactArray) -> list[list[int]]:
    rows: list[list[int]] = x.numerators[..., 0].tolist()
    return rows


def _centred(value: int, p: int) -> float:
    return float(value - p if value > p // 2 else value)


def _random(shape: tuple[int, int], seed: int, p: int) -> Residues:
    """Any vectors do; these are the same every time."""
    numbers = np.random.default_rng(seed).integers(-(p // 2), p // 2, shape)
    return numbers.astype(np.float64)


Maps = dict[str, Residues]
"""By the names of irreps, (harmonic, component of rho, map)."""


def maps_from_irreps(
    rep: Representation,
    degrees: tuple[int, ...],
    irreps: Iterable[tuple[str, Representation, int]],
    p: int,
) -> Maps | None:
    """As many maps from rational irreps as each occurs; None where the prime divides a denominator.

    ``degrees`` are the orders of all irreps that occur.
    """
    if any(m.denominator % p == 0 for m in (*rep.lie, *rep.generators)):
        return None
    room = Zonal(rep, degrees, lane(p))
    return {name: room.maps(psi, count) for name, psi, count in irreps}


def _image(m: ExactArray, lanes: Lanes) -> LaneMatrix:
    entries = nonzeros(m)
    images = lanes.images(entries.values)
    if images is None:  # denominators were looked at before
        raise TooLargeError
    return LaneMatrix(entries.rows, entries.columns, images, entries.shape)


def _sum(parts: list[LaneMatrix]) -> LaneMatrix:
    return LaneMatrix(
        np.concatenate([m.rows for m in parts]),
        np.concatenate([m.columns for m in parts]),
        np.concatenate([m.values for m in parts], axis=1),
        parts[0].shape,
    )
