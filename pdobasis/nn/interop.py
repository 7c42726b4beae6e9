r"""Field types of e2cnn, escnn and e3nn.

Theirs become representations of ours with *their* matrices, so tensors can be shared channel by channel: the order of
the elements of a regular representation, the basis of an irrep and the mirror axis (theirs is vertical unless told
otherwise) all come along. Their images have x2 growing upwards: use ``layout="image"``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import atan2, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray, matrix
from pdobasis.exact.roots import cosine
from pdobasis.groups import planar
from pdobasis.groups.classical import turns_space
from pdobasis.groups.group import Group
from pdobasis.layers.arguments import fields_of
from pdobasis.layers.errors import LayerError
from pdobasis.question.field_type import FieldType
from pdobasis.representations.checks import require_representation
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.representation import Representation, from_matrices
from pdobasis.representations.terms import Determinant, Trivial, Vector

CLOSE = 1e-5
"""Their numbers are floats; what they are meant to be is looked up and then proved."""
SAMPLES = 128


@dataclass(frozen=True, slots=True)
class _Theirs:
    """Our group, their elements for its generators, and their element for a rotation, if rotations are continuous."""

    group: Group
    elements: tuple[Any, ...]
    turn: Callable[[float], Any] | None = None


def from_e2cnn(field_type: Any) -> FieldType:
    """The field type of e2cnn (``e2cnn.nn.FieldType``) as one of ours.

    Parameters
    ----------
    field_type : e2cnn.nn.FieldType
        Theirs; e2cnn itself is not imported.

    Returns
    -------
    FieldType
        With their matrices, so that tensors can be shared.

    Raises
    ------
    LayerError
        A group that is none of the plane.

    Examples
    --------
    >>> from e2cnn import gspaces, nn  # doctest: +SKIP
    >>> turns = gspaces.Rot2dOnR2(4)  # doctest: +SKIP
    >>> from_e2cnn(nn.FieldType(turns, 2 * [turns.regular_repr])).size  # doctest: +SKIP
    8
    """
    return _convert(field_type, "e2cnn")


def from_escnn(field_type: Any) -> FieldType:
    """The field type of escnn (``escnn.nn.FieldType``, groups of the plane) as one of ours.

    Parameters
    ----------
    field_type : escnn.nn.FieldType
        Theirs; escnn itself is not imported.

    Returns
    -------
    FieldType
        With their matrices, so that tensors can be shared.

    Raises
    ------
    LayerError
        A group that is none of the plane.

    Examples
    --------
    >>> from escnn import gspaces, nn  # doctest: +SKIP
    >>> turns = gspaces.rot2dOnR2(4)  # doctest: +SKIP
    >>> from_escnn(nn.FieldType(turns, 2 * [turns.regular_repr])).size  # doctest: +SKIP
    8
    """
    return _convert(field_type, "escnn")


def to_e3nn(field_type: FieldType) -> str:
    """The irreps string of e3nn for fields of O(3) or SO(3), as in ``2x0e+1x1o``.

    Vectors and irreps in the e3nn convention (the default) have e3nn's components in e3nn's order. On SO(3), where
    parity says nothing, each irrep gets its natural one.

    Parameters
    ----------
    field_type : FieldType
        Of O(3) or SO(3).

    Returns
    -------
    str
        For ``e3nn.o3.Irreps``.

    Raises
    ------
    LayerError
        A summand that e3nn has no name for.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> to_e3nn(field_type("2xtrivial + vector", "O(3)"))
    '2x0e+1x1o'
    """
    return "+".join(
        f"{n}x{_e3nn_name(rep)}" for rep, n in fields_of(field_type, "to_e3nn").terms
    )


def _convert(field_type: Any, library: str) -> FieldType:
    try:
        theirs = _describe(field_type.gspace, library)
        listed = list(field_type.representations)
    except AttributeError as error:
        raise LayerError(f"this is not a field type of {library}: {error}") from None
    known: dict[str, Representation] = {}
    for rep in listed:
        if rep.name not in known:
            known[rep.name] = _representation(rep, theirs, library)
    return FieldType.of(known[rep.name] for rep in listed)


def _describe(gspace: Any, library: str) -> _Theirs:
    """By the class of their group; the mirror axis from the way it acts on the plane."""
    group = gspace.fibergroup
    # Elements of escnn are objects that the group makes, those of e2cnn plain numbers and tuples.
    make = getattr(group, "element", lambda value: value)
    kind = type(group).__name__
    if kind == "CyclicGroup":
        order = int(group.order())
        if order == 2 and _is_flip(gspace, make):
            return _Theirs(planar.flip(_axis(gspace, make(1))), (make(1),))
        return _Theirs(planar.cyclic(order), (make(1 % order),))
    if kind == "DihedralGroup":
        flip = make((1, 0))
        n = int(group.rotation_order)
        return _Theirs(
            planar.dihedral(n, _axis(gspace, flip)), (make((0, 1 % n)), flip)
        )
    if kind == "SO2":
        return _Theirs(planar.so2(), (), make)
    if kind == "O2":
        flip = make((1, 0.0))
        return _Theirs(
            planar.o2(_axis(gspace, flip)), (flip,), lambda angle: make((0, angle))
        )
    raise LayerError(
        f"{kind} of {library} is not known here: C_N, D_N, flips, SO(2) and O(2) of the plane are"
    )


def _is_flip(gspace: Any, make: Callable[[Any], Any]) -> bool:
    if hasattr(gspace, "basespace_action"):
        return bool(np.linalg.det(gspace.basespace_action(make(1))) < 0)
    return getattr(gspace, "axis", None) is not None


def _axis(gspace: Any, flip: Any) -> Fraction:
    """The angle of the mirror line in multiples of pi."""
    if hasattr(gspace, "basespace_action"):
        m = gspace.basespace_action(flip)
        # The reflection at the line of angle a has the first column (cos 2a, sin 2a).
        angle = atan2(float(m[1, 0]), float(m[0, 0])) / 2
    else:
        angle = float(gspace.axis)
    return Fraction(angle / pi).limit_denominator(720) % 1


def _representation(rep: Any, theirs: _Theirs, library: str) -> Representation:
    spec = f"{library}({rep.name})"
    shape = planar.planar_shape(theirs.group)
    turns = 2
    if shape is not None:
        turns = max(shape.turns, 2)
    # sin x = cos(pi/2 - x): among the multiples of pi/2N are the sines of multiples of 2 pi/N, too.
    steps = 2 * turns
    generators = tuple(
        _exact(np.asarray(rep(e), dtype=float), steps, spec) for e in theirs.elements
    )
    lie: tuple[ExactArray, ...] = ()
    if theirs.turn is not None:
        turn = theirs.turn
        lie = (
            _exact(
                _derivative(lambda t: np.asarray(rep(turn(t)), dtype=np.float64)),
                2,
                spec,
            ),
        )
    known = require_representation(theirs.group, spec, generators, lie)
    return from_matrices(
        theirs.group, spec, int(rep.size), generators, lie, own=True, hypothesis=known
    )


def _derivative(curve: Callable[[float], NDArray[np.float64]]) -> NDArray[np.float64]:
    """At 0, of a band-limited periodic function, from its Fourier coefficients."""
    # Exact, up to rounding, for frequencies below half the number of samples.
    values = np.stack([curve(2 * pi * k / SAMPLES) for k in range(SAMPLES)])
    frequencies = np.fft.fftfreq(SAMPLES, 1 / SAMPLES)[:, None, None]
    return np.asarray(
        (np.fft.fft(values, axis=0) * 1j * frequencies).sum(axis=0).real / SAMPLES
    )


def _exact(values: NDArray[np.float64], steps: int, spec: str) -> ExactArray:
    """Whole numbers and cosines of multiples of pi / steps, looked up by value."""
    angles = [Fraction(j, steps) for j in range(steps + 1)]
    table = np.array([np.cos(pi * float(a)) for a in angles])
    exact = [cosine(a) for a in angles]

    def number(value: float) -> ExactArray:
        if abs(value - round(value)) < CLOSE:
            return cosine(Fraction(0)).scale(round(value))
        k = int(np.abs(table - value).argmin())
        if abs(table[k] - value) > CLOSE:
            raise SpecError(
                f"{spec}: the entry {value:.6g} is no cosine of a multiple of pi/{steps}: give this representation as "
                "a sum of irreps, regular or quotient representations"
            )
        return exact[k]

    return matrix([[number(float(v)) for v in row] for row in values])


def _e3nn_name(rep: Representation) -> str:
    space = turns_space(rep.group)
    if space is None:
        raise LayerError(
            f"e3nn knows O(3) and SO(3), and {rep.spec} is a representation of {rep.group.name}"
        )
    term = rep.term
    if isinstance(term, Trivial):
        return "0e"
    if isinstance(term, Determinant):
        if space == "O":
            return "0o"
        return "0e"
    if isinstance(term, Vector):
        return "1o"
    if isinstance(term, Spherical) and (term.convention == "e3nn" or term.degree == 0):
        return f"{term.degree}{'eo'[term.parity]}"
    raise LayerError(
        f"{rep.spec} is not an irrep in e3nn's basis: write irrep(l), 1o, vector, trivial or det"
    )
