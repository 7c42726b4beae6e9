r"""The little LaTeX that labels and notes are written in, as MathML.

>>> mathml(r"\psi_{1,k}")
'<msub><mi>ψ</mi><mrow><mn>1</mn><mo>,</mo><mi>k</mi></mrow></msub>'
"""

from __future__ import annotations

import re
from functools import cache

from pdobasis_tables.formula import Formula, escape_html, symbol

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+|[^\s]")
_OPERATORS = {
    r"\le": "≤", r"\to": "→", r"\in": "∈", r"\mapsto": "↦", r"\circ": "∘", r"\emptyset": "∅", r"\quad": " ",
    r"\{": "{", r"\}": "}", r"\dots": "…", r"\times": "×", r"\cdot": "⋅", r"\mid": "|", r"\;": " ", r"\,": " ",
    "'": "′", "<": "&lt;", ">": "&gt;", r"\sum": "∑", "/": "/",
}  # fmt: skip
_LETTERS = {
    r"\psi": "ψ", r"\rho": "ρ", r"\Delta": "Δ", r"\partial": "∂", r"\mu": "μ", r"\ell": "ℓ", r"\theta": "θ",
    r"\varphi": "φ", r"\pi": "π", r"\chi": "χ",
}  # fmt: skip
_FUNCTIONS = {r"\cos": "cos", r"\sin": "sin"}
_OPENING = ("(", "=", "{", ",", r"\le", "<", ">")
"""A minus behind one of these is a sign."""
NO_BREAK = "\u00a0"
"""A space that is not lost at the border of a text."""
_PARENTHESES = {
    "(": '<mo form="prefix" stretchy="false">(</mo>',
    ")": '<mo form="postfix" stretchy="false">)</mo>',
}
_BLACKBOARD = {"N": "ℕ", "Z": "ℤ", "R": "ℝ"}
_BESIDE = {"_": "msub", "^": "msup", "_^": "msubsup"}
_UNDER = {"_": "munder", "^": "mover", "_^": "munderover"}
_ONE = {r"\mathbb", r"\hat", r"\text", r"\mathrm", r"\PDOT", r"\PDOU"}
_TWO = {r"\tfrac", r"\frac", r"\binom"}


@cache
def formula(latex: str) -> Formula:
    """A label or a piece of a note, whole."""
    plain = re.sub(r"\\[A-Za-z]+|[{}_^]", "*", latex)
    return symbol(latex, mathml(latex), len(plain.replace("*", "")) + plain.count("*") // 3)


def sentence(text: str) -> tuple[str | Formula, ...]:
    """Words, with formulas between dollars."""
    pieces = re.split(r"\$", text)
    return tuple(formula(piece) if k % 2 else piece for k, piece in enumerate(pieces) if piece)


def mathml(latex: str) -> str:
    return _Reader(_text_kept(latex)).row()


def _text_kept(latex: str) -> list[str]:
    r"""Tokens, with the whole of \text{…} as one."""
    out: list[str] = []
    for k, piece in enumerate(re.split(r"\\text\{([^}]*)\}", latex)):
        out += [r"\text", piece] if k % 2 else _TOKEN.findall(piece)
    return out


class _Reader:
    """Reads tokens from left to right; a script binds to the atom before it."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def row(self, end: str = "") -> str:
        atoms: list[str] = []
        while self.at < len(self.tokens) and self.tokens[self.at] != end:
            atoms.append(self._scripted())
        self.at += 1
        return "".join(atoms)

    def _scripted(self) -> str:
        base = "<mrow></mrow>" if self.tokens[self.at] in "_^" else self._atom()
        scripts: dict[str, str] = {}
        while self.at < len(self.tokens) and self.tokens[self.at] in "_^":
            kind = self._next()
            scripts[kind] = _grouped(self._atom())
        if not scripts:
            return base
        kinds = "".join(sorted(scripts, reverse=True))
        tag = (_UNDER if "∑" in base else _BESIDE)[kinds]
        return f"<{tag}>{_grouped(base)}{scripts.get('_', '')}{scripts.get('^', '')}</{tag}>"

    def _atom(self) -> str:
        token = self._next()
        if token == "{":
            return self.row("}")
        if token in _ONE:
            return self._one(token)
        if token in _TWO:
            first, second = _grouped(self._atom()), _grouped(self._atom())
            if token == r"\binom":
                return f'<mrow><mo>(</mo><mfrac linethickness="0">{first}{second}</mfrac><mo>)</mo></mrow>'
            return f"<mfrac>{first}{second}</mfrac>"
        if token == "-":
            before = self.tokens[self.at - 2] if self.at > 1 else "("
            return "<mo form='prefix'>−</mo>" if before in _OPENING else "<mo>−</mo>"
        if token in _FUNCTIONS:
            return f"<mspace width='0.17em'/><mi>{_FUNCTIONS[token]}</mi><mspace width='0.17em'/>"
        if token in _LETTERS:
            return f"<mi>{_LETTERS[token]}</mi>"
        if token in _OPERATORS:
            return f"<mo>{_OPERATORS[token]}</mo>"
        if token in _PARENTHESES:
            return _PARENTHESES[token]
        tag = "mn" if token.isdigit() else "mi" if token.isalpha() else "mo"
        return f"<{tag}>{escape_html(token)}</{tag}>"

    def _one(self, token: str) -> str:
        if token == r"\text":
            return f"<mtext>{escape_html(self._next()).replace(' ', NO_BREAK)}</mtext>"
        if token == r"\mathbb":
            letter = re.sub(r"<[^>]*>", "", self._atom())
            return f"<mi>{_BLACKBOARD[letter]}</mi>"
        inner = self._atom()
        if token == r"\hat":
            return f"<mover>{_grouped(inner)}<mo>^</mo></mover>"
        if token == r"\mathrm":
            return f'<mi mathvariant="normal">{re.sub(r"<[^>]*>", "", inner)}</mi>'
        return f'<msub><mi mathvariant="normal">{token[-1]}</mi>{_grouped(inner)}</msub>'

    def _next(self) -> str:
        token = self.tokens[self.at]
        self.at += 1
        return token


def _grouped(inner: str) -> str:
    """One element, as scripts and fractions need it."""
    single = re.fullmatch(r"<(\w+)(?: [^>]*)?>[^<]*</\1>", inner)
    return inner if single or (inner.startswith("<mrow>") and inner.count("<mrow>") == 1) else f"<mrow>{inner}</mrow>"
