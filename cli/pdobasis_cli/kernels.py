"""Polynomial kernels for a reader, a program, or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pdobasis_cli.console import MARKS, bracketed, json_text, print_line, print_table
from pdobasis_cli.output import is_stdout, write_all

if TYPE_CHECKING:
    from pdobasis.answer.kernels import PolynomialKernels


def deliver(
    found: PolynomialKernels,
    as_json: bool,
    as_latex: bool,
    output: Path | None,
    show: int,
) -> None:
    """Into the file first: whoever reads what is printed may stop reading."""
    from pdobasis.files.json_file import dump

    text = dump(found.as_read(), with_witness=True) if output else ""
    written = write_all([(output, text)])
    if is_stdout(output):
        pass
    elif as_json:
        click.echo(json_text(found.to_json(), indent=1))
    elif as_latex:
        for kernel in found:
            click.echo(kernel.latex())
    else:
        print_kernels(found, show)
    written.tell()


def print_kernels(found: PolynomialKernels, show: int) -> None:
    p = found.problem
    print_line(
        f"{p.group.name} (dimension {p.group.dim}): {p.in_type} (size {p.in_type.size}) → {p.out_type} "
        f"(size {p.out_type.size}), polynomial kernels of order ≤ {p.order}",
        "bold",
    )
    if found.dimension:
        print_table(("order", "kernel"), rows(found, show))
    else:
        print_line(f"There are no polynomial kernels of order ≤ {p.order}.")
    counts = ", ".join(f"{k} of order {n}" for n, k in found.dimensions.items())
    print_line(
        f"{found.dimension} element{'s' * (found.dimension != 1)}: {counts}", "bold"
    )
    for claim in found.certificate.told:
        mark, colour = MARKS[claim.holds]
        print_line(f"{mark} {claim.what}: {claim.how}", colour)


def rows(found: PolynomialKernels, show: int) -> list[tuple[str, str]]:
    out: list[tuple[str, str]] = []
    for order, number in found.dimensions.items():
        own = [kernel for kernel in found.elements if kernel.order == order]
        out += [(str(order), bracketed(kernel.pretty())) for kernel in own[:show]]
        if number > show:
            out.append(
                (str(order), f"… and {number - show} more (--show {number}, or --json)")
            )
    return out
