"""pdobasis solve: the main job."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import (
    MARKS,
    layout_of,
    print_line,
    print_table,
    progress,
)
from pdobasis_cli.operators import check_operators, print_operators
from pdobasis_cli.options import (
    TRUNCATION_FLAGS,
    FilePath,
    SolverName,
    asked_order,
    choice_options,
    question_options,
    size_option,
    truncation_arguments,
    truncation_options,
)
from pdobasis_cli.output import check, is_stdout, write_all

if TYPE_CHECKING:
    from pathlib import Path

    from pdobasis.answer.basis import Basis
    from pdobasis.answer.choose import Condition
    from pdobasis.answer.told import Layout
    from pdobasis.question.problem import Problem

ONE_ORDER = (
    "order", "method", "kernel", "polynomial_kernel", "partial_order", "transcript",
)  # fmt: skip
"""Options that have no meaning for all orders at once, as has no truncation."""


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
    "--all-orders",
    is_flag=True,
    help="Finitely many generators of the PDOs of every order, over the polynomials in some invariants; for finite "
    "groups and those that contain SO(p,q), SL(d) or Sp(d).",
)
@click.option(
    "--partial-order",
    type=click.IntRange(0),
    help="Largest order in each variable, for groups that preserve it.",
)
@truncation_options
@click.option("--self-adjoint", is_flag=True, help="Only operators with P* = P.")
@click.option("--skew", is_flag=True, help="Only operators with P* = -P.")
@click.option(
    "--through",
    multiple=True,
    metavar="REP",
    help="Which elements are compositions through fields of this kind; several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole answer as JSON.")
@click.option("--latex", "as_latex", is_flag=True, help="Print the elements as LaTeX.")
@click.option(
    "--output",
    "-o",
    type=FilePath(),
    help="Write the answer to FILE.json as well; - is stdout, and nothing else goes there.",
)
@click.option(
    "--transcript",
    type=FilePath(),
    help="With --method reference: write the derivation, step by step, to FILE.md or FILE.tex.",
)
@click.option(
    "--show",
    default=24,
    show_default=True,
    type=click.IntRange(0),
    help="Elements of each order to print.",
)
@choice_options
def command(
    group: str, dim: int | None, max_elements: int, in_rep: str, out_rep: str, order: int, max_unknowns: int,
    method: str, kernel: bool, polynomial_kernel: bool, all_orders: bool, partial_order: int | None,
    self_adjoint: bool, skew: bool, through: tuple[str, ...],
    as_json: bool, as_latex: bool, output: Path | None, transcript: Path | None, show: int, full: bool,
    only: tuple[Condition, ...], sort: str | None,
    **truncation: Any,
) -> None:  # fmt: skip
    """Find all PDOs of order at most N that commute with a group, exactly, and prove that there are no others.

    --max-offset, --max-angular, --max-laplacian-power and --frame-order ask for a part of them that has a name.

    \b
    pdobasis solve --group D8 --in regular --out trivial
    pdobasis solve --group "SO(3)" --in vector --out vector --order 3
    pdobasis solve --group D8 --in regular --out regular --only order=2 \\
        --sort entries
    pdobasis solve --group my.yaml --in vector --out "sym(2, vector)" --json
    pdobasis solve --group C16 --in regular --out regular --order 3 \\
        --max-offset 0
    pdobasis solve --group D8 --in trivial --out vector --all-orders
    pdobasis solve --group "SO(3)" --in vector --out vector --through trivial \\
        --through vector
    """
    from pdobasis.answer.solve import ask, solve_problem

    check(
        output, (".json",), "a basis is written as JSON; give a name that ends in .json"
    )
    check_transcript(transcript, method)
    check_kernel(kernel, polynomial_kernel, transcript)
    if all_orders:
        check_all_orders()
    others = {
        "--kernel": kernel, "--polynomial-kernel": polynomial_kernel, "--all-orders": all_orders,
        "--transcript": transcript, "--latex": as_latex, "-o": output,
    }  # fmt: skip
    layout = layout_of(show, full, only, sort)
    if as_json and (only or sort):
        raise click.UsageError(
            "JSON is the whole answer: leave out --only and --sort, or --json"
        )
    asks_operators = check_operators(self_adjoint, skew, through, others)
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
            from pdobasis.answer.kernels import kernels_of

            found = kernels_of(
                problem, method=method, max_unknowns=max_unknowns, progress=report
            )
    if found is not None:
        from pdobasis_cli.kernels import deliver

        deliver(found, as_json, as_latex, output, show)
        return
    if all_orders:
        from pdobasis.modules.all_orders import all_orders_of
        from pdobasis_cli.all_orders import deliver_module

        with progress() as report:
            module = all_orders_of(problem, max_unknowns=max_unknowns, progress=report)
        deliver_module(module, as_json, as_latex, output, show)
        return
    with progress() as report:
        basis = solve_problem(
            problem, method=method, max_unknowns=max_unknowns, progress=report
        )
        if asks_operators:
            print_operators(basis, self_adjoint, through, as_json)
            return
        text, saved = json_texts(basis, as_json, output is not None)
        derivation = derivation_text(problem, transcript, report) if transcript else ""
    # files first: whoever reads what is printed may stop reading
    written = write_all([(output, saved), (transcript, derivation)])
    if is_stdout(output) or is_stdout(transcript):
        pass
    elif as_json:
        click.echo(text, nl=False)
    elif as_latex:
        from pdobasis.answer.choose import chosen

        for element in chosen(basis.elements, layout.only, layout.sort):
            click.echo(element.latex())
    else:
        print_basis(basis, layout)
    written.tell()


def json_texts(basis: Basis, printed: bool, written: bool) -> tuple[str, str]:
    """The answer as it is printed, and as it is written to a file; empty where it is not."""
    if not printed and not written:
        return "", ""
    from pdobasis.files.json_file import dump

    text, saved = "", ""
    if printed:
        text = dump(basis)
    if written:
        saved = dump(basis, with_witness=True)
    return text, saved


def check_transcript(transcript: Path | None, method: str) -> None:
    """The derivation is that of one method; a wrong name is refused before any work."""
    if transcript is None:
        return
    if method != "reference":
        raise click.BadParameter(
            "a derivation is written by --method reference", param_hint="--transcript"
        )
    wrong = "a derivation is Markdown or LaTeX; give a name that ends in .md or .tex"
    check(transcript, (".md", ".tex"), wrong, "--transcript")


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


def check_all_orders() -> None:
    """What limits an order, or chooses a method, has no meaning for all orders."""
    given = click.get_current_context().get_parameter_source
    for name in (*ONE_ORDER, *TRUNCATION_FLAGS.values()):
        source = given(name)
        if source is not None and source.name == "COMMANDLINE":
            option = "--" + name.replace("_", "-")
            raise click.BadParameter(
                f"all orders are asked for: leave out {option}",
                param_hint="--all-orders",
            )


def derivation_text(problem: Problem, path: Path, report: Callable[[str], None]) -> str:
    from pdobasis.reference.transcript import transcript

    return transcript(problem, path.suffix, report)


def print_basis(basis: Basis, layout: Layout) -> None:
    """The answer for a reader."""
    from pdobasis.answer.told import (
        empty_text,
        headers,
        legend,
        question_text,
        rows,
        summary,
    )

    problem = basis.problem
    print_line(question_text(problem), "bold")
    shown = rows(basis, layout)
    if shown:
        print_table(headers(basis), shown)
    elif basis.dimension:
        print_line("No element is as --only asks for.")
    else:
        print_line(empty_text(problem))
    for line in summary(basis):
        print_line(line, "bold")
    for line in legend(shown):
        print_line(line)
        print_line("--full prints all entries")
    for claim in basis.certificate.told:
        mark, colour = MARKS[claim.holds]
        print_line(f"{mark} {claim.what}: {claim.how}", colour)
    met = basis.certificate.spans_equal
    if met is not None:
        mark, colour = MARKS[met]
        both = "the transfer and the direct solver span the same space, by exact linear relations"
        print_line(f"{mark} both roads meet: {both}", colour)
