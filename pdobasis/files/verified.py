"""Everything that can be said of a file: its basis proved again, and every field of it compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import solve_problem
from pdobasis.errors import FileFormatError, PdoBasisError, ProofError
from pdobasis.files.comparison import LATER, differences, is_wording
from pdobasis.files.irreps import false_irreps
from pdobasis.files.json_file import basis_from_json, file_contents, read_json
from pdobasis.files.writer import KEY, is_writer
from pdobasis.question.problem import DEFAULT_MAX_UNKNOWNS
from pdobasis.solvers.both import Both
from pdobasis.solvers.registry import names

Progress = Callable[[str], None]
NO_WITNESS = "it holds no witness, so nobody else can check it: write it again for one"


@dataclass(frozen=True, slots=True)
class Verified:
    """The basis with its certificate, what is false, and what is worth knowing."""

    basis: Basis
    failures: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.failures


def verify_basis(
    path: str | Path,
    progress: Progress = lambda message: None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
) -> Verified:
    """Prove the basis in a file again, and compare every field of the file with what it should be.

    :func:`pdobasis.load` proves as well, and believes nothing else of a file, so it does not compare.
    """
    return verify_contents(path, read_json(Path(path)), progress, max_unknowns)


def verify_contents(
    path: str | Path,
    data: dict[str, Any],
    progress: Progress = lambda message: None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
) -> Verified:
    """The same for a mapping that was read from a file."""
    try:
        return verify_data(data, progress, max_unknowns)
    except ProofError as error:
        raise ProofError(f"{path}: not proved: {error}") from None
    except PdoBasisError as error:
        raise FileFormatError(f"{path}: {error}") from None


def verify_data(
    data: dict[str, Any],
    progress: Progress = lambda message: None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
) -> Verified:
    basis = basis_from_json(data, progress, max_unknowns)
    failures = basis.certificate.failures()
    remarks: tuple[str, ...] = ()
    # A basis that is not proved is refused anyway, whatever else the file says.
    if not failures:
        found, remarks = compared(data, basis, file_contents(basis))
        failures += found
    return Verified(basis, tuple(failures), remarks)


def compared(
    data: dict[str, Any], basis: Basis, expected: dict[str, Any]
) -> tuple[list[str], tuple[str, ...]]:
    """(what is false, remarks) of a file, given what it should say."""
    failures = false_irreps(basis.problem, basis.blocks)
    # any release, or none in files that were written before it was recorded
    expected = {k: v for k, v in expected.items() if k != KEY}
    if KEY in data:
        expected[KEY] = data[KEY]
        if not is_writer(data[KEY]):
            failures.append(
                f"{KEY} is {data[KEY]!r:.60}, which is no release of pdobasis"
            )
    if "method" in data and data["method"] not in names():
        failures.append(f"method is {data['method']!r:.60}, which is none of ours")
    if basis.method == Both.name:
        # that two roads meet is not seen in the elements of one
        both = solve_problem(basis.problem, method=Both.name)
        expected = {**expected, "certificate": both.certificate.to_json()}
    later, wrong = _sorted_out(differences(data, expected), "witness" not in data)
    # One false field often makes others false, and the first says where to look.
    return failures + wrong[:1], tuple(later)


def _sorted_out(
    found: Iterable[tuple[Any, str]], is_first: bool
) -> tuple[list[str], list[str]]:
    """(remarks, failures): a file of the first kind may lack what came later, and has words of its own."""
    remarks, failures = [], []
    for path, text in found:
        if is_first and path == ("witness",):
            remarks.append(NO_WITNESS)
        elif is_first and path in LATER and text.endswith("missing"):
            remarks.append(text)
        elif is_first and is_wording(path) and not text.endswith("known here"):
            remarks.append(f"{text} (written by another release; not compared)")
        else:
            failures.append(text)
    return remarks, failures
