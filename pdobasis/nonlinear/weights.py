r"""Dimensional analysis: a grading of fields, space and time, which is a group of scalings.

$u_a \to s^{w_a} u_a$, $x \to s^{w_x} x$, $t \to s^{w_t} t$ multiplies a term by $s$ to the sum of its weights; a term
is kept when that is the weight of the output.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pdobasis.errors import SpecError, UnknownNameError, require_type

if TYPE_CHECKING:
    from pdobasis.nonlinear.question import Multidegree, TermsQuestion


@dataclass(frozen=True, slots=True)
class Scaling:
    """Weights of every field, of lengths (x), times (t) and of the output."""

    fields: tuple[tuple[str, Fraction], ...]
    length: Fraction
    duration: Fraction
    out: Fraction

    def allows(self, question: TermsQuestion, m: Multidegree) -> bool:
        own = dict(self.fields)
        total = Fraction(0)
        for jet, power in m.factors:
            weight = own[question.fields[jet.field].name]
            # a derivative divides by a length, or by a time
            weight -= jet.order * self.length + jet.time * self.duration
            total += power * weight
        return total == self.out

    def to_json(self) -> dict[str, str]:
        out = {name: str(value) for name, value in self.fields}
        return {
            **out,
            "x": str(self.length),
            "t": str(self.duration),
            "out": str(self.out),
        }


def parse_scaling(
    weights: Mapping[str, int | Fraction | str] | str, fields: Sequence[str]
) -> Scaling:
    """From ``u=1,p=2,x=-1,t=-2,out=3`` or the same as a mapping; what is not named has weight 0.

    >>> parse_scaling("u=1, x=1, t=0, out=1/2", ["u"]).out
    Fraction(1, 2)
    """
    if isinstance(weights, str):
        pairs = [_pair(part) for part in weights.split(",")]
        weights = dict(pairs)
        if len(weights) < len(pairs):
            raise SpecError("a weight is given twice")
    require_type(
        weights, Mapping, "weights", "a text such as u=1,x=-1, or a mapping of them"
    )
    known = (*fields, "x", "t", "out")
    own: dict[str, Fraction] = {}
    for name, value in weights.items():
        if name not in known:
            raise UnknownNameError(
                "name in the weights", name, known, f"(known: {', '.join(known)})"
            )
        own[name] = _fraction(name, value)
    if "out" not in own:
        raise SpecError("the weights need that of the output, as in u=1,x=-1,out=2")
    zero = Fraction(0)
    return Scaling(
        tuple((name, own.get(name, zero)) for name in fields),
        own.get("x", zero),
        own.get("t", zero),
        own["out"],
    )


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise SpecError(f"a weight is written as name=number, got {text.strip()!r:.40}")
    return name.strip(), value.strip()


def _fraction(name: str, value: int | Fraction | str) -> Fraction:
    try:
        if isinstance(value, bool | float):
            raise ValueError
        return Fraction(value) if not isinstance(value, str) else fraction_of(value)
    except (ValueError, TypeError, ZeroDivisionError):
        raise SpecError(
            f"the weight of {name} is a fraction such as 1, -2 or 1/2, got {value!r:.40}"
        ) from None


def fraction_of(text: str) -> Fraction:
    """A fraction that somebody wrote; no exponents, since 1e999999999 would fill the memory.

    >>> fraction_of("-1/2"), fraction_of("0.25")
    (Fraction(-1, 2), Fraction(1, 4))
    """
    if not _FRACTION.fullmatch(text.strip()):
        raise ValueError(text)
    return Fraction(text.strip())


_FRACTION = re.compile(r"[+-]?[0-9]{1,18}([/.][0-9]{1,18})?")
