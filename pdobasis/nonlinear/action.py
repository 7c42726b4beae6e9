r"""How a group moves derivatives of fields: $\rho(g) \otimes \mathrm{Sym}^n(g^{-T})$ and its derivative."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, identity
from pdobasis.exact.scalars import Number, rows
from pdobasis.nonlinear.polynomials import Coordinate, Move, Row
from pdobasis.nonlinear.question import Field
from pdobasis.proof.lines import matrices_of
from pdobasis.representations.representation import Representation


def lie_moves(fields: Sequence[Field], lie: Sequence[ExactArray]) -> list[Move]:
    r"""For every Lie generator X: $j \mapsto (d\rho(X) \otimes 1 + 1 \otimes d\,\mathrm{Sym}^n(-X^T))\,j$."""
    out: list[Move] = []
    for number, x in enumerate(lie):
        on_fields = [rows(field.rep.lie[number]) for field in fields]
        # ∂_a goes to the sum of -X_ba ∂_b
        on_derivatives = rows(-x.T)
        out.append(_kept(_LieMove(on_fields, on_derivatives)))
    return out


def moves(fields: Sequence[Field], generators: Sequence[ExactArray]) -> list[Move]:
    """The same for finite generators."""
    images = [matrices_of(field.rep) for field in fields]
    out: list[Move] = []
    for number, g in enumerate(generators):
        on_fields = [rows(image[number]) for image in images]
        inverse = g.inverse()
        # terms are found and proved with it, so that it is looked at
        if not (g @ inverse).equals(identity(len(g))):
            raise ProofError("the inverse of a generator is none")
        out.append(move_of(on_fields, rows(inverse.T)))
    return out


def move_of(
    on_fields: list[list[dict[int, Number]]], on_axes: list[dict[int, Number]]
) -> Move:
    """By the rows of rho(g) for every field, and of g^-T for derivatives."""
    return _kept(_Move(on_fields, on_axes))


def out_rows(rep: Representation) -> tuple[list[list[dict[int, Number]]], ...]:
    """(rho of every generator, d rho of every Lie generator) of the output, by rows."""
    return [rows(m) for m in matrices_of(rep)], [rows(x) for x in rep.lie]


def _kept(move: Move) -> Move:
    """Computed once for every coordinate."""
    known: dict[Coordinate, Row] = {}

    def look_up(c: Coordinate) -> Row:
        if c not in known:
            known[c] = move(c)
        return known[c]

    return look_up


class _LieMove:
    def __init__(
        self, on_fields: list[list[dict[int, Number]]], on_axes: list[dict[int, Number]]
    ) -> None:
        self.on_fields, self.on_axes = on_fields, on_axes

    def __call__(self, c: Coordinate) -> Row:
        out: dict[Coordinate, Number] = {}
        for other, value in self.on_fields[c.field][c.component].items():
            _add(out, c._replace(component=other), value)
        for a, power in enumerate(c.alpha):
            if not power:
                continue
            for b, value in self.on_axes[a].items():
                _add(out, c._replace(alpha=_moved(c.alpha, a, b)), value * power)
        return out


class _Move:
    def __init__(
        self, on_fields: list[list[dict[int, Number]]], on_axes: list[dict[int, Number]]
    ) -> None:
        self.on_fields, self.on_axes = on_fields, on_axes

    def __call__(self, c: Coordinate) -> Row:
        derivatives: dict[tuple[int, ...], Number] = {(0,) * len(c.alpha): fmpq(1)}
        for a, power in enumerate(c.alpha):
            for _ in range(power):
                derivatives = self._times(derivatives, a)
        out: dict[Coordinate, Number] = {}
        for other, value in self.on_fields[c.field][c.component].items():
            for alpha, factor in derivatives.items():
                _add(out, c._replace(component=other, alpha=alpha), value * factor)
        return out

    def _times(
        self, derivatives: dict[tuple[int, ...], Number], a: int
    ) -> dict[tuple[int, ...], Number]:
        out: dict[tuple[int, ...], Number] = {}
        for alpha, value in derivatives.items():
            for b, factor in self.on_axes[a].items():
                higher = (*alpha[:b], alpha[b] + 1, *alpha[b + 1 :])
                out[higher] = out.get(higher, fmpq(0)) + value * factor
        return out


def _moved(alpha: tuple[int, ...], a: int, b: int) -> tuple[int, ...]:
    changed = list(alpha)
    changed[a] -= 1
    changed[b] += 1
    return tuple(changed)


def _add(out: dict[Coordinate, Number], c: Coordinate, value: Number) -> None:
    total = out.get(c, fmpq(0)) + value
    if total:
        out[c] = total
    else:
        out.pop(c, None)
