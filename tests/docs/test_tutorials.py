"""The notebooks run, and print what they are saved with."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.docs

FOLDER = Path(__file__).parents[2] / "docs" / "tutorials"
QUICK = ("crystals", "discovery", "divergence-and-curl", "fluid")


def test_each_notebook_is_tested_and_saved_with_its_outputs() -> None:
    found = {path.stem: json.loads(path.read_text()) for path in FOLDER.glob("*.ipynb")}
    assert set(found) == {*QUICK, "digits"}
    for book in found.values():
        code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
        assert sum(bool(cell["outputs"]) for cell in code) >= len(code) - 2
        assert "Traceback" not in json.dumps(book)


@pytest.mark.parametrize("name", QUICK)
def test_a_notebook_prints_what_it_is_saved_with(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "Agg")
    run(name)


@pytest.mark.slow
def test_the_network_learns_the_digits() -> None:
    pytest.importorskip("sklearn")
    pytest.importorskip("torch")
    names = run("digits", compared=False)
    assert float(names["right"]) > 0.8  # type: ignore[arg-type]


def run(name: str, compared: bool = True) -> dict[str, object]:
    """As one program, cell by cell; errors of floating point (1e-12 and so on) are those of the machine."""
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in json.loads((FOLDER / f"{name}.ipynb").read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            exec(compile("".join(cell["source"]), name, "exec"), names)  # noqa: S102
        saved = "".join("".join(o["text"]) for o in cell["outputs"] if o["output_type"] == "stream")
        if compared:
            assert rounded(told.getvalue()) == rounded(saved)
    if "plt" in names:
        names["plt"].close("all")  # type: ignore[attr-defined]
    return names


def rounded(text: str) -> str:
    return re.sub(r"\de-1\d", "tiny", text)
