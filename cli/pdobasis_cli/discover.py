"""pdobasis discover: the equation that data follow, among all that a symmetry allows."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import json_text, print_line, print_table, progress
from pdobasis_cli.options import group_options
from pdobasis_cli.output import check, write, write_all
from pdobasis_cli.terms import named

if TYPE_CHECKING:
    from pdobasis.discovery.auto import Verdict
    from pdobasis.discovery.result import Equation
    from pdobasis.discovery.task import Task


@click.command("discover")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
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
    metavar="NAME=REP[:VALUES]",
    help="A fixed direction or tensor: g=vector:0,-1; without values an array g of the file.",
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Fields whose ∂_t is asked for.  [default: all]",
)
@click.option(
    "--degree",
    default=3,
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
    help="Largest number of derivatives of all factors together.  [default: as --derivatives]",
)
@click.option(
    "--weight",
    metavar="u=1,x=-1,…,out=2",
    help="Keep terms of one physical dimension: weights of fields, x, t and out.",
)
@click.option(
    "--weak/--strong",
    default=True,
    help="Integrate against test functions (default), or differentiate at points.",
)
@click.option(
    "--boundary",
    default="auto",
    show_default=True,
    type=click.Choice(["auto", "periodic", "open"]),
    help="Whether fields go on at the other side.",
)
@click.option(
    "--samples",
    default=40,
    show_default=True,
    type=click.IntRange(0),
    help="Random halves of the data for the frequencies.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of what is random.")
@click.option("--all", "every", is_flag=True, help="List all candidates.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--latex", "as_latex", is_flag=True, help="Print the equation as LaTeX.")
@click.option(
    "--plot",
    "picture",
    type=click.Path(path_type=Path),
    help="Draw the fit, and a forecast of the last quarter of the frames, into FILE.png, .svg or .pdf.",
)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path), help="Write the JSON to FILE."
)
def command(
    files: tuple[Path, ...], group: str, dim: int | None, max_elements: int, fields: tuple[str, ...],
    constants: tuple[str, ...], targets: tuple[str, ...], degree: int, derivatives: int, max_total: int | None,
    weight: str | None, weak: bool, boundary: str, samples: int, seed: int, every: bool, as_json: bool, as_latex: bool,
    picture: Path | None, output: Path | None,
) -> None:  # fmt: skip
    """Find the equation ∂_t u = … that data follow, among all terms that a symmetry allows.

    FILES are .npz, NetCDF or Zarr: an array for each field with the axes (time, components, …, x2, x1), the times t and
    the coordinates x1, x2, …; several files are several runs of one system.

    \b
    pdobasis discover data.npz --group "O(2)" --field u=vector --degree 3 \\
        --derivatives 2
    pdobasis discover run1.npz run2.npz --group "O(2)" --field u=trivial \\
        --field v=trivial --json
    """
    from pdobasis.discovery.auto import chosen, compare_groups
    from pdobasis.discovery.task import Task

    check(output, (".json",), "the answer is JSON; give a name that ends in .json")
    check(
        picture,
        (".png", ".svg", ".pdf"),
        "a picture is .png, .svg or .pdf",
        hint="--plot",
    )
    with progress():
        task = Task.of(
            files,
            group,
            named(fields, "--field"),
            named(constants, "--constant"),
            degree=degree,
            derivatives=derivatives,
            max_total=max_total,
            weights=weight,
            periodic={"auto": None, "periodic": True, "open": False}[boundary],
            dim=dim,
            max_elements=max_elements,
        )
        verdicts = []
        if group == "auto":
            verdicts = compare_groups(
                task, targets[0] if targets else next(iter(task.fields))
            )
            task = task.of_group(chosen(verdicts))
        found = task.equations(targets, weak=weak, samples=samples, seed=seed)
        drawn = draw(task, found, picture, weak) if picture else b""
    answer = as_data(found, every)
    if verdicts:
        answer["groups"] = [asdict(v) for v in verdicts]
    text = json_text(answer, indent=1) + "\n"
    written = write_all([(output, text)])
    if as_json:
        click.echo(text, nl=False)
    elif as_latex:
        for equation in found:
            click.echo(equation.latex)
    else:
        if verdicts:
            print_verdicts(verdicts, found[0].group)
        for equation in found:
            print_equation(equation, every)
    if picture:
        write(picture, drawn)
    written.tell()


def draw(task: Task, found: list[Equation], path: Path, weak: bool) -> bytes:
    """The first equation; a forecast where one can be made."""
    from pdobasis.discovery.discover import sides
    from pdobasis.errors import SpecError
    from pdobasis.pictures import require_matplotlib

    require_matplotlib()
    from pdobasis.pictures.equations import draw_fit

    both = sides(task.candidates(found[0].target), task.ready[0], found[0])
    try:
        ahead = task.ahead(0.75, weak)[0]
    except SpecError:
        ahead = None
    if ahead is not None and found[0].target not in ahead.fields:
        ahead = None
    return draw_fit(found[0], both, ahead).data(path.suffix[1:])


def print_verdicts(verdicts: list[Verdict], taken: str) -> None:
    rows = []
    for v in verdicts:
        mark = "✓" if v.group == taken else ""
        rows.append(
            (
                mark,
                v.group,
                str(v.candidates),
                str(v.terms),
                f"{v.error:.3g}",
                f"{v.noise_ratio:.3g}",
            )
        )
    heads = ("", "group", "candidates", "chosen", "held-out error", "× noise")
    print_table(heads, rows)


def as_data(found: list[Equation], every: bool) -> dict[str, Any]:
    """The first equation, and all of them where there are several."""
    answer = found[0].as_json(every)
    if len(found) > 1:
        answer["equations"] = [equation.as_json(every) for equation in found]
    return answer


def print_sizes(found: Equation) -> None:
    """How many terms: what each number of them leaves, and the information criteria."""
    rows = []
    for own in found.sizes:
        mark = "✓" if own.chosen else ""
        numbers = (own.noise_ratio, own.aic, own.bic, own.ebic)
        rows.append((mark, str(len(own.terms)), *[f"{x:.4g}" for x in numbers]))
    if rows:
        print_table(("", "terms", "× noise", "AIC", "BIC", "extended BIC"), rows)


def print_equation(found: Equation, every: bool) -> None:
    print_line(found.text, "bold")
    rows = []
    for t in found.every if every else found.terms:
        error = f"{t.standard_error:.2g}" if t.coefficient else ""
        often = "" if t.frequency is None else f"{t.frequency:.0%}"
        rows.append((t.text, f"{t.coefficient:.6g}", error, often))
    if rows:
        print_table(("term", "coefficient", "± standard error", "chosen"), rows)
    print_sizes(found)
    noise = ", ".join(f"{name} {part:.2g}" for name, part in found.noise.items())
    print_line(
        f"{len(found.terms)} of {len(found.every)} terms of {found.group}, {found.form} form; "
        f"{found.unexplained:.2g} of ∂_t {found.target} is left; noise: {noise}"
    )
    if not found.is_explained:
        print_line(
            f"? no equation for {found.target}: what is left is {found.noise_ratio:.3g} times what noise leaves",
            "yellow",
        )
