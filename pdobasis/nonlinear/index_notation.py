"""Contractions as a physicist writes them: u_j ∂_j u_i, with every ∂ acting on the field that follows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pdobasis.nonlinear.contractions import (
    Contraction,
    Invariants,
    Place,
    reading_key,
)
from pdobasis.nonlinear.latex_names import latex_name
from pdobasis.nonlinear.question import Multidegree
from pdobasis.nonlinear.tensors import TensorType

LETTERS = "ijklmnopqrsabcdefgh"
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LATEX = {
    "ε": r"\varepsilon",
    "∂": r"\partial",
}

Letters = dict[tuple[int, int], tuple[str, bool]]
"""(factor, slot) to its letter, and whether that is written above."""


def written(
    contraction: Contraction,
    m: Multidegree,
    names: Sequence[str],
    types: Sequence[TensorType],
    out: TensorType,
    kept: Invariants,
    latex: bool = False,
) -> str:
    """The contraction in index notation."""
    letters, extra = _letters(contraction, out, kept)
    parts = [_symbol(symbol, marks, latex) for symbol, marks in extra]
    factors = []
    for f, jet in enumerate(m.jets):
        own = len(types[jet.field].slots)
        text = ""
        for _ in range(jet.time):
            text += _symbol("∂", [("t", False)], latex) + " "
        for k in range(jet.order):
            text += _symbol("∂", [letters[f, own + k]], latex) + " "
        text += _symbol(names[jet.field], [letters[f, k] for k in range(own)], latex)
        factors.append(text)
    text = " ".join([*parts, *_collected(factors, latex)])
    if not out.mark:
        return text
    if latex:
        return rf"\mathrm{{{out.mark}}}\left({text}\right)"
    return f"{out.mark}({text})"


def _letters(
    contraction: Contraction, out: TensorType, kept: Invariants
) -> tuple[Letters, list[tuple[str, list[tuple[str, bool]]]]]:
    """Free letters first, then the summed ones in the order in which they are written."""
    partner: dict[Place, Place] = {}
    for a, b in contraction.pairs:
        partner[a], partner[b] = b, a
    names = iter(LETTERS)
    free = {k: next(names) for k in range(len(out.slots))}
    letters: Letters = {}
    extra: list[tuple[str, list[tuple[str, bool]]]] = []
    shown = kept.form != "delta"  # upper and lower indices differ
    # the output's own pairs are δ_ij
    for a, b in contraction.pairs:
        if a.factor == b.factor == -1:
            symbol = {"metric": "η", "omega": "ω"}.get(kept.form, "δ")
            extra.append((symbol, [(free[a.slot], shown), (free[b.slot], shown)]))
    at: dict[Place, str] = {}
    for p in _reading_order(contraction):
        other = partner.get(p)
        if other is not None and other.factor == -1:
            # the free index stands where the output has it
            letters[p.factor, p.slot] = (free[other.slot], shown and other.variance < 0)
            continue
        if other is not None and other in at:
            first_up = letters[other.factor, other.slot][1]
            letters[p.factor, p.slot] = (at[other], shown and not first_up)
            continue
        letter = next(names, "z")
        at[p] = letter
        letters[p.factor, p.slot] = (letter, shown and p.variance > 0)
    for some in contraction.epsilons:
        marks = []
        for p in some:
            if p.factor == -1:
                marks.append((free[p.slot], shown))
            else:
                letter, is_up = letters[p.factor, p.slot]
                marks.append((letter, shown and not is_up))
        extra.append(("ε", marks))
    if kept.form == "omega":
        extra += _omegas(contraction, letters, names)
    return letters, extra


def _omegas(
    contraction: Contraction, letters: Letters, names: Iterator[str]
) -> list[tuple[str, list[tuple[str, bool]]]]:
    """ω is written out, since its order matters."""
    out = []
    for a, b in contraction.pairs:
        if a.variance != b.variance or -1 in (a.factor, b.factor):
            continue
        second = next(names, "z")
        first = letters[a.factor, a.slot][0]
        letters[b.factor, b.slot] = (second, b.variance > 0)
        letters[a.factor, a.slot] = (first, a.variance > 0)
        is_up = a.variance < 0
        out.append(("ω", [(first, is_up), (second, is_up)]))
    return out


def _reading_order(contraction: Contraction) -> list[Place]:
    every = [p for pair in contraction.pairs for p in pair if p.factor >= 0]
    every += [p for some in contraction.epsilons for p in some if p.factor >= 0]
    return sorted(every, key=reading_key)


def _symbol(name: str, marks: Sequence[tuple[str, bool]], latex: bool) -> str:
    lower = "".join(letter for letter, is_up in marks if not is_up)
    upper = "".join(letter for letter, is_up in marks if is_up)
    if not latex:
        return name + (f"^{upper}" if upper else "") + (f"_{lower}" if lower else "")
    name = _LATEX.get(name) or latex_name(name)
    return (
        name + (f"^{{{upper}}}" if upper else "") + (f"_{{{lower}}}" if lower else "")
    )


def _collected(factors: list[str], latex: bool) -> list[str]:
    """Equal factors without indices as a power: p p is p²."""
    out: list[str] = []
    for text in dict.fromkeys(factors):
        count = factors.count(text)
        if count == 1:
            out.append(text)
        elif " " in text or "_" in text or "^" in text:
            out += [text] * count
        elif latex:
            out.append(f"{text}^{{{count}}}")
        else:
            out.append(text + str(count).translate(_SUPERSCRIPT))
    return out
