"""Options of the commands that work on stencils: a file or a question, and how it is discretized."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pdobasis.answer.basis import Basis
    from pdobasis.files.stencil_file import StencilFile

F = TypeVar("F", bound=Callable[..., Any])


Callback = Callable[[click.Context, click.Parameter, str | None], Any]


def numbers(what: str, read: Callable[[str], Any]) -> Callback:
    """One number, or one for each axis: 5 or 5,3."""

    def callback(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
        if value is None:
            return None
        try:
            found = tuple(read(part.strip()) for part in value.split(","))
        except (ValueError, ZeroDivisionError):
            raise click.BadParameter(f"{value!r}: expected one {what}, or one for each axis (x1 first): 5,3") from None
        return found[0] if len(found) == 1 else found

    return callback


def offsets(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
    """One place for each component: 1/2,0;0,1/2."""
    if value is None:
        return None
    try:
        return tuple(tuple(Fraction(s.strip()) for s in place.split(",")) for place in value.split(";"))
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(f"{value!r}: expected a place for each component: '1/2,0;0,1/2'") from None


def source_options(function: F) -> F:
    """FILE, or --group, --in, --out, --order."""
    for decorator in (
        click.option("--max-unknowns", default=5_000_000, show_default=True, help="Refuse larger questions."),
        click.option("--max-elements", default=10_000, show_default=True, help="Largest finite group that is made."),
        click.option("--partial-order", type=int, help="Largest order in each variable."),
        click.option("--order", "-n", type=int, help="Largest order of a derivative.  [default: 2]"),
        click.option("--out", "out_rep", help="Output representation."),
        click.option("--in", "in_rep", help="Input representation."),
        click.option("--dim", type=click.IntRange(1, 24), help="Dimension, where the name leaves it open."),
        click.option("--group", "-g", help="A group, instead of FILE."),
        click.argument("file", required=False, type=click.Path(path_type=Path)),
    ):
        function = decorator(function)
    return function


STENCIL_OPTIONS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "stencil": (("--stencil",), {"help": "fd, rbffd, gauss or kernel.  [default: gauss]"}),
    "size": (("--size",), {"callback": numbers("whole number", int), "help": "Points along each axis.  [default: 5]"}),
    "sigma": (("--sigma",), {"callback": numbers("number", float), "help": "gauss: standard deviation.  [0.26 size]"}),
    "normalize": (("--normalize",), {"help": "gauss: 'moments' makes stencils exact on monomials up to the order."}),
    "spacing": (("--spacing",), {"callback": numbers("number", Fraction), "help": "Distance of the points.  [1]"}),
    "dilation": (("--dilation",), {"callback": numbers("whole number", int), "help": "Take every k-th point.  [1]"}),
    "phi": (("--phi",), {"help": "rbffd: phs3, phs5, gaussian, multiquadric, wendland_c4, …  [phs3]"}),
    "epsilon": (("--epsilon",), {"type": float, "help": "rbffd: shape parameter.  [1]"}),
    "degree": (("--degree",), {"type": int, "help": "rbffd: degree of the polynomials, -1 for none.  [the order]"}),
    "radii": (("--radii",), {"callback": numbers("number", float), "help": "kernel: radii of the rings."}),
    "widths": (("--widths",), {"callback": numbers("number", float), "help": "kernel: widths of the rings."}),
    "band_limit": (("--band-limit",), {"type": float, "help": "kernel: largest angular order per radius.  [3]"}),
    "layout": (("--layout",), {"help": "grid (x2 grows with the row) or image (upwards).  [grid]"}),
    "in_offsets": (("--in-offsets",), {"callback": offsets, "help": "Staggered grid: places such as '1/2,0;0,1/2'."}),
    "out_offsets": (("--out-offsets",), {"callback": offsets, "help": "Staggered grid: places of the output."}),
}


def stencil_options(function: F) -> F:
    for name, (flags, settings) in reversed(STENCIL_OPTIONS.items()):
        function = click.option(*flags, name, **settings)(function)
    return function


def stencils_from(file: Path | None, given: dict[str, Any], report: Callable[[str], None]) -> StencilFile:
    """The stencils that FILE or the question, with the options, stand for."""
    from pdobasis.files import load_stencils
    from pdobasis.files.formats import is_stencil_file
    from pdobasis.files.stencil_file import contents
    from pdobasis.stencils.sampled import sample

    options = {name: given.get(name) for name in STENCIL_OPTIONS}
    if file is not None and is_stencil_file(file) and all(v is None for v in options.values()):
        _refuse_question(given)
        return load_stencils(file)
    basis = basis_from(file, given, report)
    report("sampling")
    method, size = options.pop("stencil") or "gauss", options.pop("size")
    options["radii"] = _tuple(options["radii"])
    return contents(basis, sample(basis, method, 5 if size is None else size, **options))


def basis_from(file: Path | None, given: dict[str, Any], report: Callable[[str], None]) -> Basis:
    """The basis in FILE, proved again, or that of the question."""
    from pdobasis.answer.solve import ask, solve_problem
    from pdobasis.errors import ProofError
    from pdobasis.files import load_stencils
    from pdobasis.files.formats import is_stencil_file
    from pdobasis.files.json_file import basis_from_json, load_basis

    if file is None:
        if missing := [flag for flag, name in _REQUIRED.items() if given.get(name) is None]:
            raise click.UsageError(f"give FILE, or a question: {', '.join(missing)} {_verb(missing)} missing")
        problem = ask(
            given["group"],
            given["in_rep"],
            given["out_rep"],
            given["order"],
            partial_order=given["partial_order"],
            kernel=given["stencil"] == "kernel",
            dim=given["dim"],
            limit=given["max_elements"],
        )
        return solve_problem(problem, max_unknowns=given["max_unknowns"], progress=report)
    _refuse_question(given)
    basis = basis_from_json(load_stencils(file).meta, report) if is_stencil_file(file) else load_basis(file, report)
    if not basis.certificate.holds:
        raise ProofError(f"{file}: " + "; ".join(basis.certificate.failures()))
    return basis


_REQUIRED = {"--group": "group", "--in": "in_rep", "--out": "out_rep"}


def _refuse_question(given: dict[str, Any]) -> None:
    names = {**_REQUIRED, "--order": "order", "--partial-order": "partial_order", "--dim": "dim"}
    if extra := [flag for flag, name in names.items() if given.get(name) is not None]:
        raise click.UsageError(f"the question is in FILE already: leave out {', '.join(extra)}, or FILE")


def _verb(items: list[str]) -> str:
    return "is" if len(items) == 1 else "are"


def _tuple(value: Any) -> Any:
    return (value,) if isinstance(value, (int, float)) else value
