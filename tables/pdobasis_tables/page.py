"""One self-contained page about one question: what was asked, the basis, its certificate, its stencils."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pdobasis
from pdobasis.answer.basis import Basis
from pdobasis.answer.element import Element
from pdobasis.exact.array import ExactArray
from pdobasis.question.as_json import CONVENTIONS
from pdobasis.question.field_type import FieldType
from pdobasis.stencils.discretize import Discretized, discretize
from pdobasis_tables.formula import Matrix, escape_html, math_element, of_element, polynomial
from pdobasis_tables.html import page
from pdobasis_tables.mathml import mathml
from pdobasis_tables.svg import stencil

SMALL = 4
"""Largest matrices of a representation that are shown."""
DRAWN = 3
"""Largest dimension in which stencils are drawn."""
MANY = 32
"""Stencils of one element that are drawn."""

STYLE = """
.lead { font-size: 1.08rem; max-width: 62rem; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.3rem 1.2rem; margin: 1rem 0; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-x: auto; }
.card { border: 1px solid var(--line); border-radius: 8px; padding: 0.8rem 1rem; margin: 0.8rem 0; }
.card h3 { font-size: 1rem; margin: 0 0 0.4rem; font-weight: 600; }
.card h3 small { color: var(--soft); font-weight: 400; }
.stencils { display: flex; flex-wrap: wrap; gap: 0.8rem 1rem; margin-top: 0.7rem; }
figure { margin: 0; } figure svg { display: block; border: 1px solid var(--line); max-width: 100%; height: auto; }
figcaption { font-size: 0.8rem; color: var(--soft); text-align: center; padding-top: 0.15rem; }
.proof { list-style: none; padding: 0; margin: 0.5rem 0; } .proof li { padding: 0.15rem 0; }
.yes { color: var(--good); font-weight: 700; } .no { color: var(--bad); font-weight: 700; }
.legend { display: inline-block; width: 9rem; height: 0.8rem; vertical-align: middle; border: 1px solid var(--line);
  background: linear-gradient(to right, rgb(33,102,172), rgb(247,247,247), rgb(178,24,43)); }
"""
CONSTRAINT = r"P(g^{-T}x) = \rho_{\text{out}}(g) P(x) \rho_{\text{in}}(g)^{-1}"


def sampled(basis: Basis, method: str, size: int, options: Mapping[str, Any]) -> Discretized | None:
    """The stencils to draw; None beyond space, and where there is nothing to draw."""
    if basis.problem.group.dim > DRAWN or not basis.dimension:
        return None
    return discretize(basis, method, size, **options)


def report(basis: Basis, sampled: Discretized | None, command: Sequence[str], show: int) -> str:
    """The page; ``sampled`` None leaves the stencils out, ``show`` limits the elements that are shown."""
    problem = basis.problem
    title = escape_html(f"{problem.group.name}: {problem.in_type} → {problem.out_type}, order ≤ {problem.order}")
    body = [
        f"<h1>{title}</h1>",
        *_question(basis),
        *_elements(basis, sampled, show),
        *_certificate(basis),
        *_conventions(),
        "<h2>How to make this page</h2>",
        f"<pre>{escape_html(shlex.join(['pdobasis', *command]))}</pre>",
        f'<p class="note">pdobasis {pdobasis.__version__}</p>',
    ]
    return page(title, "\n".join(body), STYLE)


def _question(basis: Basis) -> list[str]:
    problem, group = basis.problem, basis.problem.group
    elements = "infinitely many elements" if group.order is None else f"{group.order} element{'s' * (group.order != 1)}"
    number = basis.dimension
    counts = ", ".join(f"{k} of order {n}" for n, k in basis.dimensions.items() if k)
    answer = f"There {'is one' if number == 1 else f'are {number}' if number else 'are none'}" + (
        f": {counts}." if number else "."
    )
    if basis.angular:
        some = len(basis.angular)
        answer += f" {some} angular operator{'s' * (some != 1)}, times powers of Δ."
    space = math_element(mathml(rf"\mathbb{{R}}^{{{group.dim}}}"))
    labelled = zip(group.labels, group.generators, strict=True)
    facts = [
        ("group", f"{escape_html(group.name)}, {elements}, acting on {space}"),
        *((f"generator {escape_html(name)}", math_element(matrix(g).mathml)) for name, g in labelled),
        *((f"Lie generator {k + 1}", math_element(matrix(x).mathml)) for k, x in enumerate(group.lie)),
        ("input", _type(problem.in_type)),
        ("output", _type(problem.out_type)),
        ("order", f"at most {problem.order}"),
    ]  # fmt: skip
    listed = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return [
        '<p class="lead">All constant-coefficient PDOs D(P) that commute with the group, that is, all polynomial '
        "matrices P with</p>"
        f"{math_element(mathml(CONSTRAINT), block=True)}<p>for all g in the group. {escape_html(answer)}</p>",
        f'<dl class="facts">{listed}</dl>',
    ]


def _type(field_type: FieldType) -> str:
    text = f"{escape_html(field_type.spec)}, {field_type.size} channel{'s' * (field_type.size != 1)}"
    reps = [rep for rep in field_type.distinct if 1 < rep.size <= SMALL and rep.spec != "vector"]
    shown = [
        f"{escape_html(rep.spec)}({escape_html(label)}) = {math_element(matrix(m).mathml)}"
        for rep in reps[:3]
        for label, m in zip(rep.group.labels, rep.matrices(), strict=True)
    ]
    return text + (": " + ", ".join(shown) if shown else "")


def matrix(values: ExactArray) -> Matrix:
    """A matrix of numbers."""
    rows, columns = values.shape
    return Matrix(tuple(tuple(polynomial(values[r, c].reshape(1), 1, 0) for c in range(columns)) for r in range(rows)))


def _elements(basis: Basis, sampled: Discretized | None, show: int) -> list[str]:
    number = basis.dimension
    out = ["<h2>The basis</h2>"]
    if not number:
        return [*out, "<p>There is no equivariant PDO up to this order but zero.</p>"]
    if sampled is not None:
        out.append(_legend(sampled))
    weights = sampled.dense() if sampled is not None else None
    for k, element in enumerate(basis.elements[:show]):
        pictures = _pictures(element, weights[k]) if weights is not None else ""
        out.append(
            f'<section class="card"><h3>{k + 1}. {_heading(element)}</h3><div class="wide" tabindex="0">'
            f"{math_element(of_element(element).mathml)}</div>{pictures}</section>"
        )
    if number > show:
        out.append(f"<p>… and {number - show} more: ask for them with <code>--show {number}</code>.</p>")
    return out


def _heading(element: Element) -> str:
    name = escape_html(element.name or "")
    structure = element.structure
    if structure is None:
        return f"{name} <small>order {element.order}</small>"
    power = structure.laplacian_power
    front = "" if not power else f", Δ{f'^{power}' if power > 1 else ''} × an angular operator"
    return f"{name} <small>order {element.order}, angular order {structure.angular_order}{front}</small>"


def _pictures(element: Element, weights: NDArray[np.float64]) -> str:
    places = sorted(element.entries)
    scale = float(np.abs(weights).max(initial=0.0))
    figures = [_figure(element, weights[place], place, scale) for place in places[:MANY]]
    more = f'<p class="note">… and {len(places) - MANY} more entries</p>' if len(places) > MANY else ""
    return f"<div class='stencils'>{''.join(figures)}</div>{more}"


def _figure(element: Element, weights: NDArray[np.float64], place: tuple[int, int], scale: float) -> str:
    rows, columns = element.shape
    row, column = place[0] + 1, place[1] + 1
    name = f"({row}, {column})" if rows > 1 and columns > 1 else f"{row if rows > 1 else column}"
    caption = "" if rows == columns == 1 else f"<figcaption>{name}</figcaption>"
    picture = stencil(weights, scale, f"stencil of entry ({row}, {column})")
    return f"<figure>{picture}{caption}</figure>"


def _legend(sampled: Discretized) -> str:
    sizes = "×".join(map(str, sampled.grid.size))
    options = "".join(f", {name} = {_value(value)}" for name, value in sampled.options)
    slices = "; slices for increasing x3 from left to right" if len(sampled.grid.size) == 3 else ""
    made = escape_html(f"{sampled.method}, {sizes} points{options}")
    return (
        f'<p class="note">Under each operator: the stencils of its non-zero entries ({made}), x1 to the right and x2 '
        f"upwards{slices}. Weights from negative to positive, relative to the largest of the operator: "
        '<span class="legend"></span>. Each square tells its weight when pointed at.</p>'
    )


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return str(value[0]) if len(set(value)) == 1 else ", ".join(map(str, value))
    return str(value)


def _certificate(basis: Basis) -> list[str]:
    proof = basis.certificate
    marks = {True: ("yes", "✓"), False: ("no", "✗"), None: ("", "?")}
    items = ""
    for claim in proof.told:
        style, mark = marks[claim.holds]
        items += f"<li><span class='{style}'>{mark} {claim.what}</span>: {escape_html(claim.how)}</li>"
    rows = zip(range(len(proof.found)), proof.found, proof.ranks, proof.counted, strict=True)
    cells = "".join("<tr>" + "".join(f"<td>{v}</td>" for v in row) + "</tr>" for row in rows)
    heads = "".join(f"<th>{h}</th>" for h in ("order", "found", "exact rank", "counted"))
    return [
        "<h2>The certificate</h2>",
        f'<ul class="proof">{items}</ul>',
        f'<div class="wide"><table class="grid"><thead><tr>{heads}</tr></thead><tbody>{cells}</tbody></table></div>',
    ]


def _conventions() -> list[str]:
    rows = "".join(f"<dt>{escape_html(k)}</dt><dd>{escape_html(str(v))}</dd>" for k, v in CONVENTIONS.items())
    return ["<h2>Conventions</h2>", f'<dl class="facts">{rows}</dl>']
