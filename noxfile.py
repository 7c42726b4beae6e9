"""The checks, each in an environment of its own: ``nox`` runs the usual ones, ``nox -l`` lists all.

What a session installs stands in pyproject.toml. A session runs on the Python that runs nox, ``lowest`` on the lowest
that pyproject.toml permits.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nox
from packaging.requirements import Requirement

PROJECT = nox.project.load_toml("pyproject.toml")["project"]

nox.needs_version = ">=2024.4.15"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["lint", "types", "tests"]


@nox.session
def lint(session: nox.Session) -> None:
    """Style, format, and the import contracts."""
    session.install("-e", ".[lint]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports")


@nox.session
def types(session: nox.Session) -> None:
    """Types; torch is needed to check the layers."""
    session.install("-e", ".[test]")
    session.run("mypy", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """The test-suite; what follows ``--`` goes to pytest."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def slow(session: nox.Session) -> None:
    """The long exhaustive tests."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "auto", "-m", "slow", *session.posargs)


@nox.session
def fuzz(session: nox.Session) -> None:
    """Hostile input, new every time; ``nox -s fuzz -- --minutes 60``."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "tests.fuzz", *(session.posargs or ["--minutes", "10"]))


@nox.session
def docs(session: nox.Session) -> None:
    """The site in docs/_build, with warnings as errors; then README and docs: snippets, commands, notebooks, links."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "sphinx", "-W", "-E", "docs", "docs/_build")
    session.run("pytest", "-m", "docs", *session.posargs)


@nox.session(python=PROJECT["requires-python"].removeprefix(">="))
def lowest(session: nox.Session) -> None:
    """The test-suite with the lowest versions that pyproject.toml permits."""
    wanted = lowest_of([*PROJECT["dependencies"], f"{PROJECT['name']}[test]"])
    # PySINDy 2 needs NumPy 2, and PySINDy 1 a setuptools that is gone: its tests are skipped here
    wanted = (text for text in wanted if not text.startswith("pysindy"))
    # pyparsing 3.3 warns of names that matplotlib 3.8 calls, and a warning fails a test
    session.install("-e", ".", "pyparsing<3.3", *wanted)
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """The source archive, the wheel made from it, and a first command outside the checkout."""
    folder = Path(session.create_tmp()).resolve()
    session.install("build", "twine")
    session.run("python", "-m", "build", "--outdir", str(folder))
    session.run("twine", "check", "--strict", *map(str, folder.glob("pdobasis-*")))
    newest = max(folder.glob("*.whl"), key=lambda wheel: wheel.stat().st_mtime)
    session.install("--force-reinstall", str(newest))
    session.chdir(folder)
    session.run("pdobasis", "--version")
    session.run(
        "pdobasis", "solve", "--group", "D8", "--in", "regular", "--out", "trivial"
    )
    session.run("pdobasis", "table", "--paper", "-o", "tables")


@nox.session
def typed(session: nox.Session) -> None:
    """Whether every public name has a type that nobody has to infer: 100 %, by pyright."""
    session.install(".[test]", "pyright")
    # outside the checkout: what is installed is looked at
    session.chdir(session.create_tmp())
    session.run("pyright", "--verifytypes", "pdobasis", "--ignoreexternal")


def lowest_of(requirements: list[str]) -> Iterator[str]:
    """``numpy>=1.26`` becomes ``numpy==1.26``; an extra of the project is replaced by what it asks for."""
    for text in requirements:
        requirement = Requirement(text)
        if requirement.name == PROJECT["name"]:
            for extra in sorted(requirement.extras):
                yield from lowest_of(PROJECT["optional-dependencies"][extra])
        else:
            yield text.replace(">=", "==")
