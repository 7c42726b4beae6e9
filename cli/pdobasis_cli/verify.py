"""pdobasis verify: prove a saved basis again, and sample its stencils again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.all_orders import verify_all_orders
from pdobasis_cli.console import MARKS, json_text, print_line, progress, shown
from pdobasis_cli.options import size_option

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.reference.judge import Judgement


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
@size_option
@click.option("--json", "as_json", is_flag=True, help="Print the certificate as JSON.")
@click.option(
    "--independent",
    is_flag=True,
    help="Check it with check_pdobasis.py too, which shares no line with us.",
)
@click.option(
    "--symbolic",
    is_flag=True,
    help="Judge it in SymPy too, with symbolic group elements; small questions.",
)
def command(
    file: Path, as_json: bool, independent: bool, symbolic: bool, max_unknowns: int
) -> None:
    """Prove the basis in FILE again; nothing in it is believed but the question and the elements.

    Whatever else it says is computed again and compared, the numbers of a stencil file too.

    With --independent a plain program of one file checks it as well, from the matrices in FILE alone. It can be read
    in ten minutes and runs without pdobasis: python check_pdobasis.py FILE.

    With --symbolic the reference engine judges them once more: the constraint by substitution of symbolic group
    elements, the number by its own null space.

    Exit code 0: proved. 1: some claim is false. 2: the file cannot be read.
    """
    from pdobasis.files.formats import open_file
    from pdobasis.files.module_file import is_module
    from pdobasis.files.stencil_proof import prove_again
    from pdobasis.files.verified import verify_contents
    from pdobasis.nonlinear.file import open_terms

    # a pipe can be read once, and is left to the reader of bases
    if file.is_file() and (terms := open_terms(file)) is not None:
        verify_terms_file(file, terms, as_json, independent or symbolic)
        return
    extra: dict[str, Any] = {}
    with progress():
        found = open_file(file)
    if isinstance(found, dict) and is_module(found):
        verify_all_orders(file, found, as_json, independent or symbolic)
        return
    with progress() as report:
        if isinstance(found, dict):
            verified = verify_contents(file, found, report, max_unknowns)
            basis, failures, remarks = (
                verified.basis,
                list(verified.failures),
                verified.remarks,
            )
        else:
            proof = prove_again(found, report, max_unknowns)
            basis, failures, remarks = proof.basis, list(proof.failures), proof.remarks
            extra = {"stencils": {"difference": proof.difference, "how": proof.how}}
        claims: list[Judgement] = []
        if symbolic:
            claims = judged(basis, report)
        if independent:
            report("checking independently")
            meta = found if isinstance(found, dict) else found.meta
            extra["independent"] = checked_independently(file, meta, failures)
    for remark in remarks:
        click.echo(shown(f"{file}: {remark}"), err=True)
    if as_json:
        _print_json(file, basis, failures, extra, claims)
    else:
        _print(file, basis, failures, extra, claims)
    if (
        failures
        or not basis.certificate.holds
        or not all(claim.holds for claim in claims)
    ):
        raise click.exceptions.Exit(1)


def verify_terms_file(
    file: Path, data: dict[str, Any], as_json: bool, more: bool
) -> None:
    """A file of terms: proved multidegree by multidegree."""
    import json

    from pdobasis.nonlinear.file import verify_terms

    if more:
        raise click.UsageError(
            "--independent and --symbolic are for bases; a file of terms is proved by its own action on polynomials"
        )
    with progress() as report:
        found = verify_terms(data, report)
    for remark in found.remarks:
        click.echo(shown(f"{file}: {remark}"), err=True)
    if as_json:
        answer = {
            "file": str(file),
            "proved": found.holds,
            "dimension": found.dimension,
        }
        click.echo(json.dumps({**answer, "failures": list(found.failures)}))
    else:
        mark, style = MARKS[found.holds]
        verdict = "proved again" if found.holds else "NOT proved"
        print_line(f"{mark} {file}: {found.dimension} terms, {verdict}", style)
        for failure in found.failures:
            click.echo(failure)
    if not found.holds:
        raise click.exceptions.Exit(1)


def judged(basis: Basis, report: Callable[[str], None]) -> list[Judgement]:
    """What the reference engine says of the question and the elements."""
    from pdobasis.reference.judge import judge

    return judge(
        basis.problem,
        [(b.in_index, b.out_index, b.orders) for b in basis.blocks],
        report,
    )


def checked_independently(
    file: Path, meta: dict[str, Any], failures: list[str]
) -> list[str]:
    """What check_pdobasis.py says of the file; what it refutes is a failure."""
    from pdobasis.errors import FileFormatError
    from pdobasis.reference.check_pdobasis import Refuted, Unreadable, check

    try:
        return check(meta)
    except Refuted as error:
        failures.append(f"check_pdobasis.py: {error}")
        return []
    except Unreadable as error:
        raise FileFormatError(
            f"{file}: not checked by check_pdobasis.py: {error}"
        ) from None


def _print_json(
    file: Path,
    basis: Basis,
    failures: list[str],
    extra: dict[str, Any],
    symbolic: list[Judgement],
) -> None:
    from dataclasses import asdict

    proved = (
        basis.certificate.holds
        and not failures
        and all(claim.holds for claim in symbolic)
    )
    data = {
        "file": str(file),
        "proved": proved,
        "certificate": basis.certificate.to_json(),
        **extra,
    }
    if symbolic:
        data["symbolic"] = [asdict(claim) for claim in symbolic]
    if extra or failures:
        data["failures"] = failures
    click.echo(json_text(data))


def _print(
    file: Path,
    basis: Basis,
    failures: list[str],
    extra: dict[str, Any],
    symbolic: list[Judgement],
) -> None:
    from pdobasis.answer.family import counted
    from pdobasis.answer.told import question_text

    certificate = basis.certificate
    print_line(question_text(basis.problem), "bold")
    claims = [(claim.what, claim.holds, claim.how) for claim in certificate.told]
    if "stencils" in extra:
        same = len(failures) == len(certificate.failures())
        claims.append(
            (
                "stencils",
                same,
                "sampled again from the elements, equal " + extra["stencils"]["how"],
            )
        )
    claims += [(f"{own.what} (SymPy)", own.holds, own.how) for own in symbolic]
    for line in extra.get("independent", []):
        what, _, how = line.partition(": ")
        claims.append((f"{what} (check_pdobasis)", True, how))
    for claim, holds, how in claims:
        mark, colour = MARKS[holds]
        print_line(f"{mark} {claim}: {how}", colour)
    for failure in failures:
        click.echo(shown(f"{file}: {failure}"), err=True)
    verdict = "NOT proved"
    if certificate.holds and not failures and all(claim.holds for claim in symbolic):
        verdict = "proved"
    print_line(f"{verdict}: {counted(basis.dimension, 'element')}", "bold")
