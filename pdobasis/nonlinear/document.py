"""Terms as a LaTeX document that compiles, multidegree by multidegree."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from pdobasis.nonlinear.latex_names import latex_name
from pdobasis.nonlinear.question import Multidegree, TermsQuestion

if TYPE_CHECKING:
    from pdobasis.nonlinear.result import Term, Terms

HEADER = r"""\documentclass{article}
\usepackage{amsmath}
\setlength{\textwidth}{17cm}\setlength{\oddsidemargin}{-0.5cm}
\setlength{\parindent}{0pt}\allowdisplaybreaks
\begin{document}
"""
ESCAPED = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}
ESCAPED |= {c: f"\\{c}" for c in "#$%&_{}"}


def latex_document(terms: Terms) -> str:
    """One line for each multidegree, then its terms; long sums are broken by LaTeX."""
    question = terms.question
    lines = [HEADER + _about(terms), ""]
    every = list(terms)
    for m, own in groupby(every, key=lambda term: term.multidegree):
        lines.append(rf"\paragraph{{$ {_multidegree(question, m)} $}}\mbox{{}}\\[1ex]")
        lines += [_line(term, every.index(term) + 1) for term in own]
    return "\n".join([*lines, r"\end{document}", ""])


def _about(terms: Terms) -> str:
    question = terms.question
    fields = ", ".join(f"{f.name} ({f.rep.spec})" for f in question.fields)
    proved = "proved to be all" if terms.holds else "not proved"
    text = f"{question.group.name}: {fields} to {question.out.spec}; {len(terms)} terms, {proved}."
    if terms.structure is not None:
        text += f" {terms.structure}."
    return _escaped(text)


def _line(term: Term, number: int) -> str:
    # sums in one component may be broken between lines, matrices may not
    return rf"({number})\quad $ {term.latex()} $\\[1ex]"


def _multidegree(question: TermsQuestion, m: Multidegree) -> str:
    parts = []
    for jet, power in m.factors:
        text = latex_name(question.fields[jet.field].name)
        for symbol, order in ((r"\partial", jet.order), (r"\partial_t", jet.time)):
            if order:
                raised = f"^{{{order}}}" if order > 1 else ""
                text = f"{symbol}{raised} {text}"
        if power > 1:
            text = rf"({text})^{{{power}}}" if jet.total else f"{{{text}}}^{{{power}}}"
        parts.append(text)
    return r" \cdot ".join(parts)


def _escaped(text: str) -> str:
    """What LaTeX prints as it stands; other letters than those of ASCII become a question mark."""
    plain = text.encode("ascii", "replace").decode()
    return "".join(ESCAPED.get(c, c) for c in plain)
