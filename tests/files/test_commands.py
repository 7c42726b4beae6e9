"""export, verify, show, plot and error as they are typed."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from pdobasis_cli import main

from pdobasis.files import load_stencils
from pdobasis.files.formats import save
from pdobasis.files.stencil_file import StencilFile, checksum

D8 = ["--group", "D8", "--in", "regular", "--out", "trivial"]
GRADIENT = ["--group", "D4", "--in", "trivial", "--out", "vector", "--order", "1", "--stencil", "fd", "--size", "3"]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def test_the_example_of_the_readme(tmp_path: Path) -> None:
    path = tmp_path / "d8.npz"
    written = run("export", *D8, "--stencil", "gauss", "--size", "5", "--sigma", "1.3", "-o", path)
    assert (written.exit_code, written.stdout) == (0, "")
    assert f"wrote {path}" in written.stderr
    assert load_stencils(path).stencils.shape == (6, 1, 16, 5, 5)
    verified = run("verify", path)
    assert verified.exit_code == 0
    assert "equal bit by bit" in verified.stdout
    assert json.loads(run("verify", path, "--json").stdout)["proved"] is True
    shown = run("show", path, "--show", "2", "--entries", "1")
    assert "D8: regular → trivial, order ≤ 2, 6 elements" in shown.stdout
    assert "-0.0341286 -0.0414531          0  0.0414531  0.0341286" in shown.stdout
    assert "\x1b" not in shown.stdout
    assert json.loads(run("show", path, "--json").stdout)["shapes"]["stencils"] == [6, 1, 16, 5, 5]


def test_a_basis_file_is_sampled_and_a_stencil_file_converted(tmp_path: Path) -> None:
    assert run("solve", *D8, "-o", tmp_path / "d8.json").exit_code == 0
    assert (
        run("export", tmp_path / "d8.json", "--stencil", "fd", "--size", "3", "-o", tmp_path / "a.npz").exit_code == 0
    )
    assert run("export", tmp_path / "a.npz", "-o", tmp_path / "b.json").exit_code == 0
    assert load_stencils(tmp_path / "a.npz").meta == load_stencils(tmp_path / "b.json").meta
    assert run("export", tmp_path / "b.json", "--stencil", "gauss", "-o", tmp_path / "c.npz").exit_code == 0
    assert load_stencils(tmp_path / "c.npz").meta["discretization"]["stencil"] == "gauss"
    assert "operator" in run("show", tmp_path / "d8.json").stdout


def test_texts_are_printed_without_a_name() -> None:
    assert "def apply(field, weights=None" in run("export", *GRADIENT, "--format", "python").stdout
    assert r"\tfrac{1}{2}" in run("export", *GRADIENT, "--format", "latex").stdout
    assert json.loads(run("export", *GRADIENT, "--format", "json").stdout)["orders"] == [1]


def test_a_staggered_grid(tmp_path: Path) -> None:
    path = tmp_path / "c.npz"
    assert run("export", *GRADIENT, "--out-offsets", "1/2,0;0,1/2", "-o", path).exit_code == 0
    assert load_stencils(path).stencils[0, 0, 0].tolist() == [[0, 0, 0], [0, -1, 1], [0, 0, 0]]
    assert run("verify", path).exit_code == 0
    assert "7 more" not in run("error", path).stdout
    assert run("error", path).exit_code == 0


def test_error_tells_each_kind_by_itself(tmp_path: Path) -> None:
    text = run("error", "--group", "D8", "--in", "trivial", "--out", "vector", "--stencil", "fd", "--runs", "2").stdout
    assert "O(h^4)" in text
    assert "[0 1; 1 0]            reflection  bit by bit" in text
    assert "rotation by 45°" in text
    assert "✓ exactly equivariant under the 3 rotations and 4 reflections" in text
    data = json.loads(run("error", *GRADIENT, "--json", "--moments").stdout)
    assert data["exact_on_grid"] is True
    assert data["elements"][0]["accuracy"] == 2
    assert data["elements"][0]["observed_order"] == pytest.approx(2, abs=0.1)
    assert "x1        1      1" in run("error", *GRADIENT, "--moments").stdout


def forge(path: Path, stencils: np.ndarray) -> None:
    file = load_stencils(path)
    arrays = {**file.arrays, "stencils": np.ascontiguousarray(stencils)}
    save(StencilFile(**arrays, meta={**file.meta, "checksum": checksum(arrays, file.meta)}), path)


def test_a_quarter_turn_makes_verify_and_error_fail(tmp_path: Path) -> None:
    path = tmp_path / "g.npz"
    run("export", *GRADIENT, "-o", path)
    forge(path, np.rot90(load_stencils(path).stencils, axes=(-2, -1)))
    verified, measured = run("verify", path), run("error", path)
    assert (verified.exit_code, measured.exit_code) == (1, 1)
    assert "✗ stencils" in verified.stdout
    assert "NOT proved" in verified.stdout
    assert "the stencils differ from those sampled again" in verified.stderr
    assert "✗ NOT equivariant" in measured.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*D8, "--stencil", "gaus", "-o", "x.npz"], "did you mean gauss?"),
        ([*D8, "--stencil", "fd", "--size", "3", "--order", "3", "-o", "x.npz"], "(--size 5)"),
        ([*D8, "--stencil", "fd", "--sigma", "1", "-o", "x.npz"], "no option 'sigma'"),
        ([*D8, "--size", "five", "-o", "x.npz"], "expected one whole number"),
        ([*D8, "--size", "0", "-o", "x.npz"], "must be positive"),
        ([*D8, "--spacing", "1/0", "-o", "x.npz"], "expected one number"),
        ([*D8, "--stencil", "rbffd", "--size", "99", "-o", "x.npz"], "at most 3000 nodes"),
        ([*D8, "--stencil", "rbffd", "--phi", "gaussian", "--epsilon", "1e-3", "-o", "x.npz"], "condition number"),
        ([*D8, "-o", "x.foo"], "has to end in"),
        ([*D8, "-o", "nowhere/x.npz"], "there is no folder"),
        ([*D8, "--format", "npzz", "-o", "x"], "did you mean npz?"),
        (D8, "give -o FILE"),
        (["--group", "D8", "-o", "x.npz"], "--in, --out are missing"),
        (["missing.json", "-o", "x.npz"], "there is no such file"),
        (["missing.json", *D8, "-o", "x.npz"], "leave out --group"),
        ([*GRADIENT, "--out-offsets", "1/2,0;0,0", "-o", "x.npz"], "give both components offsets"),
        ([*GRADIENT, "--out-offsets", "half", "-o", "x.npz"], "'1/2,0;0,1/2'"),
        ([*GRADIENT, "--out-offsets", "1/2,0", "-o", "x.npz"], "one place for each of the 2 components"),
        (["--group", "D8", "--in", "9xregular", "--out", "9xregular", "-o", "x.npz"], "multiplicities only repeat"),
    ],
)
def test_wrong_use_is_one_clear_sentence(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("export", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output + result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["verify", "show", "error"])
def test_truncated_and_foreign_files_give_exit_code_2(command: str, tmp_path: Path) -> None:
    path = tmp_path / "g.npz"
    run("export", *GRADIENT, "-o", path)
    path.write_bytes(path.read_bytes()[:-100])
    for bad in (path, Path(__file__), tmp_path / "missing.npz", tmp_path):
        result = run(command, bad)
        assert result.exit_code == 2
        assert str(bad) in result.stderr
        assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_pictures(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for name, arguments in {"arrows": GRADIENT, "blocks": [*D8, "--size", "3"]}.items():
        path = tmp_path / f"{name}.{suffix}"
        assert run("plot", *arguments, "-o", path).exit_code == 0
        assert path.read_bytes().startswith(starts[suffix])
        assert path.stat().st_size > 3_000


@pytest.mark.parametrize(
    ("question", "given", "left_out"),
    [
        (("--group", "SO(3)", "--in", "vector", "--out", "vector", "--order", "0"), (), []),
        (("--group", "D8", "--in", "regular", "--out", "trivial", "--order", "0"), (), []),
        (
            ("--group", "D8", "--in", "regular", "--out", "trivial", "--order", "2"),
            ("--entries", "3", "--show", "1"),
            ["1 of 6 elements (--show 6)", "3 of 16 entries (--entries 16)"],
        ),
    ],
)
def test_a_picture_says_what_it_leaves_out(
    tmp_path: Path, question: tuple[str, ...], given: tuple[str, ...], left_out: list[str]
) -> None:
    pytest.importorskip("matplotlib")
    options = ("--stencil", "fd", "--size", "3", "--dpi", "20")
    result = run("plot", *question, *options, *given, "-o", tmp_path / "x.png")
    assert result.exit_code == 0
    *notes, wrote = result.stderr.splitlines()
    assert wrote.startswith("wrote")
    assert [line.removeprefix("the picture shows ") for line in notes] == left_out


@pytest.mark.parametrize("layout", ["grid", "image"])
def test_files_are_shown_with_x2_upwards_and_channels_from_one(tmp_path: Path, layout: str) -> None:
    path = tmp_path / "gradient.npz"
    run("export", *GRADIENT, "--layout", layout, "-o", path)
    lines = run("show", path).output.splitlines()
    at = lines.index("  out 2 ← in 1")
    assert [float(line.split()[1]) for line in lines[at + 1 : at + 4]] == [0.5, 0, -0.5]


def test_a_missing_matplotlib_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pdobasis.pictures.find_spec", lambda name: None)
    result = run("plot", *GRADIENT, "-o", tmp_path / "x.png")
    assert result.exit_code == 2
    assert "pip install 'pdobasis[plot]'" in result.stderr


@pytest.mark.parametrize(("module", "suffix"), [("safetensors.numpy", "safetensors"), ("torch", "pt")])
def test_a_missing_extra_is_named(module: str, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    result = run("export", *GRADIENT, "-o", tmp_path / f"x.{suffix}")
    assert result.exit_code == 2
    assert f"pip install 'pdobasis[{module.split('.')[0]}]'" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_weights_have_colours_by_their_sign() -> None:
    from pdobasis_cli.blocks import colour

    assert colour(0, 1) == (255, 255, 255)
    red, blue = colour(1, 1), colour(-1, 1)
    assert red[0] > red[2]
    assert blue[0] < blue[2]
