r"""Does $d\rho$ belong to the group itself, or only to a covering group? And do the finite generators agree with it?

A representation of the Lie algebra is one of the universal cover of the identity component $G_0$. It is one of $G_0$
when every loop acts by 1. Loops of $G_0$ are those of a maximal compact subgroup, and there those of circles: for
SO(d), SO(p,q), SL(d), GL(d) and Sp(2n) the rotations of the Lie algebra that are antisymmetric generate all of them. So
$d\rho(X)$ has to have whole weights on every circle X.

An element h of the finite part may lie in $G_0$. Then $h = e^X$ forces $\rho(h) = e^{d\rho(X)}$.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import RepresentationError
from pdobasis.exact.array import (
    ExactArray,
    concatenate,
    identity,
    integers,
    stack,
    zeros,
)
from pdobasis.exact.numbers import to_float
from pdobasis.groups.closure import Closure, closure
from pdobasis.groups.group import Group
from pdobasis.groups.matrices import determinant, sine
from pdobasis.groups.membership import exact_rank
from pdobasis.linear.null_space import null_space
from pdobasis.linear.sparse import Sparse
from pdobasis.representations.circles import (
    Circle,
    circle,
    exponential,
    may_turn,
    whole_weights,
)
from pdobasis.representations.hypothesis import counted

MAX_TORUS = 20_000
"""Elements of a torus that are compared with each finite element."""
MAX_FINITE = 500
CLOSE = 1e-9

WHOLE = ("SO", "O", "indefinite", "SL", "GL", "Sp", "scaling", "product")
"""Families whose loops are all reached by the circles that are tested."""
APART = ("SO", "O", "indefinite", "SL", "GL", "Sp", "scaling")
"""Families whose finite generators stand for the further components, and meet the first in the identity alone."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A circle of the group, and what the representation makes of its generator."""

    circle: Circle
    image: ExactArray


def loops(group: Group, lie: Sequence[ExactArray]) -> tuple[list[Loop], bool]:
    """The Lie generators and antisymmetric elements that generate circles.

    And whether there may be others among them, which were not recognised.
    """
    found: list[Loop] = []
    missed = False
    for weights in _directions(group):
        x, y = combine(weights, group.lie), combine(weights, lie)
        own = circle(x)
        if own is not None:
            found.append(Loop(own, y))
        elif may_turn(x):
            missed = True
    return found, missed


def reaches_all_loops(group: Group) -> bool:
    """Whether the tested circles generate all loops: by family, or because the Lie algebra is one line."""
    if len(group.lie) == 1:
        return True  # its one-parameter group is a line, or the circle itself
    if all((x + x.T).is_zero for x in group.lie):
        d = group.dim
        flat = stack([x.reshape(x.size) for x in group.lie])
        if exact_rank(flat) == d * (d - 1) // 2:
            return True  # all of so(d): the loops of SO(d) are those of one plane
    return group.term is not None and group.term.family in WHOLE


def _directions(group: Group) -> list[ExactArray]:
    """Coefficients over the Lie generators: each of them, and a basis of what is antisymmetric."""
    single = identity(len(group.lie))
    out = [single[k] for k in range(len(group.lie))]
    if all((x + x.T).is_zero for x in group.lie):
        # Then the generators span nothing but antisymmetric matrices themselves.
        return out
    table = stack([(x + x.T).reshape(x.size) for x in group.lie]).T
    rows, columns = np.nonzero(table.nonzero_mask())
    solutions = null_space(
        Sparse(rows, columns, table[rows, columns], (table.shape[0], table.shape[1]))
    )
    dense = zeros((solutions.shape[0], len(group.lie)), solutions.values.field)
    numerators = np.array(dense.numerators, dtype=solutions.values.numerators.dtype)
    numerators[solutions.rows, solutions.columns] = solutions.values.numerators
    antisymmetric = ExactArray(
        numerators, solutions.values.denominator, solutions.values.field
    )
    return out + [antisymmetric[k] for k in range(len(antisymmetric))]


def combine(weights: ExactArray, matrices: Sequence[ExactArray]) -> ExactArray:
    """Sum of w_k M_k."""
    total = zeros(matrices[0].shape)
    for k, m in enumerate(matrices):
        if not weights[k].is_zero:
            total = total + m * weights[k].reshape(1, 1)
    return total


def require_loops(group: Group, spec: str, found: Sequence[Loop]) -> str:
    """Every circle acts with whole weights; returns how it is known."""
    for loop in found:
        if whole_weights(loop.image, loop.circle.square) is None:
            raise RepresentationError(
                f"{spec} is not a representation of {group.name}: a full turn does not act by the identity, so it "
                "belongs to a covering group at most; write 'cover: true' in its file to ask about that"
            )
    if not found:
        return "no circles in the Lie algebra"
    return f"whole weights on {counted(len(found), 'circle')}"


def require_agreement(
    group: Group,
    spec: str,
    found: Sequence[Loop],
    generators: Sequence[ExactArray],
    lie: Sequence[ExactArray],
) -> tuple[str, str]:
    """Finite elements in the identity component act as its exponentials; (how it is known, what is assumed)."""
    if not generators or (group.term is not None and group.term.family in APART):
        return "", ""
    if not group.discrete.is_finite:
        return "", "agreement of the discrete elements with the identity component"
    table = closure(group.discrete)
    if len(table) > MAX_FINITE:
        return (
            "",
            f"agreement of {len(table)} finite elements with the identity component",
        )
    size = lie[0].shape[0]
    images = table.evaluate(tuple(generators), identity(size))
    torus = _torus(found)
    unknown = compared = 0
    # Element 0 is the identity, on which there is nothing to disagree.
    for k in range(1, len(table)):
        h, image = table.matrices[k], images[k]
        # A half turn has no unique logarithm, but it may lie on a torus.
        expected = _in_torus(h, torus, _order(table, k)) or _by_logarithm(
            group, h, lie, _order(table, k)
        )
        if expected is not None:
            compared += 1
            if not expected.equals(image):
                raise _contradiction(group, spec, table, k)
        elif not _is_outside(group, h):
            unknown += 1
            if _contradicts_numerically(group, h, lie, image):
                raise _contradiction(group, spec, table, k)
    how = assumed = ""
    if compared:
        how = f"agreement of {counted(compared, 'finite element')} with exponentials"
    if unknown:
        assumed = f"agreement of {counted(unknown, 'finite element')} with the identity component"
    return how, assumed


def _contradiction(
    group: Group, spec: str, table: Closure, k: int
) -> RepresentationError:
    word = "*".join(group.labels[s] for s in table.word(k))
    return RepresentationError(
        f"{spec} is not a representation of {group.name}: {word} lies in the identity component, whose Lie "
        f"matrices give another value for rho({word})"
    )


def _order(table: Closure, k: int) -> int:
    """The least m with g^m = 1."""
    step = table.action(k)
    # The orbit of the identity under g runs through the powers of g.
    at, m = int(step[0]), 1
    while at:
        at, m = int(step[at]), m + 1
    return m


def _torus(found: Sequence[Loop]) -> list[Loop]:
    """Circles that commute with each other, as many as come."""
    out: list[Loop] = []
    for loop in found:
        x = loop.circle.x
        # Exponentials of commuting X commute, so their products form a torus.
        if all((x @ other.circle.x).equals(other.circle.x @ x) for other in out):
            out.append(loop)
    return out


def _in_torus(h: ExactArray, torus: Sequence[Loop], order: int) -> ExactArray | None:
    """What rho has to be at h, when h is a product of elements of that order on the circles; None when it is not."""
    if not torus or order ** len(torus) > MAX_TORUS:
        return None
    steps = [Fraction(j, order) for j in range(order)]
    tables = []
    for loop in torus:
        values = [
            exponential(loop.circle.x, loop.circle.square, loop.circle.weights, q)
            for q in steps
        ]
        if any(v is None for v in values):
            return None
        tables.append([v for v in values if v is not None])
    floats = [[to_float(v) for v in values] for values in tables]
    target = to_float(h)
    for choice in product(range(order), repeat=len(torus)):
        near = np.linalg.multi_dot(
            [np.eye(len(target)), *(f[j] for f, j in zip(floats, choice, strict=True))]
        )
        # Floats choose the candidate, and exact equality decides.
        if np.abs(near - target).max() < CLOSE and _multiplied(tables, choice).equals(
            h
        ):
            return _image(torus, [steps[j] for j in choice])
    return None


def _multiplied(
    tables: Sequence[Sequence[ExactArray]], choice: Sequence[int]
) -> ExactArray:
    result = tables[0][choice[0]]
    for values, j in zip(tables[1:], choice[1:], strict=True):
        result = result @ values[j]
    return result


def _image(torus: Sequence[Loop], turns: Sequence[Fraction]) -> ExactArray | None:
    result = identity(torus[0].image.shape[0])
    for loop, q in zip(torus, turns, strict=True):
        weights = whole_weights(loop.image, loop.circle.square)
        value = (
            None
            if weights is None
            else exponential(loop.image, loop.circle.square, weights, q)
        )
        if value is None:
            return None
        result = result @ value
    return result


def _by_logarithm(
    group: Group, h: ExactArray, lie: Sequence[ExactArray], order: int
) -> ExactArray | None:
    r"""The same through the logarithm $2\pi Y/m$ of h, where -1 is no eigenvalue and Y lies in the Lie algebra.

    With eigenvalues $e^{2\pi ik/m}$, $|k| < m/2$, Y has the eigenvalues ik, and is the polynomial
    $\sum_j \frac{2}{m} \sum_{0<k<m/2} k \sin(2\pi jk/m)\, h^j$ (a finite Fourier series).
    """
    one = identity(group.dim)
    # At -1 the logarithms iπ and -iπ compete, and no polynomial in h picks one.
    if order > 60 or determinant(h + one).is_zero:
        return None
    total = zeros((group.dim, group.dim))
    current = one
    for j in range(order):
        weight = zeros(())
        for k in range(1, (order + 1) // 2):
            weight = weight + sine(Fraction(2 * j * k, order)).scale(
                Fraction(2 * k, order)
            )
        total = total + current * weight.reshape(1, 1)
        current = current @ h
    coordinates = _coordinates(group, total)
    if coordinates is None:
        return None
    y = combine(coordinates, lie)
    unit = integers(1)
    weights = whole_weights(y, unit)
    return (
        None if weights is None else exponential(y, unit, weights, Fraction(1, order))
    )


def _coordinates(group: Group, y: ExactArray) -> ExactArray | None:
    """Y over the Lie generators, if it is in their span."""
    table = concatenate(
        [stack([x.reshape(x.size) for x in group.lie]), -y.reshape(1, y.size)]
    ).T
    rows, columns = np.nonzero(table.nonzero_mask())
    found = null_space(
        Sparse(rows, columns, table[rows, columns], (table.shape[0], table.shape[1]))
    )
    # A relation with a non-zero last entry writes Y over the generators.
    last = len(group.lie)
    for k in range(found.shape[0]):
        entries = np.flatnonzero((found.rows == k) & (found.columns == last))
        if len(entries):
            members = np.flatnonzero(found.rows == k)
            numerators = np.zeros(
                (last + 1, found.values.field.degree),
                dtype=found.values.numerators.dtype,
            )
            numerators[found.columns[members]] = found.values.numerators[members]
            vector = ExactArray(
                numerators, found.values.denominator, found.values.field
            )
            scale = vector[last].reshape(1, 1).inverse()[0, 0]
            return vector[:last] * scale
    return None


def _is_outside(group: Group, h: ExactArray) -> bool:
    """Surely not in the identity component: that has positive determinants, and fixes what the Lie algebra kills."""
    # det is continuous and never 0, so it keeps its sign on a connected group.
    if float(to_float(determinant(h))) < 0:
        return True
    # X v = 0 gives exp(X) v = v, and exponentials generate the component.
    return any(not (h @ v).equals(v) for v in _fixed(group))


def _fixed(group: Group) -> Iterator[ExactArray]:
    """Vectors v with X v = 0 for all X."""
    table = concatenate(list(group.lie))
    rows, columns = np.nonzero(table.nonzero_mask())
    found = null_space(
        Sparse(rows, columns, table[rows, columns], (table.shape[0], table.shape[1]))
    )
    for k in range(found.shape[0]):
        members = np.flatnonzero(found.rows == k)
        numerators = np.zeros(
            (group.dim, 1, found.values.field.degree),
            dtype=found.values.numerators.dtype,
        )
        numerators[found.columns[members], 0] = found.values.numerators[members]
        yield ExactArray(numerators, found.values.denominator, found.values.field)


def _contradicts_numerically(
    group: Group, h: ExactArray, lie: Sequence[ExactArray], image: ExactArray
) -> bool:
    """A last look with floats, for half turns about other axes: it can refuse, and proves nothing."""
    from scipy.linalg import expm, schur

    target = to_float(h)
    if np.abs(target @ target.T - np.eye(len(target))).max() > CLOSE:
        return False
    # Orthogonal matrices are normal, so that the real Schur form is block diagonal.
    blocks, basis = schur(target, output="real")
    logarithm = basis @ _antisymmetric_logarithm(blocks) @ basis.T
    span = np.stack([to_float(x).ravel() for x in group.lie], axis=1)
    weights = np.linalg.lstsq(span, logarithm.ravel(), rcond=None)[0]
    if (
        np.abs(span @ weights - logarithm.ravel()).max() > 1e-7
        or np.abs(expm(logarithm) - target).max() > 1e-7
    ):
        return False
    tangent = np.tensordot(weights, np.stack([to_float(y) for y in lie]), 1)
    return bool(np.abs(expm(tangent) - to_float(image)).max() > 1e-5)


def _antisymmetric_logarithm(blocks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of an orthogonal matrix in real Schur form; eigenvalues -1 are taken in pairs."""
    n = len(blocks)
    out = np.zeros((n, n))
    halves = [k for k in range(n) if abs(blocks[k, k] + 1) < CLOSE]
    # A rotation by π needs a plane, hence two eigenvalues -1.
    for a, b in zip(halves[::2], halves[1::2], strict=False):
        out[b, a], out[a, b] = np.pi, -np.pi
    for k in range(n - 1):
        if abs(blocks[k + 1, k]) > CLOSE:
            angle = np.arctan2(blocks[k + 1, k], blocks[k, k])
            out[k + 1, k], out[k, k + 1] = angle, -angle
    return out
