"""A discretization, a format and a command that this module adds: used through everything, and gone again."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result
from pdobasis_cli import main
from pdobasis_cli.commands import COMMANDS

import pdobasis
from pdobasis.errors import FileFormatError, SpecError
from pdobasis.files import export_stencils, formats, load_stencils
from pdobasis.files.format import Format
from pdobasis.files.npz import from_bytes, to_bytes
from pdobasis.stencils import Grid, finite_difference, registry
from pdobasis.stencils.discretization import Derivatives
from pdobasis.stencils.errors import StencilError
from pdobasis.stencils.multi_index import MultiIndex
from pdobasis.stencils.options import Kind, option
from pdobasis.stencils.results import MonomialStencils

QUESTION = ["--group", "D4", "--in", "trivial", "--out", "vector", "--order", "1"]


@dataclass(frozen=True, slots=True)
class ToyOptions:
    toy_option: float | None = option(Kind.NUMBER, "what the weights are multiplied by.  [the order]")
    marks: Sequence[float] | None = option(Kind.LIST, "numbers that change nothing.")


class Toy(Derivatives[ToyOptions]):
    """Finite differences, scaled."""

    name = "toy"
    Options = ToyOptions

    def completed(self, options: ToyOptions, grid: Grid, order: int) -> ToyOptions:
        if options.toy_option is not None:
            return options
        return replace(options, toy_option=float(order))

    def stencils(self, alphas: Sequence[MultiIndex], grid: Grid, options: ToyOptions) -> MonomialStencils:
        if options.toy_option is None or options.toy_option <= 0:
            raise StencilError(f"toy_option has to be positive, got {options.toy_option}")
        return MonomialStencils(tuple(alphas), grid, finite_difference(alphas, grid).weights * options.toy_option)


@pytest.fixture
def toy() -> Iterator[None]:
    with registry.registered(Toy()):
        yield
    assert "toy" not in registry.names()


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.mark.usefixtures("toy")
def test_a_discretization_is_used_through_the_command_line_and_a_file(tmp_path: Path) -> None:
    path = tmp_path / "toy.npz"
    written = run(
        "export", *QUESTION, "--stencil", "toy", "--size", "3", "--toy-option", "3", "--marks", "1", "-o", path
    )
    assert written.exit_code == 0, written.output
    file = load_stencils(path)
    basis = pdobasis.solve("D4", "trivial", "vector", order=1)
    np.testing.assert_array_equal(file.stencils, 3 * basis.stencils("fd", 3))
    assert file.meta["discretization"]["options"] == {"marks": [1.0], "toy_option": 3.0}
    assert "equal bit by bit" in run("verify", path).output
    assert "toy 3x3, marks=1, toy_option=3" in run("show", path).output
    assert run("error", path, "--runs", "1").exit_code == 0
    assert run("error", *QUESTION, "--stencil", "toy", "--size", "3", "--runs", "1", "--json").exit_code == 0
    assert (
        "toy_option has to be positive"
        in run("export", *QUESTION, "--stencil", "toy", "--toy-option", "-1", "-o", path).output
    )


@pytest.mark.usefixtures("toy")
def test_its_options_are_in_every_help_and_refusal() -> None:
    for command in ("export", "error", "plot"):
        help_text = run(command, "--help").output
        assert "toy: what the weights are multiplied by. [the order]" in " ".join(help_text.split())
        assert "fd, rbffd, gauss, kernel or toy." in help_text
    assert "toy" in run("report", "--help").output
    assert (
        "'--toy-option'" in run("export", *QUESTION, "--stencil", "toy", "--toy-option", "x", "--format", "json").output
    )
    refused = run("export", *QUESTION, "--stencil", "toi", "--format", "json")
    assert "did you mean toy? (one of fd, rbffd, gauss, kernel, toy)" in refused.output
    basis = pdobasis.solve("D4", "trivial", "vector", order=1)
    with pytest.raises(SpecError, match="'toy' has no option 'sigma'; it has toy_option, marks, spacing"):
        basis.stencils("toy", 3, sigma=1.0)
    with pytest.raises(SpecError, match="stencil 'toy' already"):
        registry.register(Toy())


@pytest.mark.usefixtures("toy")
def test_a_file_is_held_to_the_kinds_of_its_options(tmp_path: Path) -> None:
    from pdobasis.files.stencil_meta import check_meta

    basis = pdobasis.solve("D4", "trivial", "vector", order=1)
    export_stencils(basis, tmp_path / "toy.json", "toy", 3, marks=(1.0, 2.0))  # type: ignore[call-arg]
    meta = load_stencils(tmp_path / "toy.json").meta
    for name, value in (("toy_option", [1.0]), ("toy_option", "x"), ("marks", 1.0)):
        changed = {**meta, "discretization": {**meta["discretization"], "options": {name: value}}}
        with pytest.raises(FileFormatError, match="options: names, numbers"):
            check_meta(changed)


@pytest.mark.usefixtures("toy")
def test_a_discretization_is_used_in_layers(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from pdobasis.nn import PDOConv2d, PDOPointConv

    layer = PDOConv2d("D4", "trivial", "vector", order=1, size=3, stencil="toy", toy_option=2.0)  # type: ignore[call-arg]
    plain = PDOConv2d("D4", "trivial", "vector", order=1, size=3, stencil="fd")
    layer.coefficients = 1
    plain.coefficients = 2
    torch.testing.assert_close(layer.filter(), plain.filter())
    assert "toy, toy_option=2.0" in repr(layer)
    basis = pdobasis.solve("D4", "trivial", "vector", order=1)
    export_stencils(basis, tmp_path / "toy.npz", "toy", 3, toy_option=2.0)  # type: ignore[call-arg]
    again = PDOConv2d.from_file(str(tmp_path / "toy.npz"))
    again.load_state_dict(layer.state_dict())
    torch.testing.assert_close(again.filter(), layer.filter())
    PDOConv2d("D4", "trivial", "vector", order=1, size=3, stencil=["fd", ("toy", {"toy_option": 5.0})])
    with pytest.raises(SpecError, match=r"unknown stencil for points 'toy'.*one of rbffd, gauss"):
        PDOPointConv("D4", "trivial", "vector", stencil="toy")


def test_without_registration_nothing_is_left(tmp_path: Path) -> None:
    with registry.registered(Toy()):
        basis = pdobasis.solve("D4", "trivial", "vector", order=1)
        export_stencils(basis, tmp_path / "toy.npz", "toy", 3)
    assert "No such option" in run("export", *QUESTION, "--toy-option", "3", "--format", "json").output
    assert "toy" not in run("export", "--help").output
    with pytest.raises(FileFormatError, match=r"expected stencil \(fd, rbffd, gauss, kernel\) and layout"):
        load_stencils(tmp_path / "toy.npz")


MAGIC = b"TOY1"
TOY_FORMAT = Format(
    "toy",
    (".toy",),
    write=lambda file: MAGIC + to_bytes(file),
    read=lambda data: from_bytes(data[len(MAGIC) :]),
    recognise=lambda data: data.startswith(MAGIC),
)
TOY_TEXT = Format("list", (".list",), write=lambda file: repr(file.orders.tolist()).encode(), is_text=True)


def test_a_format_is_written_recognised_and_verified(tmp_path: Path) -> None:
    path = tmp_path / "gradient.toy"
    with formats.registered(TOY_FORMAT), formats.registered(TOY_TEXT):
        assert run("export", *QUESTION, "-o", path).exit_code == 0
        assert path.read_bytes().startswith(MAGIC)
        assert "equal bit by bit" in run("verify", path).output
        assert run("export", path, "-o", tmp_path / "back.npz").exit_code == 0
        assert load_stencils(tmp_path / "back.npz").meta == load_stencils(path).meta
        assert run("export", *QUESTION, "--format", "list").output == "[1]"
        assert "npz, safetensors, json, pt, python, jax, findiff, devito, c, cuda, latex, toy or list." in " ".join(
            run("export", "--help").output.split()
        )
        assert "json, python, jax, findiff, devito, c, cuda, latex or list, which can be printed" in " ".join(
            run("export", *QUESTION).output.split()
        )
        with pytest.raises(SpecError, match=r"\.tex, \.toy, \.list, or format="):
            formats.save(load_stencils(path), tmp_path / "gradient.none")
        with pytest.raises(SpecError, match="format 'toy' or one with its suffixes"):
            formats.register(TOY_FORMAT)
    with pytest.raises(FileFormatError, match=r"expected \.npz, \.safetensors, \.json or \.pt written"):
        load_stencils(path)
    assert "has to end in one of" in run("export", *QUESTION, "-o", path).output


def test_a_command_is_a_file_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in COMMANDS:
        assert run(name, "--help").exit_code == 0

    @click.command("toy")
    def command() -> None:
        click.echo("played")

    module = ModuleType("pdobasis_cli.toy")
    module.command = command  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pdobasis_cli.toy", module)
    monkeypatch.setitem(COMMANDS, "toy", "Play.")
    assert re.search(r"^  toy +Play\.$", run("--help").output, flags=re.M)
    assert run("toy").output == "played\n"
