"""pdobasis terms: every nonlinear term that a symmetry allows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pdobasis_cli.console import MARKS, print_line, print_table, progress
from pdobasis_cli.options import group_options
from pdobasis_cli.output import check, is_stdout, write_all

if TYPE_CHECKING:
    from pdobasis.nonlinear.result import Terms


@click.command("terms")
@group_options
@click.option(
    "--field",
    "fields",
    multiple=True,
    required=True,
    metavar="NAME=REP",
    help="A field and its representation, as u=vector or p=trivial; several times.",
)
@click.option(
    "--constant",
    "constants",
    multiple=True,
    metavar="NAME=REP",
    help="A constant of nature or of a material, without derivatives: g=vector.",
)
@click.option("--out", "out_rep", required=True, help="Representation of the terms.")
@click.option(
    "--degree",
    default=2,
    show_default=True,
    type=click.IntRange(1),
    help="Largest number of factors.",
)
@click.option(
    "--derivatives",
    default=2,
    show_default=True,
    type=click.IntRange(0),
    help="Largest order of a derivative of one factor.",
)
@click.option(
    "--max-total",
    type=click.IntRange(0),
    help="Largest number of derivatives of all factors together.",
)
@click.option("--time", is_flag=True, help="Derivatives in time too: ∂_t.")
@click.option(
    "--weight",
    metavar="u=1,x=-1,…,out=2",
    help="Keep terms of one physical dimension: weights of fields, x, t and out.",
)
@click.option(
    "--form",
    "forms",
    multiple=True,
    type=click.Choice(
        ["textbook", "echelon", "divergence", "lagrangian", "self-adjoint", "skew"]
    ),
    help="textbook: contractions (so it is by default); echelon: reduced; divergence: terms that are divergences of "
    "fluxes; lagrangian: modulo total derivatives; self-adjoint, skew: linear parts. Several times: all of them.",
)
@click.option(
    "--galilean",
    metavar="FIELD",
    help="Terms that are the same in every moving frame; FIELD is the velocity (with --time).",
)
@click.option(
    "--internal",
    metavar="psi=0,-1;1,0",
    help="Terms that a further symmetry of components keeps, by its Lie matrices; fields are separated by |.",
)
@click.option(
    "--flip",
    metavar="u,out",
    help="Terms that keep their sign (or that of out, when it is listed) where these fields change theirs.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole answer as JSON.")
@click.option("--latex", "as_latex", is_flag=True, help="Print the terms as LaTeX.")
@click.option(
    "--python",
    "as_python",
    is_flag=True,
    help="Print Python source that computes them.",
)
@click.option(
    "--sympy",
    "as_sympy",
    is_flag=True,
    help="Print the terms as SymPy columns in functions of x1, x2, … and t.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="Write the answer to FILE.json, which verify proves again; or to FILE.tex (a document), or FILE.py.",
)
@click.option(
    "--show",
    default=60,
    show_default=True,
    type=click.IntRange(0),
    help="Terms to print.",
)
def command(
    group: str, dim: int | None, max_elements: int, fields: tuple[str, ...], constants: tuple[str, ...], out_rep: str,
    degree: int, derivatives: int, max_total: int | None, time: bool, weight: str | None, forms: tuple[str, ...],
    galilean: str | None, internal: str | None, flip: str | None,
    as_json: bool, as_latex: bool, as_python: bool, as_sympy: bool, output: Path | None, show: int,
) -> None:  # fmt: skip
    """Find all terms that a symmetry allows on the right-hand side of an equation, and prove that they are all.

    \b
    pdobasis terms --group "O(2)" --field u=vector --field p=trivial \\
        --out vector --degree 3 --max-total 2
    pdobasis terms --group "SO(3)" --field Q=2e --out trivial --degree 3 \\
        --derivatives 1
    pdobasis terms --group Oh --field u=vector --out trivial --degree 2 \\
        --derivatives 1 -o elastic.json
    """
    from pdobasis.nonlinear.find import find_terms
    from pdobasis.nonlinear.question import ask_terms
    from pdobasis.question.text import resolve_group

    only_one(
        {
            "--json": as_json,
            "--latex": as_latex,
            "--python": as_python,
            "--sympy": as_sympy,
        }
    )
    check(
        output,
        tuple(WRITERS),
        f"terms are written to names that end in {', '.join(WRITERS)}",
    )
    form, structure = structure_of(forms, internal, flip)
    with progress() as report:
        question = ask_terms(
            resolve_group(group, dim, max_elements),
            named(fields, "--field"),
            out_rep,
            degree,
            derivatives,
            max_total=max_total,
            time=time,
            constants=named(constants, "--constant"),
            weights=weight,
        )
        found = find_terms(
            question,
            form=form,
            structure=structure,
            galilean=galilean,
            progress=report,
        )
        text = ""
        if output is not None:
            text = WRITERS.get(output.suffix, as_file)(found)
    # files first: whoever reads what is printed may stop reading
    written = write_all([(output, text)])
    if is_stdout(output):
        pass
    elif as_json:
        click.echo(as_file(found), nl=False)
    elif as_sympy:
        for column in found.sympy():
            click.echo(str(column))
    elif as_latex:
        for term in found:
            click.echo(term.latex())
    elif as_python:
        click.echo(found.python_source(), nl=False)
    else:
        print_terms(found, show)
    written.tell()


def as_file(found: Terms) -> str:
    from pdobasis.nonlinear.file import dump_terms

    return dump_terms(found)


WRITERS: dict[str, Callable[[Terms], str]] = {
    ".json": as_file,
    ".tex": lambda found: found.latex_document(),
    ".py": lambda found: found.python_source(),
}
"""What a file holds, by the end of its name."""


def only_one(flags: dict[str, bool]) -> None:
    given = [option for option, value in flags.items() if value]
    if len(given) > 1:
        raise click.UsageError(f"one of {' and '.join(given)}")


def structure_of(
    forms: tuple[str, ...], internal: str | None, flip: str | None
) -> tuple[str, list[str]]:
    """(form of the basis, structures)."""
    bases = [form for form in forms if form in ("textbook", "echelon")]
    if len(set(bases)) > 1:
        raise click.UsageError("--form textbook or --form echelon: one of them")
    asked = [form for form in forms if form not in bases]
    if internal is not None:
        asked.append(f"internal:{internal}")
    if flip is not None:
        asked.append(f"flip:{flip}")
    return (bases or ["textbook"])[0], asked


def named(pairs: tuple[str, ...], option: str) -> dict[str, str]:
    """NAME=REP, each name once."""
    out: dict[str, str] = {}
    for pair in pairs:
        name, sign, rep = pair.partition("=")
        if not sign or not rep.strip():
            raise click.BadParameter(
                f"{pair!r} is not NAME=REPRESENTATION, as u=vector", param_hint=option
            )
        if name.strip() in out:
            raise click.BadParameter(
                f"{name.strip()} is given twice", param_hint=option
            )
        out[name.strip()] = rep.strip()
    return out


def print_terms(found: Terms, show: int) -> None:
    question = found.question
    fields = ", ".join(f"{f.name} ({f.rep.spec})" for f in question.fields)
    total = f", {question.max_total} together" if question.max_total is not None else ""
    print_line(
        f"{question.group.name}: {fields} → {question.out.spec}; "
        f"up to {question.degree} factors, derivatives up to {question.derivatives}{total}",
        "bold",
    )
    if found.structure is not None:
        print_line(f"{found.structure}: of {sum(found.dimensions.values())} terms")
    rows = []
    for number, term in enumerate(found[:show], start=1):
        label = question.label(term.multidegree)
        rows.append((str(number), label, term.name or "", term.text))
    if rows:
        print_table(("", "multidegree", "name", "term"), rows)
    if len(found) > show:
        print_line(
            f"… and {len(found) - show} more (--show {len(found)}, --json or -o FILE.json)"
        )
    noun = "term" if len(found) == 1 else "terms"
    print_line(f"{len(found)} {noun} of {len(found.blocks)} multidegrees")
    for claim in ("equivariant", "independent", "complete"):
        verdicts = [block.certificate.claim(claim) for block in found.blocks]
        parts = [p for v in verdicts if v is not None for p in v.how.split("; ")]
        # what differs between multidegrees is a number at the end
        short = dict.fromkeys(text.split(", less")[0] for text in parts)
        mark, style = MARKS[all(v is not None and v.holds for v in verdicts)]
        print_line(f"{mark} {claim}: {'; '.join(short)}", style)
