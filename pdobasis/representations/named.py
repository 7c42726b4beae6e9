"""The irreps of a group by names that a specification understands: who knows them, and what they are."""

from __future__ import annotations

from collections.abc import Callable

from pdobasis.bounds.caches import remembered
from pdobasis.errors import UnknownNameError
from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.irreps import irrep, planar_irreps
from pdobasis.representations.representation import Representation, from_term
from pdobasis.representations.terms import Term, Trivial, Vector

Provider = Callable[[Group, int], dict[str, Term] | None]
"""The irreps of a group by name, up to a frequency or order; None where they are somebody else's."""


def _of_space(group: Group, limit: int) -> dict[str, Term] | None:
    space = turns_space(group)
    if space is None:
        return None
    found: dict[str, Term] = {}
    for degree in range(limit + 1):
        parities = [0, 1]
        # without inversion both are the same; the harmonics themselves have the parity of their order
        if space == "SO":
            parities = [degree % 2]
        for parity in parities:
            term = Spherical(degree, parity)
            found[spherical_name(group, term)] = term
    return found


def spherical_name(group: Group, term: Spherical) -> str:
    """irrep(1) of SO(3), 1o of O(3)."""
    if turns_space(group) == "SO":
        return f"irrep({term.degree})"
    return f"{term.degree}{'eo'[term.parity]}"


def _of_plane(group: Group, limit: int) -> dict[str, Term] | None:
    found = planar_irreps(group, limit)
    if found is None:
        return None
    return {f"irrep({','.join(map(str, key))})": term for key, term in found.items()}


def _of_points(group: Group, limit: int) -> dict[str, Term] | None:
    # many formulas for few groups: loaded when a group of points is asked for
    from pdobasis.representations.point_irreps import point_irreps

    found = point_irreps(group)
    if not found:
        return None
    return {f"irrep({name})": term for name, term in found.items()}


def _of_inversion(group: Group, limit: int) -> dict[str, Term] | None:
    term = group.term
    if term is None or term.family != "inversion":
        return None
    from pdobasis.representations.polyhedral_irreps import Part

    # in even dimensions the determinant does not change its sign, a coordinate does
    return {"irrep(Ag)": Trivial(), "irrep(Au)": Part(Vector(), (0,))}


def _of_nothing(group: Group, limit: int) -> dict[str, Term] | None:
    if group.generators or not group.is_finite:
        return None
    return {"trivial": Trivial()}


PROVIDERS: list[Provider] = [
    _of_space,
    _of_plane,
    _of_points,
    _of_inversion,
    _of_nothing,
]
"""Who knows irreps by name; a family of groups with irreps of its own adds a provider."""


def irreps_of(group: Group, limit: int = 4) -> dict[str, Term]:
    """The irreps of a group of the catalogue by names that a specification understands; empty where none are known.

    Finite groups have all of theirs; SO(2), O(2), SO(3) and O(3) those up to a frequency or order.
    """
    if group.is_finite:
        # all that there are: made once, whatever is asked
        limit = 0
    return dict(_known(group, limit, group.term, tuple(PROVIDERS)))


@remembered
def _known(
    group: Group,
    limit: int,
    term: CatalogueTerm | None,
    providers: tuple[Provider, ...],
) -> dict[str, Term]:
    """``term`` is part of the key, since irreps follow the name that a group was given; so is who was asked."""
    for provider in providers:
        found = provider(group, limit)
        if found is not None:
            return found
    return {}


def named_irreps(group: Group, limit: int = 4) -> dict[str, Representation]:
    """The same as representations."""
    found = irreps_of(group, limit)
    return {name: made(group, term, name) for name, term in found.items()}


def named_irrep(group: Group, arguments: list[str], spec: str) -> Representation:
    """irrep(T2u) of a point group, by its Mulliken name; irrep(1,2), irrep(1o) … elsewhere."""
    known = _of_points(group, 0) or _of_inversion(group, 0)
    if known is None:
        return irrep(group, arguments, spec)
    asked = ",".join(arguments)
    name = f"irrep({asked})"
    if name not in known:
        short = [k.removeprefix("irrep(").removesuffix(")") for k in known]
        raise UnknownNameError(
            f"irrep of {group.name}", asked, short, f"({', '.join(short)})"
        )
    return made(group, known[name], name)


def made(group: Group, term: Term, name: str) -> Representation:
    """The representation of a formula, made once."""
    return _made(group, term, name, group.name)


@remembered
def _made(group: Group, term: Term, name: str, group_name: str) -> Representation:
    """``group_name`` is part of the key, so that messages name the group as it was written."""
    return from_term(group, term, name)
