"""solve --self-adjoint, --skew and --through: operators of a basis with a property, and as compositions of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from pdobasis_cli.console import print_line, print_table

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis


def check_operators(
    self_adjoint: bool, skew: bool, through: tuple[str, ...], others: dict[str, Any]
) -> bool:
    """Whether one of the three is asked for; two of them, or with what they have no meaning for, are refused."""
    asked = {"--self-adjoint": self_adjoint, "--skew": skew, "--through": bool(through)}
    given = [option for option, value in asked.items() if value]
    if len(given) > 1:
        raise click.UsageError(f"one of {' and '.join(given)}")
    for option, value in others.items():
        if given and value:
            raise click.UsageError(f"{given[0]} is about operators: leave out {option}")
    return bool(given)


def print_operators(
    basis: Basis, self_adjoint: bool, through: tuple[str, ...], as_json: bool
) -> None:
    """What was asked for, for a reader or as JSON."""
    if through:
        _print_factors(basis, through, as_json)
    else:
        _print_adjoint(basis, self_adjoint, as_json)


def _print_adjoint(basis: Basis, self_adjoint: bool, as_json: bool) -> None:
    from pdobasis.answer.told import question_text

    space = basis.self_adjoint() if self_adjoint else basis.skew()
    if as_json:
        operators = [
            {"operator": op.strings(), "order": op.order, "name": op.name}
            for op in space
        ]
        kind = "self-adjoint" if self_adjoint else "skew"
        answer = {"structure": kind, "dimension": len(space), "operators": operators}
        import json

        click.echo(json.dumps(answer))
        return
    print_line(question_text(basis.problem), "bold")
    rows = [(str(k), op.name or "", str(op)) for k, op in enumerate(space, start=1)]
    if rows:
        print_table(("", "name", "operator"), rows)
    sign = "P" if self_adjoint else "-P"
    print_line(f"P* = {sign}: dimension {len(space)} of {basis.dimension}", "bold")


def _print_factors(basis: Basis, through: tuple[str, ...], as_json: bool) -> None:
    from pdobasis.algebra.spaces import factorise
    from pdobasis.answer.told import question_text

    # the factors have lower orders than what they make
    found = factorise(basis, through, max(1, basis.problem.order - 1))
    if as_json:
        listed = [
            {
                "operator": f.operator.strings(),
                "is_composition": f.terms is not None,
                "text": str(f),
            }
            for f in found
        ]
        import json

        click.echo(json.dumps({"through": list(through), "elements": listed}))
        return
    print_line(question_text(basis.problem), "bold")
    for each in found:
        print_line(str(each))
    number = sum(f.terms is not None for f in found)
    print_line(f"compositions: {number} of {len(found)} elements", "bold")
