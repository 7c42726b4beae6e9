r"""The little LaTeX that labels and notes are written in, as MathML.

>>> mathml(r"\psi_{1,k}")
'<msub><mi>ψ</mi><mrow><mn>1</mn><mo>,</mo><mi>k</mi></mrow></msub>'
"""

from __future__ import annotations

import re

from pdobasis.bounds.caches import remembered
from pdobasis_tables.escape import escape_html
from pdobasis_tables.formula import Formula, symbol

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+|[^\s]")
_TEXT = re.compile(r"\\text\{([^}]*)\}")
_TAG = re.compile(r"<[^>]*>")
_SINGLE = re.compile(r"<(\w+)(?: [^>]*)?>[^<]*</\1>")
_OPERATORS = {
    r"\le": "≤",
    r"\to": "→",
    r"\in": "∈",
    r"\mapsto": "↦",
    r"\circ": "∘",
    r"\emptyset": "∅",
    r"\quad": " ",
    r"\{": "{",
    r"\}": "}",
    r"\dots": "…",
    r"\times": "×",
    r"\cdot": "⋅",
    r"\mid": "|",
    r"\;": " ",
    r"\,": " ",
    "'": "′",
    "<": "&lt;",
    ">": "&gt;",
    r"\sum": "∑",
    "/": "/",
}
_LETTERS = {
    r"\psi": "ψ",
    r"\rho": "ρ",
    r"\Delta": "Δ",
    r"\partial": "∂",
    r"\mu": "μ",
    r"\ell": "ℓ",
    r"\theta": "θ",
    r"\varphi": "φ",
    r"\pi": "π",
    r"\chi": "χ",
}
_FUNCTIONS = {
    r"\cos": "cos",
    r"\sin": "sin",
}
_OPENING = ("(", "=", "{", ",", r"\le", "<", ">")
"""A minus behind one of these is a sign."""
NO_BREAK = "\u00a0"
"""A space that is not lost at the border of a text."""
_THIN = "<mspace width='0.17em'/>"
_PARENTHESES = {
    "(": '<mo form="prefix" stretchy="false">(</mo>',
    ")": '<mo form="postfix" stretchy="false">)</mo>',
}
_BLACKBOARD = {"N": "ℕ", "Z": "ℤ", "R": "ℝ"}
_BESIDE = {"_": "msub", "^": "msup", "_^": "msubsup"}
_UNDER = {"_": "munder", "^": "mover", "_^": "munderover"}
_ONE = {r"\mathbb", r"\hat", r"\text", r"\mathrm", r"\PDOT", r"\PDOU"}
_TWO = {r"\tfrac", r"\frac", r"\binom"}


@remembered
def formula(latex: str) -> Formula:
    """A label or a piece of a note, whole."""
    plain = re.sub(r"\\[A-Za-z]+|[{}_^]", "*", latex)
    marks = plain.count("*")
    # a command with its braces is about one letter wide
    width = len(plain) - marks + marks // 3
    return symbol(latex, mathml(latex), width)


def sentence(text: str) -> tuple[str | Formula, ...]:
    """Words, with formulas between dollars."""
    out: list[str | Formula] = []
    for k, piece in enumerate(text.split("$")):
        # between the dollars stands every second piece
        is_formula = k % 2 == 1
        if piece and is_formula:
            out.append(formula(piece))
        elif piece:
            out.append(piece)
    return tuple(out)


def mathml(latex: str) -> str:
    return _Reader(_text_kept(latex)).row()


def _text_kept(latex: str) -> list[str]:
    r"""Tokens, with the whole of \text{…} as one."""
    out: list[str] = []
    # split at a pattern with one group: what the group caught is every second piece
    for k, piece in enumerate(_TEXT.split(latex)):
        if k % 2:
            out += [r"\text", piece]
        else:
            out += _TOKEN.findall(piece)
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
        # past the end itself
        self.at += 1
        return "".join(atoms)

    def _scripted(self) -> str:
        base = "<mrow></mrow>"
        if not self._at_script():
            base = self._atom()
        scripts: dict[str, str] = {}
        while self._at_script():
            kind = self._next()
            scripts[kind] = _grouped(self._atom())
        if not scripts:
            return base
        kinds = "".join(sorted(scripts, reverse=True))
        tags = _UNDER if "∑" in base else _BESIDE
        # MathML wants the index before the exponent, however they were written
        inner = _grouped(base) + scripts.get("_", "") + scripts.get("^", "")
        return f"<{tags[kinds]}>{inner}</{tags[kinds]}>"

    def _at_script(self) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at] in "_^"

    def _atom(self) -> str:
        token = self._next()
        if token == "{":
            return self.row("}")
        if token in _ONE:
            return self._one(token)
        if token in _TWO:
            return self._two(token)
        if token == "-":
            return self._minus()
        return _leaf(token)

    def _one(self, token: str) -> str:
        """A command with one argument."""
        if token == r"\text":
            words = escape_html(self._next())
            return f"<mtext>{words.replace(' ', NO_BREAK)}</mtext>"
        inner = self._atom()
        letters = _TAG.sub("", inner)
        match token:
            case r"\mathbb":
                return f"<mi>{_BLACKBOARD[letters]}</mi>"
            case r"\hat":
                return f"<mover>{_grouped(inner)}<mo>^</mo></mover>"
            case r"\mathrm":
                return f'<mi mathvariant="normal">{letters}</mi>'
        # \PDOT and \PDOU end in the letter that they stand for
        return (
            f'<msub><mi mathvariant="normal">{token[-1]}</mi>{_grouped(inner)}</msub>'
        )

    def _two(self, token: str) -> str:
        """A command with two arguments."""
        first = _grouped(self._atom())
        second = _grouped(self._atom())
        if token == r"\binom":
            column = f'<mfrac linethickness="0">{first}{second}</mfrac>'
            return f"<mrow><mo>(</mo>{column}<mo>)</mo></mrow>"
        return f"<mfrac>{first}{second}</mfrac>"

    def _minus(self) -> str:
        """A sign where nothing stands before it that could be subtracted from."""
        before = self.tokens[: self.at - 1]
        if not before or before[-1] in _OPENING:
            return "<mo form='prefix'>−</mo>"
        return "<mo>−</mo>"

    def _next(self) -> str:
        token = self.tokens[self.at]
        self.at += 1
        return token


def _leaf(token: str) -> str:
    """A token that stands for itself."""
    if token in _FUNCTIONS:
        return f"{_THIN}<mi>{_FUNCTIONS[token]}</mi>{_THIN}"
    if token in _LETTERS:
        return f"<mi>{_LETTERS[token]}</mi>"
    if token in _OPERATORS:
        return f"<mo>{_OPERATORS[token]}</mo>"
    if token in _PARENTHESES:
        return _PARENTHESES[token]
    if token.isdigit():
        tag = "mn"
    elif token.isalpha():
        tag = "mi"
    else:
        tag = "mo"
    return f"<{tag}>{escape_html(token)}</{tag}>"


def _grouped(inner: str) -> str:
    """One element, as scripts and fractions need it."""
    if _SINGLE.fullmatch(inner):
        return inner
    # two rows side by side are no single element: only a row without another in it is taken as it is
    is_row = inner.startswith("<mrow>") and inner.count("<mrow>") == 1
    if is_row:
        return inner
    return f"<mrow>{inner}</mrow>"
