r"""The derivation written down step by step: question, unknowns, equations, solution, transfer, check."""

from __future__ import annotations

from collections.abc import Callable

from sympy.polys.matrices import DomainMatrix

from pdobasis.errors import SpecError
from pdobasis.question.problem import Problem
from pdobasis.reference.border import Part, Progress, derive
from pdobasis.reference.constraint import Constraints, Substitution, equations, unknowns
from pdobasis.reference.document import (
    Document,
    Formula,
    Heading,
    Items,
    Paragraph,
    latex,
    markdown,
)
from pdobasis.reference.group_elements import normal_form
from pdobasis.reference.numbers import Numbers, numbers_of
from pdobasis.reference.question import SymbolicQuestion, Triple, embed
from pdobasis.reference.verify import Check, Verdict, verify
from pdobasis.reference.writing import (
    ansatz_latex,
    equation_texts,
    matrix_latex,
    pdo_latex,
    solved_texts,
)

FORMATS: dict[str, Callable[[Document], str]] = {".md": markdown, ".tex": latex}

MAX_ANSATZ = 30
"""Unknowns up to which P is written out."""
MAX_EQUATIONS = 12
MAX_EXAMPLES = 4
MAX_ZEROS = 30
MAX_ELEMENTS = 12
MAX_SIZE = 6
"""Rows and columns of a matrix that is written out."""
MAX_LINE = 160
"""Characters of an equation that is worth reading."""
MAX_FORMULA = 700
"""Characters of a formula that is worth reading."""

Blocks = list[Heading | Paragraph | Formula | Items]


def transcript(
    problem: Problem, suffix: str, progress: Progress = lambda message: None
) -> str:
    """The whole derivation as a text; ``suffix`` is .md or .tex."""
    if suffix not in FORMATS:
        raise SpecError(
            f"a derivation is written as {' or '.join(FORMATS)}, not as {suffix!r}"
        )
    numbers = numbers_of(problem.field)
    blocks: Blocks = []
    parts = derive(problem, progress)
    for part in parts:
        question = part.question
        title = f"{question.group}: `{question.in_name}` → `{question.out_name}`, order ≤ {problem.order}"
        blocks += [
            Heading(title),
            *_question(question, numbers),
            *_constraint(question),
        ]
        for n in range(problem.order + 1):
            blocks += _order(part, n, problem, numbers)
        blocks += _transfer(part, problem)
        progress(
            f"checking {question.in_name} -> {question.out_name} with symbolic group elements"
        )
        blocks += _check(part, numbers)
        blocks += _summary(part, numbers)
    return FORMATS[suffix](tuple(blocks))


def _question(question: SymbolicQuestion, numbers: Numbers) -> Blocks:
    out: Blocks = [
        Heading("The question", 2),
        Paragraph(
            f"G = {question.group} acts on $\\mathbb{{R}}^{{{question.dim}}}$. All numbers are in "
            f"{numbers.field}. G is given by"
        ),
    ]
    out += [_images(g, "g", r"\rho", numbers) for g in question.generators]
    out += [_images(x, "X", r"d\rho", numbers) for x in question.lie]
    if not question.generators and not question.lie:
        out.append(Paragraph("the identity alone."))
    return out


def _images(
    triple: Triple, letter: str, rho: str, numbers: Numbers
) -> Paragraph | Formula:
    name = triple.name
    if letter == "X":
        name = f"X_{{{triple.name[1:]}}}"
    if max(triple.rho_in.shape[0], triple.rho_out.shape[0]) > MAX_SIZE:
        return Paragraph(
            f"${name}$, with images of {triple.rho_out.shape[0]} and {triple.rho_in.shape[0]} rows;"
        )
    named = [(name, triple.base)]
    named += [
        (f"{rho}_{{in}}({name})", triple.rho_in),
        (f"{rho}_{{out}}({name})", triple.rho_out),
    ]
    return Formula(
        r",\quad ".join(f"{left} = {matrix_latex(m, numbers)}" for left, m in named)
    )


def _constraint(question: SymbolicQuestion) -> Blocks:
    out: Blocks = [
        Heading("The constraint", 2),
        Paragraph("The PDO $D(P)$ is equivariant exactly if for all g in G"),
    ]
    out.append(Formula(r"P(g^{-T}x)\,\rho_{in}(g) - \rho_{out}(g)\,P(x) = 0."))
    if question.lie:
        out.append(
            Paragraph(
                "For the Lie generators X this is, at the identity and so on its whole component,"
            )
        )
        out.append(
            Formula(r"-(X^Tx)\cdot\nabla P + P\,d\rho_{in}(X) - d\rho_{out}(X)\,P = 0.")
        )
    return out


def _order(part: Part, n: int, problem: Problem, numbers: Numbers) -> Blocks:
    """Unknowns, equations and solutions of one order."""
    question = part.question
    harmonic = question.is_orthogonal and problem.partial_order is None
    names = unknowns(question, n, problem.partial_order)
    # Set up once more: the solutions that were derived do not keep their equations.
    system = equations(Constraints(question, harmonic=harmonic), names)
    # Solutions of the whole constraint have no Laplacian power at all, and are new, too.
    new = [s for s in part.orders[n] if not s.laplacian_power]
    what = {True: "Angular parts of order", False: "Order"}[harmonic]
    out: Blocks = [Heading(f"{what} {n}", 2)]
    each = f"one for each entry and each monomial of order {n}"
    out.append(
        Paragraph(
            f"P has {len(names)} unknown coefficient{'s' * (len(names) != 1)}, {each}."
        )
    )
    if len(names) <= MAX_ANSATZ:
        out.append(Formula(f"P = {ansatz_latex(question, names)}"))
    out += _equations(system, harmonic and n > 1, numbers)
    out.append(
        Paragraph(f"The rank is {len(names) - len(new)}, so {_solutions(len(new))}")
    )
    symbols = [s.symbol for s in new]
    if symbols and max(question.shape) <= MAX_SIZE:
        shown = [
            f"P_{{{k + 1}}} = {matrix_latex(p, numbers)}"
            for k, p in enumerate(symbols[:MAX_ELEMENTS])
        ]
        out += [Formula(text) for text in _lines(shown)]
    if len(symbols) > MAX_ELEMENTS:
        out.append(Paragraph(f"and {len(symbols) - MAX_ELEMENTS} more."))
    return out


def _solutions(count: int) -> str:
    if not count:
        return "there is no solution but 0."
    if count == 1:
        return "there is one solution up to a factor."
    return f"there are {count} independent solutions."


def _equations(system: DomainMatrix, harmonic: bool, numbers: Numbers) -> Blocks:
    """The coefficients of all monomials of the constraint, and what elimination makes of them."""
    texts = equation_texts(system, numbers)
    if not texts:
        return [Paragraph("The constraint is empty: every coefficient is free.")]
    too = ""
    if harmonic:
        too = r", and of $\Delta P = 0$,"
    lead = f"The coefficients of the monomials in the constraint{too} give"
    if len(texts) <= MAX_EQUATIONS:
        return [Paragraph(lead), _gathered(texts)]
    # An equation with one term says no more than that an unknown is 0; those are summed up below.
    telling = [
        text
        for text in texts
        if len(text) <= MAX_LINE and (" + " in text or " - " in text)
    ]
    shown = telling[:MAX_EXAMPLES] or texts[:1]
    out: Blocks = [
        Paragraph(f"{lead} {len(texts)} different equations, such as"),
        _gathered(shown),
    ]
    zeros, solved = solved_texts(system, numbers)
    if zeros:
        end = "."
        if solved:
            end = ", and"
        out.append(Paragraph(f"Elimination leaves: {_zeros(zeros)}{end}"))
    short = [text for text in solved if len(text) <= MAX_LINE][:MAX_EQUATIONS]
    if short:
        out.append(_gathered(short))
    if len(short) < len(solved):
        out.append(Paragraph(f"and {len(solved) - len(short)} more."))
    return out


def _zeros(names: list[str]) -> str:
    if len(names) <= MAX_ZEROS:
        return f"${' = '.join(names)} = 0$"
    return f"{len(names)} of the coefficients are 0"


def _gathered(texts: list[str]) -> Formula:
    body = r" \\ ".join(texts)
    return Formula(rf"\begin{{gathered}} {body} \end{{gathered}}")


def _transfer(part: Part, problem: Problem) -> Blocks:
    raised = [s for own in part.orders for s in own if s.laplacian_power]
    if not raised:
        return []
    return [
        Heading("Transfer", 2),
        Paragraph(
            "G is orthogonal, so $|x|^2$ is invariant, and every polynomial is $\\sum_k |x|^{2k}h_k$ with harmonic "
            "$h_k$ in one way only. So the angular parts above, times powers of $|x|^2$, are all solutions; $D$ turns "
            f"$|x|^{{2k}}$ into $\\Delta^k$. Up to order {problem.order} these are {len(raised)} more."
        ),
    ]


def _check(part: Part, numbers: Numbers) -> Blocks:
    """The constraint with symbolic group elements substituted."""
    symbols = [s.symbol for own in part.orders for s in own]
    out: Blocks = [Heading("The check", 2)]
    if not symbols:
        return [*out, Paragraph("There is nothing to check.")]
    for verdict in verify(part.question, symbols):
        out += _verdict(verdict, symbols, part.question, numbers)
    return out


def _verdict(
    verdict: Verdict,
    symbols: list[DomainMatrix],
    question: SymbolicQuestion,
    numbers: Numbers,
) -> Blocks:
    check = verdict.check
    out: Blocks = [Paragraph(f"{check.name} stands for {check.stands_for}.")]
    if check.element is not None and check.symbolic:
        triple = Triple(
            check.name, check.element.g, check.element.rho_in, check.element.rho_out
        )
        named = [
            ("g", triple.base),
            (r"\rho_{in}(g)", triple.rho_in),
            (r"\rho_{out}(g)", triple.rho_out),
        ]
        texts = [
            f"{left} = {matrix_latex(m, numbers)}"
            for left, m in named
            if m.shape[0] <= MAX_SIZE
        ]
        out += [Formula(text) for text in _lines(texts)]
        out += _worked(check, symbols[-1], question, numbers)
    if check.order is not None:
        out.append(Paragraph(_rotation_orders(check.orders(symbols))))
    if verdict.holds:
        out.append(
            Paragraph(
                f"The left side of the constraint is 0 for each of the {len(symbols)} solutions."
            )
        )
    else:
        out.append(
            Paragraph(
                f"The constraint does not hold for {len(verdict.wrong)} of the {len(symbols)} solutions."
            )
        )
    return out


def _lines(formulas: list[str]) -> list[str]:
    """Formulas side by side where they are short; those that are too long to be read are left out."""
    kept = [text for text in formulas if len(text) <= MAX_FORMULA]
    together = r",\quad ".join(kept)
    if kept and len(together) <= MAX_FORMULA // 2:
        return [together]
    return kept


def _worked(
    check: Check, symbol: DomainMatrix, question: SymbolicQuestion, numbers: Numbers
) -> Blocks:
    """Both sides for one solution, in normal form, where they are short."""
    element = check.element
    if element is None or check.order is not None:
        return []
    parameters = element.g.domain.symbols
    ring = question.field[(*parameters, *question.variables)]
    moved = Substitution(element.inverse.transpose(), ring, question.dim)(
        symbol
    ) * embed(element.rho_in, ring)
    both = normal_form(moved, element.relations, len(parameters))
    text = rf"P(g^{{-T}}x)\,\rho_{{in}}(g) = {matrix_latex(both, numbers)} = \rho_{{out}}(g)\,P(x)"
    if len(text) > MAX_FORMULA or max(question.shape) > MAX_SIZE:
        return []
    return [Paragraph("For the last solution, modulo the relations,"), Formula(text)]


def _rotation_orders(orders: list[int] | None) -> str:
    if orders is None:
        return r"No power of $e^{i\theta}$ is left over: these solutions are steerable under all of SO(2)."
    listed = ", ".join(map(str, orders))
    left_over = r"The powers of $e^{i\theta}$ that are left over cancel"
    return f"{left_over} for $r^N = 1$ with N = {listed}, and for no other N."


def _summary(part: Part, numbers: Numbers) -> Blocks:
    question = part.question
    counts = tuple(f"{len(own)} of order {n}" for n, own in enumerate(part.orders))
    out: Blocks = [Heading("The PDOs", 2), Items(counts)]
    everything = [s.symbol for own in part.orders for s in own]
    if max(question.shape) <= MAX_SIZE:
        texts = (
            pdo_latex(symbol, numbers, question.dim)
            for symbol in everything[: 2 * MAX_ELEMENTS]
        )
        out += [Formula(text) for text in _lines(list(texts))]
    return out
