"""An equation that was found: terms with coefficients, standard errors and frequencies, as text, LaTeX and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pdobasis.nonlinear.result import Term


@dataclass(frozen=True, eq=False)
class FoundTerm:
    """``frequency``: in which part of random halves of the data the term was chosen; None where none were taken."""

    term: Term
    coefficient: float
    standard_error: float
    frequency: float | None

    @property
    def text(self) -> str:
        return self.term.text

    def as_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "coefficient": self.coefficient,
            "standard_error": self.standard_error,
            "frequency": self.frequency,
        }


@dataclass(frozen=True)
class Size:
    """The best model of one number of terms: J, and information criteria with -2 log L = n J; less is better."""

    terms: tuple[str, ...]
    noise_ratio: float
    aic: float
    bic: float
    ebic: float
    chosen: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Equation:
    """∂_t of one field; ``every`` lists all candidates, those that were not chosen with coefficient 0."""

    target: str
    indices: str
    every: tuple[FoundTerm, ...]
    unexplained: float
    """What is left of ∂_t, as a part of it (root of mean squares)."""
    noise_ratio: float
    """J: what is left, compared with what noise alone would leave; near 1 when the equation is true."""
    noise: dict[str, float]
    """Standard deviation of the noise of every field, as a part of that of the field."""
    form: str
    group: str
    settings: dict[str, Any] = field(default_factory=dict)
    sizes: tuple[Size, ...] = ()
    """By number of terms, up to two more than were chosen."""

    @property
    def terms(self) -> tuple[FoundTerm, ...]:
        """Those that were chosen."""
        return tuple(t for t in self.every if t.coefficient)

    @property
    def text(self) -> str:
        """∂_t u_i = -0.998 u_j ∂_j u_i + 0.0501 ∂_j ∂_j u_i."""
        return f"∂_t {self.target}{self.indices} = {_sum(self.terms, False)}"

    @property
    def latex(self) -> str:
        name = self.target if len(self.target) == 1 else rf"\mathrm{{{self.target}}}"
        if self.indices:
            name = f"{name}_{{{self.indices[1:]}}}"
        return rf"\partial_t {name} = {_sum(self.terms, True)}"

    @property
    def is_explained(self) -> bool:
        """Whether what is left is small, or no more than noise leaves."""
        return bool(self.terms) and (self.unexplained < 0.1 or self.noise_ratio < 2)

    def as_json(self, every: bool = False) -> dict[str, Any]:
        listed = self.every if every else self.terms
        return {
            "equation": self.text,
            "terms": [t.as_json() for t in listed],
            "target": self.target,
            "latex": self.latex,
            "candidates": len(self.every),
            "unexplained": self.unexplained,
            "noise_ratio": self.noise_ratio,
            "noise": self.noise,
            "form": self.form,
            "group": self.group,
            "settings": self.settings,
            "sizes": [size.as_json() for size in self.sizes],
        }

    def __repr__(self) -> str:
        return f"<Equation {self.text}>"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    def __str__(self) -> str:
        return self.text


def _sum(terms: Sequence[FoundTerm], latex: bool) -> str:
    if not terms:
        return "0"
    parts = []
    space = r" \, " if latex else " "
    for t in terms:
        text = t.term.latex() if latex else t.text
        if " + " in text or " - " in text:
            text = f"({text})"
        sign = "-" if t.coefficient < 0 else "+"
        number = rounded(abs(t.coefficient), t.standard_error)
        if latex:
            number = _power_of_ten(number)
        if text == "1":
            parts.append(f"{sign} {number}")
        else:
            parts.append(f"{sign} {number}{space}{text}")
    joined = " ".join(parts)
    if joined.startswith("+ "):
        return joined[2:]
    return "-" + joined[2:]


def rounded(value: float, error: float) -> str:
    """As many digits as the error leaves, three to six.

    >>> rounded(0.0500123, 0.00004), rounded(0.998, 0.2), rounded(1.0, 0.0)
    ('0.05001', '0.998', '1')
    """
    digits = 3
    while digits < 6 and 0 < error < abs(value) * 10.0 ** (-digits):
        digits += 1
    return f"{value:.{digits}g}"


def _power_of_ten(number: str) -> str:
    base, sign, power = number.partition("e")
    if not sign:
        return number
    return rf"{base} \cdot 10^{{{int(power)}}}"
