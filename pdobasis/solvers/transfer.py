r"""The transfer solver, for $G \le O(d)$ in every dimension: angular elements, times powers of the Laplacian.

By Fischer's decomposition every symbol is $\sum_k r^{2k} \chi_k$ with harmonic $\chi_k$ in one way only, and $r^2$ is
invariant. So $\{r^{2k} \chi\}$, with $\chi$ over a basis of the steerable *harmonic* symbols, is a basis, and the
PDOs are $\Delta^k D(\chi)$. The harmonic symbols of one order come

* in closed form between irreps in the plane (:mod:`.planar`) and of SO(3), O(3) (:mod:`.spherical`);
* between sums of irreps: in closed form between the irreps, padded, and brought back to the given bases;
* elsewhere: round orbits or by harmonic projection (:mod:`.harmonic`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pdobasis.errors import GroupError
from pdobasis.groups.group import Group
from pdobasis.operators.laplacian import times_radius
from pdobasis.operators.symbols import Structure, Symbols, join_symbols
from pdobasis.representations.decomposition import irrep_name
from pdobasis.representations.representation import Representation
from pdobasis.solvers import planar, spherical
from pdobasis.solvers.harmonic import solve_harmonic
from pdobasis.solvers.reducible import through_irreps

MAX_SPLIT = 36
"""Larger representations of finite groups are solved as they are: sparse equations beat a dense change of basis."""


@dataclass(frozen=True, slots=True, eq=False)
class Angular:
    """Harmonic symbols of one order, and the irreps that each connects (empty where that is not known)."""

    symbols: Symbols
    irreps: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """The angular elements of every order: a basis of the steerable symbols over the polynomials in r^2."""

    angular: tuple[Angular, ...]

    @property
    def size(self) -> int:
        return sum(a.symbols.size for a in self.angular)

    def alone(self) -> tuple[tuple[Symbols, ...], tuple[tuple[Structure, ...], ...]]:
        """The angular elements without any powers of r^2."""
        described = (tuple(Structure(n, 0, a, b) for a, b in own.irreps) for n, own in enumerate(self.angular))
        return tuple(own.symbols for own in self.angular), tuple(described)

    def orders(self) -> tuple[tuple[Symbols, ...], tuple[tuple[Structure, ...], ...]]:
        """The real basis: for every order n all r^{2k} chi with l + 2k = n, by increasing angular order l."""
        parts: list[Symbols] = []
        structure: list[tuple[Structure, ...]] = []
        for n, own in enumerate(self.angular):
            described = tuple(Structure(n, 0, a, b) for a, b in own.irreps)
            if n < 2:
                parts.append(own.symbols)
                structure.append(described)
                continue
            lifted = times_radius(parts[n - 2])
            parts.append(join_symbols([lifted, own.symbols]))
            raised = (Structure(s.angular_order, s.laplacian_power + 1, s.in_irrep, s.out_irrep) for s in structure[-2])
            structure.append((*raised, *described))
        return tuple(parts), tuple(structure)


def solve_module(rep_in: Representation, rep_out: Representation, order: int) -> Module:
    """All angular elements of order at most ``order``."""
    require_orthogonal(rep_in.group)
    return Module(tuple(solve_angular(rep_in, rep_out, range(order + 1))))


def solve_angular(rep_in: Representation, rep_out: Representation, orders: Sequence[int]) -> list[Angular]:
    """All steerable P with ΔP = 0 of each of the orders."""
    for closed_form in (planar.closed_form, spherical.closed_form):
        found = [part for n in orders if (part := closed_form(rep_in, rep_out, n)) is not None]
        if len(found) == len(orders):
            return [_labelled(rep_in, rep_out, part) for part in found]
    if _is_split(rep_in) and _is_split(rep_out):
        split = through_irreps(rep_in, rep_out, orders, lambda a, b: [p.symbols for p in solve_angular(a, b, orders)])
        if split is not None:
            return [Angular(*part) for part in split]
    return [_labelled(rep_in, rep_out, part) for part in solve_harmonic(rep_in, rep_out, orders)]


def require_orthogonal(group: Group) -> None:
    if not group.is_orthogonal:
        raise GroupError(
            f"{group.name} is not a subgroup of O({group.dim}), so r^2 is not invariant and there are no powers of the "
            "Laplacian to transfer: ask for PDOs with --method direct"
        )


def _is_split(rep: Representation) -> bool:
    """Whether it is worth decomposing: for finite groups not when its basis is permuted, and not when it is large."""
    return not rep.group.is_finite or rep.size == 1 or (rep.size <= MAX_SPLIT and not rep.is_permutation)


def _labelled(rep_in: Representation, rep_out: Representation, part: Symbols) -> Angular:
    return Angular(part, ((irrep_name(rep_in), irrep_name(rep_out)),) * part.size)
