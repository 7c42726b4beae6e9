r"""The transfer solver, for $G \le O(d)$ in every dimension: angular elements,
times powers of the Laplacian.

By Fischer's decomposition every symbol is $\sum_k r^{2k} \chi_k$ with harmonic
$\chi_k$ in one way only, and $r^2$ is invariant. So $\{r^{2k} \chi\}$, with
$\chi$ over a basis of the steerable *harmonic* symbols, is a basis, and the
PDOs are $\Delta^k D(\chi)$. There are several roads to the harmonic symbols of
one order, the shortest first:

* in closed form between irreps in the plane (:mod:`.planar`) and of SO(3), O(3)
  (:mod:`.spherical`), whatever their formulas are (:mod:`.known_irreps`);
* where generators do nothing but change signs, or nothing at all: written down
  (:mod:`.by_signs`);
* of I and Ih: from maps between irreps, without linear systems (:mod:`.icosahedral`);
* where a finite group of the plane asks for what all rotations ask for: those of
  SO(2) or O(2) (:mod:`.restricted`);
* between sums of irreps: in closed form between the irreps, padded, and brought
  back to the given bases (:mod:`.reducible`); in integers where they are few
  (:mod:`.planar_sums`, :mod:`.small_sums`, :mod:`.small_rotations`);
* elsewhere: round orbits or by harmonic projection (:mod:`.projection`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from pdobasis.bounds.watch import step
from pdobasis.errors import GroupError, PdoBasisError, RepresentationError
from pdobasis.exact.field import join
from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import ICOSAHEDRAL, Group
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols
from pdobasis.question.problem import Problem
from pdobasis.question.truncation import Truncation
from pdobasis.representations.decomposition import irrep_name
from pdobasis.representations.representation import Representation
from pdobasis.solvers import planar
from pdobasis.solvers.module import Angular, Module
from pdobasis.solvers.projection import solve_harmonic
from pdobasis.solvers.solver import Progress, Solution, Solver, pairs
from pdobasis.solvers.truncation import not_by, not_kept_by_the_laplacian

if TYPE_CHECKING:
    from pdobasis.solvers.few_elements import FewElements
    from pdobasis.solvers.icosahedral import Icosahedral
    from pdobasis.solvers.reducible import Meeting, Pair
    from pdobasis.solvers.single_entries import SingleEntries
    from pdobasis.solvers.small_sums import Sums

MAX_SPLIT = 36
"""Larger representations of finite groups are solved as they are: sparse
equations beat a dense change of basis.
"""

Finish = Callable[[list[list[Symbols]]], list[Angular]]
"""From the symbols between the pairs that were asked for, for each of the orders, to what was asked."""

SMALL_DEGREE = 2
"""Of a field in which a linear system is not first brought to another one."""

WORTH_A_THOUGHT = 80
"""Smaller representations are decomposed in milliseconds."""


class Transfer(Solver):
    """Angular elements times powers of the Laplacian; the best where there is a
    Laplacian to speak of.
    """

    name: ClassVar[str] = "transfer"
    rank: ClassVar[int | None] = 1

    def fits(self, problem: Problem) -> PdoBasisError | None:
        if problem.partial_order is not None:
            return not_kept_by_the_laplacian()
        if problem.truncation is not None and problem.truncation.frame is not None:
            return not_by("the limit in a frame", Transfer.name, "direct")
        return _without_laplacian(problem.group)

    def cost(self, problem: Problem) -> int:
        reps = {*problem.in_type.distinct, *problem.out_type.distinct}
        return problem.unknowns + sum(_decomposing(rep) for rep in reps)

    def solve(self, problem: Problem, progress: Progress) -> Solution:
        truncation = problem.truncation or Truncation()
        blocks: list[Block] = []
        reps: list[Pair] = []
        for i, o in pairs(problem):
            reps.append((problem.in_type.distinct[i], problem.out_type.distinct[o]))
        modules = solve_modules(reps, problem.order, truncation.max_offset, progress)
        for (i, o), module in zip(pairs(problem), modules, strict=True):
            if problem.kernel:
                # On the sphere r = 1: the powers of r^2 say nothing new.
                parts, structure = module.alone(truncation.keeps)
            elif truncation.kept is not None:
                parts, structure = module.filtered(truncation.keeps)
            else:
                parts, structure = module.textbook_orders()
            blocks.append(Block(i, o, parts, structure))
        return Solution(tuple(blocks))


def solve_module(
    rep_in: Representation,
    rep_out: Representation,
    order: int,
    max_offset: int | None = None,
) -> Module:
    """All angular elements of order at most ``order``; with a limit on their
    offsets those between the irreps of both sides.
    """
    (module,) = solve_modules([(rep_in, rep_out)], order, max_offset)
    return module


def solve_modules(
    reps: list[Pair],
    order: int,
    max_offset: int | None = None,
    progress: Progress = lambda message: None,
) -> Iterator[Module]:
    """The same for many pairs of representations of one group."""
    refusal = _without_laplacian(reps[0][0].group)
    if refusal is not None:
        raise refusal
    orders = range(order + 1)
    roads: list[tuple[list[Pair], Finish]] = []
    sums = _Sums(orders)
    for k, (rep_in, rep_out) in enumerate(reps):
        told = f"solving {rep_in.spec} -> {rep_out.spec}"
        progress(told)
        step(told, k, len(reps))
        if max_offset is None:
            roads.append(_angular(rep_in, rep_out, orders, sums))
        else:
            roads.append(_offsets(rep_in, rep_out, orders, max_offset))
    asked = [wanted for wanted, _ in roads]
    for (_, finish), found in zip(roads, _solved(asked, orders), strict=True):
        yield Module(tuple(finish(found)))


def _solved(
    asked: list[list[Pair]], orders: Sequence[int]
) -> Iterator[list[list[Symbols]]]:
    """The symbols between the pairs of every block, those of many blocks together: their systems are small, and many.

    What is solved together comes over one field, which is that of the answer. So a block goes with others where all of
    its pairs, and theirs, are of one group and have one small field; otherwise only with blocks of the very same pairs.
    """
    found: dict[object, dict[Pair, list[Symbols]]] = {}
    keys: list[object] = []
    for wanted in asked:
        fields = {join(a.field, b.field) for a, b in wanted}
        is_shared = len(fields) == 1 and all(f.degree <= SMALL_DEGREE for f in fields)
        if is_shared:
            keys.append((wanted[0][0].group.name, fields.pop()))
        else:
            keys.append(frozenset(wanted))
    for k, wanted in enumerate(asked):
        if keys[k] not in found:
            every = [
                p
                for own, key in zip(asked, keys, strict=True)
                if key == keys[k]
                for p in own
            ]
            once = list(dict.fromkeys(every))
            found[keys[k]] = dict(zip(once, solve_harmonic(once, orders), strict=True))
        yield [found[keys[k]][pair] for pair in wanted]


class _Sums:
    """:class:`.small_sums.Sums` of a question, loaded and made where there are such sums."""

    def __init__(self, orders: Sequence[int]) -> None:
        self.orders = orders
        self._made: Sums | None = None
        self._icosahedral: Icosahedral | None = None

    def icosahedral(self, group: Group) -> Icosahedral:
        if self._icosahedral is None:
            from pdobasis.solvers.icosahedral import Icosahedral

            self._icosahedral = Icosahedral(group, self.orders)
        return self._icosahedral

    def of_crystal(self, group: Group) -> Sums | None:
        # in the plane there are closed forms between irreps
        if not group.is_finite or group.field.degree > 2 or group.dim == 2:
            return None
        if self._made is None:
            from pdobasis.solvers.small_sums import Sums

            self._made = Sums(group, self.orders)
        return self._made

    def angular(
        self, rep_in: Representation, rep_out: Representation
    ) -> list[Angular] | None:
        made = self.of_crystal(rep_in.group)
        return None if made is None else made.angular(rep_in, rep_out)

    def between_irreps(
        self, rep_in: Representation, rep_out: Representation
    ) -> list[FewElements] | None:
        made = self.of_crystal(rep_in.group)
        return None if made is None else made.between_irreps(rep_in, rep_out)


def _angular(
    rep_in: Representation,
    rep_out: Representation,
    orders: Sequence[int],
    sums: _Sums,
) -> tuple[list[Pair], Finish]:
    """All steerable P with ΔP = 0 of each of the orders: what they are made of, and how.

    That is symbols between pairs without a closed form, which are solved together for many questions like this.
    """
    known = _closed_form(rep_in, rep_out, orders)
    if known is not None:
        return [], lambda solved: _labelled(rep_in, rep_out, known)
    signed = _by_signs(rep_in, rep_out, orders)
    if signed is not None:
        return [], lambda solved: signed
    is_split = _is_split(rep_in) and _is_split(rep_out)
    are_irreps = is_split and _are_irreps(rep_in, rep_out)
    if are_irreps:
        # loaded where a formula is not that of the catalogue
        from pdobasis.solvers.known_irreps import between_irreps

        parts = between_irreps(rep_in, rep_out, orders)
        if parts is not None:
            return [], lambda solved: _labelled(rep_in, rep_out, parts)
        whole = sums.between_irreps(rep_in, rep_out)
        if whole is not None:
            return [], lambda solved: _labelled(rep_in, rep_out, whole)
    if is_split and rep_in.group.is_finite:
        golden = _icosahedral(rep_in, rep_out, sums)
        if golden is not None:
            return [], lambda solved: golden
        turned = _as_rotations(rep_in, rep_out, orders, sums)
        if turned is not None:
            return turned
    if is_split and not are_irreps:
        few = sums.angular(rep_in, rep_out)
        if few is not None:
            return [], lambda solved: few
        if rep_in.group.dim == 2:
            from pdobasis.solvers import planar_sums

            flat = planar_sums.angular(rep_in, rep_out, orders)
            if flat is not None:
                return [], lambda solved: flat
        # loaded where irreps meet, here and below
        from pdobasis.solvers.reducible import meeting

        if turns_space(rep_in.group) is not None:
            from pdobasis.solvers import rotations

            rational = rotations.meeting(rep_in, rep_out, orders)
            if rational is not None:
                return [], lambda solved: rational.solved()
        met = meeting(rep_in, rep_out, orders)
        if met is not None:
            return _through_irreps(met)
    # No formula is known: the constraint itself is solved.
    return [(rep_in, rep_out)], lambda solved: _labelled(rep_in, rep_out, solved[0])


def _as_rotations(
    rep_in: Representation,
    rep_out: Representation,
    orders: Sequence[int],
    sums: _Sums,
) -> tuple[list[Pair], Finish] | None:
    """The same where a finite group of the plane asks for what all rotations ask for."""
    group = rep_in.group
    if group.field.is_rational or group.dim != 2 or not _are_irreps(rep_in, rep_out):
        return None
    # loaded for groups that may be such
    from pdobasis.solvers.restricted import restricted

    found = restricted(rep_in, rep_out, max(orders))
    if found is None or not _are_irreps(*found.pair):
        return None
    wanted, finish = _angular(*found.pair, orders, sums)
    return wanted, lambda solved: _labelled(
        rep_in, rep_out, found.irreps(finish(solved), (rep_in, rep_out))
    )


def _icosahedral(
    rep_in: Representation, rep_out: Representation, sums: _Sums
) -> list[Angular] | None:
    """The same for I and Ih, where sides are known by formulas."""
    if rep_in.group.term not in ICOSAHEDRAL:
        return None
    road = sums.icosahedral(rep_in.group)
    if not all(road.knows(rep) for rep in (rep_in, rep_out)):
        return None
    if not _are_irreps(rep_in, rep_out):
        return road.angular(rep_in, rep_out)
    found = road.between_irreps(rep_in, rep_out)
    if found is None:
        return None
    return _labelled(rep_in, rep_out, found)


def _by_signs(
    rep_in: Representation, rep_out: Representation, orders: Sequence[int]
) -> list[Angular] | None:
    """All of them, where generators do nothing but change signs."""
    if not rep_in.group.is_finite or not rep_in.group.field.is_rational:
        return None
    # loaded for groups that may be such
    from pdobasis.solvers import by_signs

    if not by_signs.are_signs(rep_in, rep_out):
        return None
    if _is_split(rep_in) and _is_split(rep_out):
        # an irrep of signs has size 1
        is_sum = max(rep_in.size, rep_out.size) > 1
        if is_sum or not _are_irreps(rep_in, rep_out):
            found = by_signs.through_irreps(rep_in, rep_out, orders)
            if found is not None:
                return found
    return _labelled(rep_in, rep_out, by_signs.as_given(rep_in, rep_out, orders))


def _through_irreps(met: Meeting) -> tuple[list[Pair], Finish]:
    constant = met.by_schur()
    if constant is not None:
        return [], lambda solved: met.put_together(constant)
    every = met.pairs
    found = [_closed_form(a, b, met.orders) for a, b in every]
    left = [pair for pair, known in zip(every, found, strict=True) if known is None]

    def finish(solved: list[list[Symbols]]) -> list[Angular]:
        rest = iter(solved)
        return met.put_together([known or next(rest) for known in found])

    return left, finish


def _closed_form(
    rep_in: Representation, rep_out: Representation, orders: Sequence[int]
) -> list[Symbols] | None:
    """Of all the orders, where it is known."""
    if turns_space(rep_in.group) is not None:
        from pdobasis.solvers import spherical

        return spherical.closed_form(rep_in, rep_out, orders)
    return planar.closed_form(rep_in, rep_out, orders)


def _offsets(
    rep_in: Representation,
    rep_out: Representation,
    orders: Sequence[int],
    max_offset: int,
) -> tuple[list[Pair], Finish]:
    """The angular elements of C_N or D_N whose offsets are within the limit.

    A solution between irreps keeps its frequencies under a change of basis of the
    irreps, so that those between sums do not depend on how these are split.
    """

    def between(a: Representation, b: Representation) -> list[Symbols]:
        return planar.closed_form(a, b, orders, max_offset) or []

    if _are_irreps(rep_in, rep_out):
        parts = between(rep_in, rep_out)
        if parts:
            return [], lambda solved: _labelled(rep_in, rep_out, parts)
    from pdobasis.solvers.reducible import meeting

    met = meeting(rep_in, rep_out, orders)
    if met is None:
        raise RepresentationError(
            f"max_offset needs the irreps of {rep_in.spec} and {rep_out.spec}, which "
            f"are not all known for {rep_in.group.name}"
        )
    return [], lambda solved: met.put_together([between(a, b) for a, b in met.pairs])


def _without_laplacian(group: Group) -> GroupError | None:
    """Why a group that is not orthogonal cannot be asked."""
    if group.is_orthogonal:
        return None
    return GroupError(
        f"{group.name} is not a subgroup of O({group.dim}), so r^2 is not "
        "invariant and there are no powers of the Laplacian to transfer: "
        "ask for PDOs with method='direct'"
    )


def _is_split(rep: Representation) -> bool:
    """Whether it is worth decomposing.

    For finite groups not when its basis is permuted, and not when it is large.
    """
    # Irreps of continuous groups have closed forms: it is always worth it.
    if not rep.group.is_finite or rep.size == 1:
        return True
    return rep.size <= MAX_SPLIT and not rep.is_permutation


def _decomposing(rep: Representation) -> int:
    """How many numbers the change to irreps is worth: a matrix of the size of a
    representation, where that is large.

    In the plane irreps have size 2, and next to nothing has to be changed.
    """
    if turns_space(rep.group) is None or rep.size < WORTH_A_THOUGHT:
        return 0
    return rep.size**2


def _are_irreps(rep_in: Representation, rep_out: Representation) -> bool:
    """Whether both are irreps of the catalogue, in the very bases they have there."""
    # by their sizes large ones are soon told from irreps
    first, second = sorted((rep_in, rep_out), key=lambda rep: rep.size, reverse=True)
    return bool(irrep_name(first) and irrep_name(second))


def _labelled(
    rep_in: Representation,
    rep_out: Representation,
    parts: Sequence[Symbols | SingleEntries | FewElements],
) -> list[Angular]:
    irreps = (irrep_name(rep_in), irrep_name(rep_out))
    return [Angular(part, (irreps,) * part.size) for part in parts]
