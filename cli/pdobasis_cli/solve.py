"""pdobasis solve: the main job."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import (
    MARKS,
    bracketed,
    fits,
    print_line,
    print_table,
    progress,
)
from pdobasis_cli.kernels import deliver
from pdobasis_cli.options import (
    SolverName,
    asked_order,
    question_options,
    size_option,
    truncation_arguments,
    truncation_options,
)

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.answer.element import Element
    from pdobasis.question.problem import Problem

DENSE_COLUMNS = 16
MAX_TEXT = 4_000


@click.command("solve")
@question_options
@size_option
@click.option(
    "--method",
    type=SolverName(),
    default="auto",
    show_default=True,
    help="direct: null space; transfer: angular operators times powers of Δ (G ≤ O(d)); both: prove that they agree; "
    "reference: the paper in SymPy, for small questions.",
)
@click.option(
    "--kernel",
    is_flag=True,
    help="Angular parts χ(x/|x|) of steerable convolution kernels, for G ≤ O(d).",
)
@click.option(
    "--polynomial-kernel",
    is_flag=True,
    help="Polynomials K with K(gx) = |det g|⁻¹ ρ_out(g) K(x) ρ_in(g)⁻¹, for any group; -o writes them as symbols of "
    "the dual question, which verify proves.",
)
@click.option(
    "--partial-order",
    type=click.IntRange(0),
    help="Largest order in each variable, for groups that preserve it.",
)
@truncation_options
@click.option("--json", "as_json", is_flag=True, help="Print the whole answer as JSON.")
@click.option("--latex", "as_latex", is_flag=True, help="Print the elements as LaTeX.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="Write the answer to FILE.json as well.",
)
@click.option(
    "--transcript",
    type=click.Path(path_type=Path),
    help="With --method reference: write the derivation, step by step, to FILE.md or FILE.tex.",
)
@click.option(
    "--show",
    default=24,
    show_default=True,
    type=click.IntRange(0),
    help="Elements of each order to print.",
)
def command(
    group: str, dim: int | None, max_elements: int, in_rep: str, out_rep: str, order: int, max_unknowns: int,
    method: str, kernel: bool, polynomial_kernel: bool, partial_order: int | None,
    as_json: bool, as_latex: bool, output: Path | None, transcript: Path | None, show: int, **truncation: Any,
) -> None:  # fmt: skip
    """Find all PDOs of order at most N that commute with a group, exactly, and prove that there are no others.

    --max-offset, --max-angular, --max-laplacian-power and --frame-order ask for a part of them that has a name.

    \b
    pdobasis solve --group D8 --in regular --out trivial
    pdobasis solve --group "SO(3)" --in vector --out vector --order 3
    pdobasis solve --group my.yaml --in vector --out "sym(2, vector)" --json
    pdobasis solve --group C16 --in regular --out regular --order 3 --max-offset 0
    """
    from pdobasis.answer.kernels import kernels_of
    from pdobasis.answer.solve import ask, solve_problem
    from pdobasis.files.json_file import dump

    check_output(output)
    check_transcript(transcript, method)
    check_kernel(kernel, polynomial_kernel, transcript)
    with progress() as report:
        problem = ask(
            group,
            in_rep,
            out_rep,
            asked_order(order),
            partial_order=partial_order,
            kernel=kernel,
            dim=dim,
            limit=max_elements,
            **truncation_arguments(truncation),
        )
        found = None
        if polynomial_kernel:
            found = kernels_of(
                problem, method=method, max_unknowns=max_unknowns, progress=report
            )
    if found is not None:
        deliver(found, as_json, as_latex, output, show)
        return
    with progress() as report:
        basis = solve_problem(
            problem, method=method, max_unknowns=max_unknowns, progress=report
        )
        text = dump(basis) if as_json else ""
        saved = dump(basis, with_witness=True) if output else ""
        derivation = derivation_text(problem, transcript, report) if transcript else ""
    if as_json:
        click.echo(text, nl=False)
    elif as_latex:
        for element in basis.elements:
            click.echo(element.latex())
    else:
        print_basis(basis, show)
    for path, content in ((output, saved), (transcript, derivation)):
        if path:
            write_text(path, content)


def check_output(output: Path | None) -> None:
    """A wrong name is refused before any work."""
    if output is not None and output.suffix != ".json":
        raise click.BadParameter(
            f"{output}: a basis is written as JSON; give a name that ends in .json",
            param_hint="-o",
        )
    if output is not None and not output.parent.is_dir():
        raise click.BadParameter(
            f"{output}: there is no folder {output.parent}", param_hint="-o"
        )


def check_transcript(transcript: Path | None, method: str) -> None:
    """The derivation is that of one method; a wrong name is refused before any work."""
    if transcript is None:
        return
    if method != "reference":
        raise click.BadParameter(
            "a derivation is written by --method reference", param_hint="--transcript"
        )
    if transcript.suffix not in (".md", ".tex"):
        raise click.BadParameter(
            f"{transcript}: a derivation is Markdown or LaTeX; give a name that ends in .md or .tex",
            param_hint="--transcript",
        )
    if not transcript.parent.is_dir():
        raise click.BadParameter(
            f"{transcript}: there is no folder {transcript.parent}",
            param_hint="--transcript",
        )


def check_kernel(
    kernel: bool, polynomial_kernel: bool, transcript: Path | None
) -> None:
    """Angular parts or polynomials, one of them; the derivation is about PDOs."""
    if polynomial_kernel and kernel:
        raise click.BadParameter(
            "angular parts or polynomials: leave out --kernel",
            param_hint="--polynomial-kernel",
        )
    if polynomial_kernel and transcript is not None:
        raise click.BadParameter(
            "a derivation is about PDOs: leave out --polynomial-kernel",
            param_hint="--transcript",
        )


def derivation_text(problem: Problem, path: Path, report: Callable[[str], None]) -> str:
    from pdobasis.reference.transcript import transcript

    return transcript(problem, path.suffix, report)


def write_text(path: Path, content: str) -> None:
    from pdobasis.files.atomic import write_atomically

    write_atomically(path, content.encode())
    click.echo(f"wrote {path}", err=True)


def print_basis(basis: Basis, show: int) -> None:
    """The answer for a reader."""
    problem = basis.problem
    print_line(question_text(problem), "bold")
    if basis.dimension:
        part = ("part",) if basis.has_structure else ()
        print_table(("order", *part, "name", "operator"), _rows(basis, show))
    else:
        print_line(empty_text(problem))
    _print_summary(basis)


def question_text(problem: Problem) -> str:
    group = problem.group
    elements = (
        "infinitely many elements"
        if group.order is None
        else f"{group.order} element{'s' * (group.order != 1)}"
    )
    return (
        f"{group.name} ({elements}, dimension {group.dim}): {problem.in_type} (size {problem.in_type.size}) "
        f"→ {problem.out_type} (size {problem.out_type.size}), order ≤ {problem.order}"
        + (
            f", in each variable ≤ {problem.partial_order}"
            if problem.partial_order is not None
            else ""
        )
        + (", angular parts of kernels" if problem.kernel else "")
        + (
            f", truncated to {problem.truncation.text}"
            if problem.truncation is not None
            else ""
        )
    )


def empty_text(problem: Problem) -> str:
    from pdobasis.answer.solve import lowest_order

    if problem.truncation is not None:
        return (
            f"No equivariant PDO of order ≤ {problem.order} is left by the truncation."
        )
    found, searched = lowest_order(problem)
    if found is None:
        return f"There are no equivariant PDOs up to order {searched}."
    return f"There are no equivariant PDOs of order ≤ {problem.order}; the lowest order with solutions is {found}."


def _rows(basis: Basis, show: int) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    at = 0
    structured = basis.has_structure
    pairs = {
        (s.in_irrep, s.out_irrep)
        for b in basis.blocks
        for part in b.structure or ()
        for s in part
    }
    for order, number in basis.dimensions.items():
        shown = basis.elements[at : at + min(number, show)]
        for element in shown:
            part = (part_text(element, irreps=len(pairs) > 1),) if structured else ()
            rows.append((str(order), *part, element.name or "", operator_text(element)))
        if number > len(shown):
            more = f"… and {number - len(shown)} more (--show {number}, --json or -o FILE.json)"
            rows.append((str(order), *([""] if structured else []), "", more))
        at += number
    return rows


def part_text(element: Element, *, irreps: bool) -> str:
    """Which angular order it has, between which irreps, and which power of the Laplacian is in front of it."""
    structure = element.structure
    if structure is None:
        return ""
    power = structure.laplacian_power
    front = {0: "angular,", 1: "Δ ×"}.get(power, f"Δ^{power} ×")
    between = (
        f", {structure.in_irrep} → {structure.out_irrep}"
        if irreps and structure.in_irrep
        else ""
    )
    modulo = "" if power or element.is_harmonic else " mod Δ"
    return f"{front} l = {structure.angular_order}{modulo}{between}"


def operator_text(element: Element) -> str:
    """The matrix when it fits, otherwise its non-zero entries."""
    rows, columns = element.shape
    if element.basis.problem.kernel:
        return bracketed(
            [[text.replace("∂", "x") for text in row] for row in element.pretty()]
        )
    if rows * columns <= DENSE_COLUMNS or (rows == 1 and columns <= 64):
        text = bracketed(element.pretty())
        return text if rows == 1 or fits(text) else entries_text(element)
    return entries_text(element)


def entries_text(element: Element) -> str:
    """The non-zero entries with their places, as far as they are worth printing."""
    from pdobasis.operators.printing import coefficients_of, pretty

    dim = element.basis.problem.group.dim
    parts: list[str] = []
    for (r, c), values in element.entries.items():
        parts.append(
            f"({r + 1},{c + 1}) {pretty(coefficients_of(values, dim, element.order))}"
        )
        if sum(map(len, parts)) > MAX_TEXT:
            parts.append("…")
            break
    return f"{element.shape[0]}×{element.shape[1]}: " + "; ".join(parts)


def _print_summary(basis: Basis) -> None:
    counts = ", ".join(f"{k} of order {n}" for n, k in basis.dimensions.items())
    certificate = basis.certificate
    print_line(
        f"{basis.dimension} element{'s' * (basis.dimension != 1)}: {counts}", "bold"
    )
    if number := basis.angular_dimension:
        what = "angular part" if basis.problem.kernel else "angular operator"
        powers = (
            ", to be read as functions of x/|x|"
            if basis.problem.kernel
            else ", times powers of Δ"
        )
        print_line(f"{number} {what}{'s' * (number != 1)}{powers}", "bold")
    for claim in certificate.told:
        mark, colour = MARKS[claim.holds]
        print_line(f"{mark} {claim.what}: {claim.how}", colour)
    if certificate.spans_equal is not None:
        both = "the transfer and the direct solver span the same space, by exact linear relations"
        print_line(
            f"{'✓' if certificate.spans_equal else '✗'} both roads meet: {both}",
            "green",
        )
