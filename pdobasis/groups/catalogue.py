"""Names of groups: text to :class:`Group`, by the families that are registered; and products of groups."""

from __future__ import annotations

import re
from itertools import combinations
from math import prod

from pdobasis.bounds.caches import remembered
from pdobasis.errors import GroupError, SpecError, UnknownNameError, require_type
from pdobasis.exact.array import stack
from pdobasis.groups import classical_families, planar, point
from pdobasis.groups.closure import DEFAULT_LIMIT, closure, commutes, require_closing
from pdobasis.groups.families import Wish, families, family_of
from pdobasis.groups.group import CatalogueTerm, Group

MAX_TEXT = 200

HOMES = (planar, classical_families, point)
"""The files that register families."""

OTHER_ROWS: tuple[tuple[str, str, str], ...] = (
    (
        "A x B",
        "",
        "direct product of commuting groups, e.g. SO(3) x inversion, C4 x scaling",
    ),
    ("my.yaml", "any", "your own: generators and/or lie"),
)


def catalogue() -> tuple[tuple[str, str, str], ...]:
    """(names, dimension, what it is), for listings."""
    rows = [row for family in families() for row in family.rows]
    return (*rows, *OTHER_ROWS)


def parse_group(text: str, dim: int | None = None, limit: int = DEFAULT_LIMIT) -> Group:
    """A group by name.

    >>> parse_group("D8").order, parse_group("D4", dim=3).dim, parse_group("m-3m").order
    (16, 3, 48)

    Parameters
    ----------
    text : str
        A name such as ``D8``, ``SO(3)``, ``m-3m``, ``SO(3) x inversion``.
    dim : int, optional
        The dimension, where the name of the group leaves it open (``C4``, ``D4``).
    limit : int
        Largest finite group that is made.

    Returns
    -------
    Group
        The group, by its generators.

    Raises
    ------
    UnknownNameError
        No such name; the message offers the nearest ones.
    ParseError
        The text does not follow the grammar; the message points at the place.
    """
    require_type(text, str, "a group", "a name such as D8, SO(3) or Oh")
    require_type(dim, (int, type(None)), "dim", "a whole number, or None")
    require_type(limit, int, "the limit on elements", "a whole number")
    known = tuple(family.name for family in families())
    return _parsed(text.strip(), dim, limit, known)


@remembered
def _parsed(text: str, dim: int | None, limit: int, known: tuple[str, ...]) -> Group:
    """``known`` are the registered families: with another one the same text may mean something else."""
    if not text:
        raise SpecError("the group is empty: give a name such as D8, SO(3) or Oh")
    if len(text) > MAX_TEXT:
        raise SpecError(
            f"a group name of {len(text)} characters: give a name such as D8, SO(3) or Oh"
        )
    texts = [text.strip()]
    if "x" in text:
        texts = [f.strip() for f in re.split(r"\s+x\s+", text)]
    if len(texts) == 1:
        result = _factor(Wish(text, dim, limit))
    else:
        shared = _shared_dim(texts, dim, limit)
        factors = [_factor(Wish(f, shared, limit)) for f in texts]
        result = _product(factors, limit)
    if dim is not None and result.dim != dim:
        raise GroupError(
            f"{text} acts in dimension {result.dim}, not {dim}: leave out dim= or choose another group"
        )
    return result


def _shared_dim(factors: list[str], dim: int | None, limit: int) -> int | None:
    """The dimension of a product: as asked for, or that of the first factor that has one of its own."""
    if dim is not None:
        return dim
    follows = {text for family in families() for text in family.any_dim}
    for factor in factors:
        if factor not in follows:
            return _factor(Wish(factor, None, limit)).dim
    return None


def _factor(wish: Wish) -> Group:
    # the first family that knows the notation decides
    for family in families():
        group = family.read(wish)
        if group is not None:
            return group
    known = [word for family in families() for word in family.words]
    raise UnknownNameError("group", wish.text, known, "(pdobasis groups lists them)")


def _product(groups: list[Group], limit: int) -> Group:
    name = " x ".join(g.name for g in groups)
    dims = sorted({g.dim for g in groups})
    if len(dims) > 1:
        listed = ", ".join(map(str, dims))
        raise GroupError(f"{name}: the factors act in different dimensions ({listed})")
    for a, b in combinations(groups, 2):
        _require_commuting(name, a, b)
    result = Group(
        name,
        groups[0].dim,
        tuple(m for g in groups for m in g.generators),
        _different([label for g in groups for label in g.labels]),
        tuple(x for g in groups for x in g.lie),
        CatalogueTerm("product", tuple(g.name for g in groups)),
    )
    if result.is_finite:
        require_closing(result, limit)
        _require_direct(result, groups)
    else:
        _require_apart(name, groups)
    return result


def _require_commuting(name: str, a: Group, b: Group) -> None:
    """Generators that commute suffice: so do their products, and the exponentials of their Lie algebras."""
    for u in (*a.generators, *a.lie):
        for v in (*b.generators, *b.lie):
            if not commutes(u, v):
                raise GroupError(
                    f"{name}: {a.name} and {b.name} do not commute, so this is no direct product"
                )


def _different(labels: list[str]) -> tuple[str, ...]:
    """Labels that several factors use get the number of their place."""
    out = []
    for place, label in enumerate(labels, start=1):
        if labels.count(label) > 1:
            label = f"{label}{place}"
        out.append(label)
    return tuple(out)


def _require_direct(result: Group, groups: list[Group]) -> None:
    # factors that commute make a direct product if and only if no element is lost
    expected = prod(len(closure(g)) for g in groups)
    found = len(closure(result))
    if expected != found:
        raise GroupError(
            f"{result.name}: the factors share elements (the group has {found}, a direct product would "
            f"have {expected}); name the group itself"
        )


def _require_apart(name: str, groups: list[Group]) -> None:
    """Of continuous factors: no common Lie generators, and no element of a finite factor in a continuous one."""
    from pdobasis.groups.membership import exact_rank

    total = [x for g in groups for x in g.lie]
    # a linear relation between Lie generators is an element that two factors share
    if exact_rank(stack([x.reshape(x.size) for x in total])) < len(total):
        raise GroupError(
            f"{name}: the Lie algebras of the factors share elements; name the group itself"
        )
    for continuous in (g for g in groups if g.lie):
        family = family_of(continuous)
        if family is None or family.contains is None:
            continue
        for other in (g for g in groups if g is not continuous):
            # all but the identity, which comes first
            shared = [
                m for m in other.discrete.elements[1:] if family.contains(continuous, m)
            ]
            if shared:
                raise GroupError(
                    f"{name}: factors share elements ({continuous.name} has {len(shared)} of {other.name}), so this "
                    "is no direct product; name the group itself"
                )
