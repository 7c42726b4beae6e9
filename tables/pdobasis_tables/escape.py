r"""Words as HTML and as LaTeX.

>>> escape_latex("50 % of ψ_1"), escape_html("1 < 2")
('50 \\% of $\\psi$\\_1', '1 &lt; 2')
"""

from __future__ import annotations

LATIN = 0x180
"""Letters below this number are in the fonts of pdflatex."""

_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "≤": r"$\le$",
    "→": r"$\to$",
    "Δ": r"$\Delta$",
    "ρ": r"$\rho$",
    "ψ": r"$\psi$",
    "∂": r"$\partial$",
    "∅": r"$\emptyset$",
    "−": r"$-$",
    "×": r"$\times$",
    "√": r"$\surd$",
    "π": r"$\pi$",
    "ℓ": r"$\ell$",
    "…": r"\dots{}",
}
_ENDINGS = (("-->", "-- >"), ("--!>", "-- !>"), ("<!--", "<! --"), ("^^", "^ ^"))
"""What ends or begins a comment of HTML, and a letter by its number in TeX."""
_MARKDOWN = "\\`*_{}[]|#!$~"
"""Letters that mean something inside a paragraph."""
# the ampersand first: the others bring new ones
_HTML = (
    ("&", "&amp;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ('"', "&quot;"),
    ("'", "&#39;"),
)


def comment(words: str) -> str:
    """Words in a comment of LaTeX or HTML: on one line, which nothing ends in TeX; nor can --> end it in HTML.

    >>> comment("--group a\\n--->^^5c")
    '--group a --- >^ ^5c'
    """
    line = _one_line(words)
    for ending, harmless in _ENDINGS:
        line = line.replace(ending, harmless)
    return line


def escape_markdown(words: str) -> str:
    """Words in Markdown, which may hold HTML.

    >>> escape_markdown("a|b_c <b>")
    'a\\\\|b\\\\_c &lt;b&gt;'
    """
    # the letters of HTML first: a backslash in front of < would not keep it from being a tag everywhere
    words = escape_html(_one_line(words))
    return "".join("\\" + c if c in _MARKDOWN else c for c in words)


def _one_line(words: str) -> str:
    return "".join(c if c.isprintable() else " " for c in words)


def escape_html(words: str) -> str:
    for letter, entity in _HTML:
        words = words.replace(letter, entity)
    return words


def escape_latex(words: str) -> str:
    """Words as LaTeX; letters that pdflatex has no glyph for by their number."""
    return "".join(map(_latex, words))


def _latex(letter: str) -> str:
    if letter in _LATEX:
        return _LATEX[letter]
    if ord(letter) < LATIN:
        return letter
    return f"[U+{ord(letter):04X}]"
