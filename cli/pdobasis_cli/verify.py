"""pdobasis verify: prove a saved basis again."""

from __future__ import annotations

from pathlib import Path

import click

from pdobasis_cli.console import print_line, progress


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the certificate as JSON.")
def command(file: Path, as_json: bool) -> None:
    """Prove the basis in FILE again; nothing in it is believed but the question and the elements.

    Exit code 0: proved. 1: some claim is false. 2: the file cannot be read.
    """
    from pdobasis.files.json_file import load_basis
    from pdobasis_cli.solve import question_text

    with progress() as report:
        basis = load_basis(file, report)
    certificate = basis.certificate
    if as_json:
        import json

        click.echo(json.dumps({"file": str(file), "proved": certificate.holds, "certificate": certificate.to_json()}))
    else:
        print_line(question_text(basis.problem), "bold")
        for claim, holds, how in (
            ("equivariant", certificate.equivariant, certificate.how_equivariant),
            ("independent", certificate.independent, certificate.how_independent),
            ("complete", certificate.complete, certificate.how_complete),
        ):
            print_line(f"{'✓' if holds else '✗'} {claim}: {how}", "green" if holds else "red")
        for failure in certificate.failures():
            click.echo(f"{file}: {failure}", err=True)
        print_line(f"{'proved' if certificate.holds else 'NOT proved'}: {basis.dimension} elements", "bold")
    if not certificate.holds:
        raise click.exceptions.Exit(1)
