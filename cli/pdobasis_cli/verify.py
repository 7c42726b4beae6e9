"""pdobasis verify: prove a saved basis again, and sample its stencils again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import MARKS, print_line, progress

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.reference.judge import Judgement


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
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
def command(file: Path, as_json: bool, independent: bool, symbolic: bool) -> None:
    """Prove the basis in FILE again; nothing in it is believed but the question and the elements.

    Whatever else it says is computed again and compared, the numbers of a stencil file too.

    With --independent a plain program of one file checks it as well, from the matrices in FILE alone. It can be read
    in ten minutes and runs without pdobasis: python check_pdobasis.py FILE.

    With --symbolic the reference engine judges them once more: the constraint by substitution of symbolic group
    elements, the number by its own null space.

    Exit code 0: proved. 1: some claim is false. 2: the file cannot be read.
    """
    from pdobasis.files.formats import open_file
    from pdobasis.files.stencil_proof import prove_again
    from pdobasis.files.verified import verify_contents

    extra: dict[str, Any] = {}
    with progress() as report:
        found = open_file(file)
        if isinstance(found, dict):
            verified = verify_contents(file, found, report)
            basis, failures, remarks = (
                verified.basis,
                list(verified.failures),
                verified.remarks,
            )
        else:
            proof = prove_again(found, report)
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
        click.echo(f"{file}: {remark}", err=True)
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
    import json
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
    click.echo(json.dumps(data))


def _print(
    file: Path,
    basis: Basis,
    failures: list[str],
    extra: dict[str, Any],
    symbolic: list[Judgement],
) -> None:
    from pdobasis_cli.solve import question_text

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
        click.echo(f"{file}: {failure}", err=True)
    verdict = "NOT proved"
    if certificate.holds and not failures and all(claim.holds for claim in symbolic):
        verdict = "proved"
    print_line(f"{verdict}: {basis.dimension} elements", "bold")
