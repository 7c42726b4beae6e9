"""Names of groups: text to :class:`Group`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from pdobasis.errors import GroupError, SpecError, UnknownNameError
from pdobasis.exact.text import parse_number
from pdobasis.groups import classical, planar, point
from pdobasis.groups.closure import closure, commutes
from pdobasis.groups.group import DEFAULT_LIMIT, Group

MAX_DIM = 24

_INDEXED = re.compile(r"([CDS])_?(\d+)([vhd]?)(?:\((.*)\))?$")
_CALL = re.compile(r"([A-Za-z]+\+?)(?:\((.*)\))?$")

CATALOGUE: tuple[tuple[str, str, str], ...] = (
    ("C4, C8, C<N>", "2", "rotations by 2pi/N; any N >= 1"),
    ("D4, D8(pi/8), D<N>", "2", "C_N and reflections (2N elements); optional angle of the mirror line"),
    (
        "flip, flip(pi/4), flip(normal=1,1,0)",
        "2, any",
        "one reflection; optional angle of the mirror line, or its normal",
    ),
    ("trivial(d)", "any", "the identity alone"),
    ("inversion(d)", "any", "x -> -x"),
    ("SO(2), O(2), O(2,pi/4)", "2", "rotations; with reflections (optional mirror line)"),
    ("SO(d), O(d)", "any", "orthogonal groups"),
    ("SO(p,q), SO+(p,q), O(p,q)", "p+q", "preserving diag(+1 p times, -1 q times); SO+ is connected"),
    ("SL(d), GL(d), Sp(2n)", "any", "linear and symplectic groups"),
    ("scaling(w1,...,wd)", "any", "x_i -> t^w_i x_i, t > 0"),
    ("C4v C4h D4h D2d S4 ... (any n), C4, D4 with --dim 3", "3", "axial point groups, Schoenflies"),
    ("Cs Ci T Td Th O Oh I Ih", "3", "the other point groups"),
    ("4mm -43m m-3m ... (all 32)", "3", "crystal classes, Hermann-Mauguin"),
    ("A x B", "", "direct product of commuting groups, e.g. SO(3) x inversion, C4 x scaling"),
    ("my.yaml", "any", "your own: generators and/or lie"),
)
"""(names, dimension, what it is), for listings."""

_WORDS = ("flip", "trivial", "inversion", "SO", "O", "SO+", "SL", "GL", "Sp", "scaling")
KNOWN = (*_WORDS, *point.POLYHEDRAL_NAMES, *point.HERMANN_MAUGUIN, "C4", "D8", "C16", "SO(2)", "O(2)", "SO(3)", "O(3)",
         "C4v", "D4h", "D2d", "SO(1,3)", "O(1,3)", "SL(2)", "GL(2)", "Sp(4)")  # fmt: skip


@lru_cache(maxsize=256)
def parse_group(text: str, dim: int | None = None, limit: int = DEFAULT_LIMIT) -> Group:
    """A group by name.

    >>> parse_group("D8").order, parse_group("D4", dim=3).dim, parse_group("m-3m").order
    (16, 3, 48)
    """
    text = text.strip()
    if not text:
        raise SpecError("the group is empty: give a name such as D8, SO(3) or Oh")
    if len(text) > 200:
        raise SpecError(f"a group name of {len(text)} characters: give a name such as D8, SO(3) or Oh")
    factors = re.split(r"\s+x\s+", text)
    sized = dim
    if len(factors) > 1 and sized is None:
        sized = next((g.dim for f in factors if (g := _try(f, limit)) is not None), None)
    groups = [_factor(f.strip(), sized, limit) for f in factors]
    result = groups[0] if len(groups) == 1 else _product(groups, limit)
    if dim is not None and result.dim != dim:
        raise GroupError(f"{text} acts in dimension {result.dim}, not {dim}: leave out --dim or choose another group")
    return replace(result, limit=limit)


def _try(text: str, limit: int) -> Group | None:
    """A factor that fixes the dimension by itself, for the others to follow."""
    if text.strip() in ("inversion", "scaling", "trivial", "flip"):
        return None
    return _factor(text.strip(), None, limit)


def _factor(text: str, dim: int | None, limit: int) -> Group:
    if text in point.HERMANN_MAUGUIN:
        return point.hermann_mauguin(text)
    if text in point.POLYHEDRAL_NAMES:
        return point.polyhedral_group(text)
    if match := _INDEXED.match(text):
        return _indexed(text, match, dim, limit)
    if (match := _CALL.match(text)) and match.group(1) in _WORDS:
        name, arguments = match.group(1), match.group(2)
        parts = [a.strip() for a in arguments.split(",")] if arguments and arguments.strip() else []
        return _BUILDERS[name](text, parts, dim)
    raise UnknownNameError("group", text, KNOWN, "(pdobasis groups lists them)")


def _indexed(text: str, match: re.Match[str], dim: int | None, limit: int) -> Group:
    letter, digits, suffix, axis = match.groups()
    if len(digits) > 7:
        raise GroupError(f"{letter}{digits[:6]}...: the number is absurdly large; at most {limit} elements are made")
    n = int(digits)
    if n < 1:
        raise GroupError(f"{text}: the rotation order has to be at least 1")
    least = n * (1 if letter in "CS" and not suffix else 2)
    if least > limit:
        raise GroupError(
            f"{text} has at least {least} elements, beyond the limit of {limit} (--max-elements raises it)"
        )
    spatial = bool(suffix) or letter == "S" or dim == 3
    if not spatial and dim not in (None, 2):
        raise GroupError(f"{text} acts in dimension 2 or 3, not {dim}")
    if axis is not None and (spatial or letter != "D"):
        raise SpecError(f"{text}: a mirror angle goes with the planar D_N and flip, as in D{n}(pi/4)")
    if not spatial:
        return planar.cyclic(n) if letter == "C" else planar.dihedral(n, _turns(axis or "0"))
    group = point.schoenflies(letter, n, suffix)
    if group is None:
        hint = f"; for odd n this is C{n}h" if letter == "S" and n % 2 else ""
        raise UnknownNameError("point group", text, KNOWN, f"(C_n, C_nv, C_nh, D_n, D_nh, D_nd, S_2n{hint})")
    return group


def _turns(text: str) -> Fraction:
    """An angle such as pi/4, in multiples of pi."""
    match = re.fullmatch(r"(-?)([0-9]{0,6})\*?pi(?:/([1-9][0-9]{0,5}))?", text.replace(" ", ""))
    if match is None and text.strip() != "0":
        raise SpecError(f"cannot read the angle {text!r}: write a multiple of pi such as pi/4 or 3*pi/8")
    if match is None:
        return Fraction(0)
    sign, top, bottom = match.groups()
    return Fraction(int(f"{sign}{top or 1}"), int(bottom or 1)) % 1


def _whole(text: str, parts: list[str], count: int, low: int = 1) -> list[int]:
    if len(parts) != count or not all(p.isascii() and p.isdigit() for p in parts):
        example = {1: "SO(3)", 2: "SO(1,3)"}[count]
        raise SpecError(f"{text}: expected {count} whole number{'s' * (count > 1)} in brackets, as in {example}")
    values = [int(p[:6]) for p in parts]
    if any(v < low for v in values) or sum(values) > MAX_DIM:
        raise GroupError(f"{text}: the dimension has to be from {max(low, 1)} to {MAX_DIM}")
    return values


def _orthogonal(text: str, parts: list[str], dim: int | None) -> Group:
    special = text.startswith("S")
    if text.startswith("SO+"):
        p, q = _whole(text, parts, 2)
        return classical.indefinite(p, q, name="SO+")
    if len(parts) == 2 and parts[0] == "2" and "pi" in parts[1] and not special:
        return planar.o2(_turns(parts[1]))
    if len(parts) == 2:
        p, q = _whole(text, parts, 2, low=0)
        if p and q:
            return classical.indefinite(p, q, name="SO" if special else "O")
        parts = [str(p + q)]
    (d,) = _whole(text, parts, 1)
    return classical.special_orthogonal(d) if special else classical.orthogonal(d)


def _flip(text: str, parts: list[str], dim: int | None) -> Group:
    if not parts:
        return planar.flip() if dim in (None, 2) else planar.flip_normal([0] * (dim - 1) + [1])
    if parts[0].startswith("normal="):
        entries = [parts[0].removeprefix("normal="), *parts[1:]]
        if not all(re.fullmatch(r"-?\d{1,6}", e) for e in entries) or len(entries) > MAX_DIM:
            raise SpecError(f"{text}: the normal is a list of whole numbers, as in flip(normal=1,-1,0)")
        normal = [int(e) for e in entries]
        if not any(normal):
            raise GroupError(f"{text}: the normal must not be zero")
        return planar.flip_normal(normal)
    if len(parts) != 1:
        raise SpecError(f"{text}: expected one angle, as in flip(pi/4), or flip(normal=1,-1,0)")
    return planar.flip(_turns(parts[0]))


def _scaling(text: str, parts: list[str], dim: int | None) -> Group:
    if not parts:
        return classical.scaling([Fraction(1)] * (dim or 2))
    if len(parts) > MAX_DIM:
        raise GroupError(f"scaling: at most {MAX_DIM} weights")
    return classical.scaling([parse_number(p).fraction() if _rational(p) else _bad_weight(p) for p in parts])


def _rational(text: str) -> bool:
    return re.fullmatch(r"-?\d{1,9}(/[1-9]\d{0,8})?", text) is not None


def _bad_weight(text: str) -> Fraction:
    raise SpecError(f"scaling: the weight {text!r} is not a rational number such as 1 or 1/2")


def _symplectic(text: str, parts: list[str], dim: int | None) -> Group:
    (d,) = _whole(text, parts, 1)
    if d % 2:
        raise GroupError(f"{text}: the symplectic group needs an even dimension, as in Sp({d + 1})")
    return classical.symplectic(d)


def _of_dim(build: Callable[[int], Group]) -> Callable[[str, list[str], int | None], Group]:
    def builder(text: str, parts: list[str], dim: int | None) -> Group:
        return build(_whole(text, parts, 1)[0] if parts else (dim or 2))

    return builder


_BUILDERS: dict[str, Callable[[str, list[str], int | None], Group]] = {
    "SO": _orthogonal,
    "O": _orthogonal,
    "SO+": _orthogonal,
    "flip": _flip,
    "scaling": _scaling,
    "Sp": _symplectic,
    "trivial": _of_dim(classical.trivial),
    "inversion": _of_dim(classical.inversion),
    "SL": lambda text, parts, dim: classical.special_linear(_whole(text, parts, 1)[0]),
    "GL": lambda text, parts, dim: classical.general_linear(_whole(text, parts, 1)[0]),
}


def _product(groups: list[Group], limit: int) -> Group:
    name = " x ".join(g.name for g in groups)
    dims = {g.dim for g in groups}
    if len(dims) > 1:
        raise GroupError(f"{name}: the factors act in different dimensions ({', '.join(map(str, sorted(dims)))})")
    for i, a in enumerate(groups):
        for b in groups[i + 1 :]:
            pairs = [(u, v) for u in (*a.generators, *a.lie) for v in (*b.generators, *b.lie)]
            if not all(commutes(u, v) for u, v in pairs):
                raise GroupError(f"{name}: {a.name} and {b.name} do not commute, so this is no direct product")
    labels = [label for g in groups for label in g.labels]
    unique = [x if labels.count(x) == 1 else f"{x}{k + 1}" for k, x in enumerate(labels)]
    result = Group(
        name,
        groups[0].dim,
        tuple(m for g in groups for m in g.generators),
        tuple(unique),
        tuple(x for g in groups for x in g.lie),
        limit=limit,
    )
    if all(g.is_finite for g in groups):
        expected = 1
        for g in groups:
            expected *= len(closure(g))
        if expected != len(closure(result)):
            raise GroupError(
                f"{name}: the factors share elements (the group has {len(closure(result))}, a direct product would "
                f"have {expected}); name the group itself"
            )
    return result
