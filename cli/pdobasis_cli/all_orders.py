"""Generators of all orders for a reader, a program, or a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import MARKS, layout_of, print_line, print_table, progress
from pdobasis_cli.output import is_stdout, write_all

if TYPE_CHECKING:
    from pdobasis.modules.module_basis import ModuleBasis
    from pdobasis.question.problem import Problem

LONGEST = 200
"""Characters of an invariant that are printed."""


def deliver_module(
    found: ModuleBasis, as_json: bool, as_latex: bool, output: Path | None, show: int
) -> None:
    from pdobasis.files.module_file import dump_module

    text = ""
    if output is not None:
        text = dump_module(found, with_witness=True)
    written = write_all([(output, text)])
    if is_stdout(output):
        pass
    elif as_json:
        click.echo(dump_module(found), nl=False)
    elif as_latex:
        for invariant in found.invariants:
            click.echo(f"{invariant.latex_name} = {invariant.latex()}")
        for k, generator in enumerate(found.generators, start=1):
            click.echo(f"D_{{{k}}} = {generator.latex()}")
        click.echo(found.hilbert.latex())
    else:
        print_module(found, show)
    written.tell()


def verify_all_orders(
    file: Path, data: dict[str, Any], as_json: bool, otherwise: bool
) -> None:
    """Prove the generators of a file again; exit code 1 when something is false."""
    from pdobasis.files.module_file import verify_module

    if otherwise:
        raise click.UsageError(
            "--independent and --symbolic check a basis up to an order, and FILE holds generators of all orders"
        )
    with naming(file), progress() as report:
        module, failures = verify_module(data, report)
    proved = module.certificate.holds and not failures
    for failure in failures:
        click.echo(f"{file}: {failure}", err=True)
    if as_json:
        answer = {
            "file": str(file),
            "proved": proved,
            "certificate": module.certificate.to_json(),
            "failures": failures,
        }
        click.echo(json.dumps(answer))
    else:
        print_line(question_text(module.problem), "bold")
        print_claims(module)
        verdict = "proved" if proved else "NOT proved"
        print_line(f"{verdict}: {len(module)} generators", "bold")
    if not proved:
        raise click.exceptions.Exit(1)


def show_all_orders(file: Path, data: dict[str, Any], show: int, as_json: bool) -> None:
    from pdobasis.files.module_file import module_from_json

    with naming(file), progress() as report:
        module = module_from_json(data, report)
    deliver_module(module, as_json, False, None, show)


@contextmanager
def naming(file: Path) -> Iterator[None]:
    """An error in a file says in which."""
    from pdobasis.errors import FileFormatError, PdoBasisError, ProofError

    try:
        yield
    except ProofError as error:
        raise ProofError(f"{file}: not proved: {error}") from None
    except PdoBasisError as error:
        raise FileFormatError(f"{file}: {error}") from None


def print_module(found: ModuleBasis, show: int) -> None:
    print_line(question_text(found.problem), "bold")
    for invariant in found.invariants:
        print_line(f"{invariant.name} = {_shortened(str(invariant))}")
    if len(found):
        print_table(("order", "name", "generator"), _rows(found, show))
    print_line(sentence(found), "bold")
    print_claims(found)


def question_text(problem: Problem) -> str:
    from pdobasis.answer.told import question_text as with_order

    before, _, _ = with_order(problem).rpartition(", order ≤")
    return f"{before}, all orders"


def sentence(found: ModuleBasis) -> str:
    """What the answer says, in one line."""
    if not len(found):
        return "There are no equivariant PDOs of any order; Hilbert series 0"
    names = ", ".join(invariant.name for invariant in found.invariants)
    factor = "c_k"
    if names:
        factor = f"q_k({names})"
    orders = sorted({g.order for g in found.generators})
    plural = "s" * (len(found) != 1)
    return (
        f"all equivariant PDOs are Σ {factor} D_k: {len(found)} generator{plural}, of order{'s' * (len(orders) != 1)} "
        f"{_listed(orders)}; Hilbert series {found.hilbert}"
    )


def print_claims(found: ModuleBasis) -> None:
    for claim in found.certificate.told:
        mark, colour = MARKS[claim.holds]
        print_line(f"{mark} {claim.what}: {claim.how}", colour)


def _rows(found: ModuleBasis, show: int) -> list[tuple[str, ...]]:
    from pdobasis.answer.told import operator_text

    layout = layout_of(show)
    rows: list[tuple[str, ...]] = []
    start = 0
    for order, number in found.carrier.dimensions.items():
        for generator in found.generators[start : start + min(number, show)]:
            rows.append(
                (str(order), generator.name or "", operator_text(generator, layout))
            )
        if number > show:
            more = (
                f"… and {number - show} more (--show {number}, --json or -o FILE.json)"
            )
            rows.append((str(order), "", more))
        start += number
    return rows


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return text[:LONGEST].rsplit(" ", 1)[0] + " …"


def _listed(orders: list[int]) -> str:
    if len(orders) == 1:
        return str(orders[0])
    return f"{', '.join(map(str, orders[:-1]))} and {orders[-1]}"
