"""A basis as JSON, and back: the reader trusts nothing but the question and the elements, and proves them again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import lowest_order
from pdobasis.bounds.estimate import cost
from pdobasis.errors import (
    FileFormatError,
    PdoBasisError,
    ProofError,
    SizeError,
    require_type,
)
from pdobasis.exact.array import ExactArray, stack, zeros
from pdobasis.exact.polynomials import count, position
from pdobasis.exact.text import Polynomial, parse_polynomial
from pdobasis.files.atomic import write_atomically
from pdobasis.files.indented import indented
from pdobasis.files.limits import MAX_BASIS
from pdobasis.files.read import read_bytes, unique_keys
from pdobasis.files.witness import witness
from pdobasis.files.writer import KEY, writer
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Structure, Symbols, symbols
from pdobasis.proof.certificate import prove
from pdobasis.proof.hypothesis import hypothesis
from pdobasis.question.as_json import CONVENTIONS, question_from_json, question_to_json
from pdobasis.question.names import require_ascii
from pdobasis.question.problem import DEFAULT_MAX_UNKNOWNS, Problem
from pdobasis.solvers.both import Both
from pdobasis.solvers.registry import names
from pdobasis.solvers.transfer import Transfer

Progress = Callable[[str], None]

FORMAT = "pdobasis-basis"
VERSION = 1
MAX_CELLS = 20_000_000
"""Matrix entries that are written out as text."""


def basis_to_json(basis: Basis) -> dict[str, Any]:
    """The stable form of DESIGN: question, dimensions, certificate, elements."""
    require_few_cells(basis)
    return {
        "format": FORMAT,
        "version": VERSION,
        KEY: writer(),
        **question_to_json(basis.problem),
        **_first_solutions(basis),
        "method": basis.method,
        "field": str(basis.problem.field),
        "dimension": basis.dimension,
        "dimensions": {str(n): k for n, k in basis.dimensions.items()},
        "certificate": _certificate(basis),
        "conventions": CONVENTIONS,
        "elements": [element_to_json(e) for e in basis.elements],
    }


def require_few_cells(basis: Basis) -> None:
    """Refuse an answer that would be too long as text."""
    rows, columns = basis.problem.out_type.size, basis.problem.in_type.size
    cells = basis.dimension * rows * columns
    if cells > MAX_CELLS:
        raise SizeError(
            f"{basis.dimension} elements of {rows} x {columns} entries are {cells:,} texts, beyond {MAX_CELLS:,}: "
            "ask for one summand of each representation (multiplicities only repeat its block)"
        )


def file_contents(basis: Basis) -> dict[str, Any]:
    """What a file holds: the stable form, and the witness with which anybody can check it."""
    whole = basis_to_json(basis)
    # The elements are by far the longest part: at the end they hide nothing.
    elements = whole.pop("elements")
    return {**whole, "witness": witness(basis.problem), "elements": elements}


def _certificate(basis: Basis) -> dict[str, Any]:
    """The claims; of representations of one's own a reader knows the matrices, and not where they came from."""
    out = basis.certificate.to_json()
    if basis.problem.in_type.own or basis.problem.out_type.own:
        read = question_from_json(question_to_json(basis.problem))
        known = hypothesis((*read.in_type.distinct, *read.out_type.distinct))
        out["claims"] = [
            known.to_json() if c["what"] == known.what else c for c in out["claims"]
        ]
    return out


def _first_solutions(basis: Basis) -> dict[str, Any]:
    """For an empty basis: the lowest order with solutions (null when there is none up to the order searched)."""
    if basis.dimension:
        return {}
    lowest, searched = lowest_order(basis.problem)
    return {"lowest_order": lowest, "searched_to_order": searched}


def element_to_json(element: Any) -> dict[str, Any]:
    out: dict[str, Any] = {"order": element.order}
    if element.structure is not None:
        out["angular_order"] = element.angular_order
        out["laplacian_power"] = element.laplacian_power
        if element.structure.in_irrep:
            out["in_irrep"] = element.structure.in_irrep
            out["out_irrep"] = element.structure.out_irrep
    if element.name is not None:
        out["name"] = element.name
    out["matrix"] = element.strings()
    return out


def dump(basis: Basis, *, with_witness: bool = False) -> str:
    """The same question gives the same bytes."""
    problem = basis.problem
    cells = float(basis.dimension) * problem.in_type.size * problem.out_type.size
    cost("matrices", {"cells": cells}).require(
        f"{basis.dimension:,} matrices of {problem.out_type.size} x {problem.in_type.size} as text",
        "ask for one summand of each representation (multiplicities only repeat its block)",
    )
    data = file_contents(basis) if with_witness else basis_to_json(basis)
    return indented(data) + "\n"


def save_basis(basis: Basis, path: str | Path) -> None:
    """Write a basis as JSON, with what a stranger needs to prove it again: whole or not at all.

    >>> import tempfile
    >>> from pdobasis import load, solve
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_basis(solve("O(2)", "trivial", "vector", 1), f"{folder}/gradient.json")
    ...     load(f"{folder}/gradient.json").dimension
    1

    Parameters
    ----------
    basis : Basis
        As :func:`pdobasis.solve` finds it.
    path : str or Path
        The file; one that is there is replaced.

    Raises
    ------
    SpecError
        What is given is no basis.
    OSError
        The file cannot be written.
    """
    require_type(basis, Basis, "basis", "a Basis, as solve() finds it")
    write_atomically(Path(path), dump(basis, with_witness=True).encode())


def load_basis(
    path: str | Path,
    progress: Progress = lambda message: None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
) -> Basis:
    """Read a basis and prove it again; ``certificate.holds`` tells how that went.

    Parameters
    ----------
    path : str or Path
        A file of ``pdobasis solve -o`` or of :func:`pdobasis.save`.
    progress : callable
        Is told what is being done.
    max_unknowns : int
        Questions with more coefficients are refused.

    Returns
    -------
    Basis
        The basis; its certificate is new, and may not hold.

    Raises
    ------
    FileFormatError
        The file is truncated, altered, or none of ours.
    SizeError
        The question is too large for its limits: refused before any work.

    Examples
    --------
    >>> import tempfile
    >>> from pdobasis import save, solve
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(solve("D4", "vector", "trivial", 1), f"{folder}/basis.json")
    ...     load_basis(f"{folder}/basis.json").certificate.holds
    True
    """
    return prove_basis(path, read_json(Path(path)), progress, max_unknowns)


def prove_basis(
    path: str | Path,
    data: dict[str, Any],
    progress: Progress = lambda message: None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
) -> Basis:
    """The basis in a mapping that was read from a file, proved again."""
    try:
        return basis_from_json(data, progress, max_unknowns)
    except ProofError as error:
        raise ProofError(f"{path}: not proved: {error}") from None
    except PdoBasisError as error:
        raise FileFormatError(f"{path}: {error}") from None


def read_json(path: Path) -> dict[str, Any]:
    """The mapping in a file, with limits and clear refusals."""
    try:
        return parse_json(read_bytes(path, lambda start: MAX_BASIS))
    except FileFormatError as error:
        raise FileFormatError(f"{path}: {error}") from None


def parse_json(raw: bytes, formats: Sequence[str] = (FORMAT,)) -> dict[str, Any]:
    """The mapping in some bytes; refused unless it says that it is a basis, of a version that is known."""
    try:
        data = json.loads(raw.decode("utf-8"), object_pairs_hook=unique_keys)
    except FileFormatError:
        raise
    except UnicodeDecodeError:
        raise FileFormatError(
            "not a text file; expected JSON written by pdobasis solve -o"
        ) from None
    except (json.JSONDecodeError, RecursionError, ValueError) as error:
        place = ""
        if isinstance(error, json.JSONDecodeError):
            place = f" at line {error.lineno}"
        raise FileFormatError(f"not complete JSON{place} (truncated?)") from None
    if not isinstance(data, dict) or data.get("format") not in formats:
        raise FileFormatError(f'not a basis file (expected "format": "{formats[0]}")')
    # In Python true and 1.0 equal 1, and neither is a version.
    if data.get("version") != VERSION or type(data["version"]) is not int:
        raise FileFormatError(
            f"version {data.get('version')!r}, this program reads version {VERSION}"
        )
    return data


def basis_from_json(
    data: dict[str, Any],
    progress: Progress = lambda message: None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
) -> Basis:
    problem = question_from_json(data)
    problem.require(max_unknowns)
    elements = data.get("elements")
    if not isinstance(elements, list):
        raise FileFormatError("elements has to be a list")
    progress(f"reading {len(elements)} elements")
    blocks = blocks_from_json(problem, elements, data.get("method"))
    progress("proving")
    certificate = prove(problem, blocks)
    # a name of ours, or none: what else stands there is a stranger's text
    method = data.get("method")
    if method not in names():
        method = "file"
    return Basis(problem, method, tuple(blocks), certificate)


def blocks_from_json(problem: Problem, elements: list[Any], method: Any) -> list[Block]:
    """Sort the elements into blocks. Every copy of a block in a sum has to hold the same elements.

    Either all elements are described, or what is said of some is not taken over; without any, the method tells.
    """
    reader = _Reader(problem)
    sorted_in = _ByBlock(problem)
    for k, item in enumerate(elements):
        order, entries = reader.element(k, item)
        sorted_in.add(k, order, entries, _structure(item))
    described = all(_structure(item) is not None for item in elements)
    if not elements:
        described = method in (Transfer.name, Both.name)
    return sorted_in.blocks(described)


def _structure(item: dict[str, Any]) -> Structure | None:
    angular, power = item.get("angular_order"), item.get("laplacian_power")
    # A bool is an int for isinstance, which would take true for 1.
    if type(angular) is not int or type(power) is not int:
        return None
    names = [str(item.get(key, ""))[:40] for key in ("in_irrep", "out_irrep")]
    for name in names:
        require_ascii(name, "the irrep of an element")
    return Structure(angular, power, *names)


Cells = dict[tuple[int, int], Polynomial]


class _Reader:
    """Texts to polynomials, each distinct text once."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        # A regular representation repeats few different texts over and over.
        self.parse = lru_cache(maxsize=None)(
            lambda text: parse_polynomial(text, problem.group.dim)
        )

    def element(self, k: int, item: Any) -> tuple[int, Cells]:
        rows, columns = self.problem.out_type.size, self.problem.in_type.size
        if not isinstance(item, dict):
            item = {}
        matrix, order = item.get("matrix"), item.get("order")
        if not isinstance(order, int) or not 0 <= order <= self.problem.order:
            raise FileFormatError(
                f"element {k}: the order has to be from 0 to {self.problem.order}"
            )
        if not isinstance(matrix, list) or len(matrix) != rows:
            raise FileFormatError(
                f"element {k}: expected a matrix of {rows} rows and {columns} columns"
            )
        cells: Cells = {}
        for r, row in enumerate(matrix):
            if not isinstance(row, list) or len(row) != columns:
                raise FileFormatError(
                    f"element {k}, row {r + 1}: expected {columns} columns"
                )
            for c, text in enumerate(row):
                if not isinstance(text, str):
                    raise FileFormatError(
                        f"element {k}, row {r + 1}, column {c + 1}: expected text"
                    )
                polynomial: Polynomial = {}
                if text != "0":
                    polynomial = self.parse(text)
                if any(sum(alpha) != order for alpha in polynomial):
                    raise FileFormatError(
                        f"element {k}, row {r + 1}, column {c + 1}: {text[:60]!r} is not homogeneous of order {order}"
                    )
                if polynomial:
                    cells[r, c] = polynomial
        return order, cells


class _ByBlock:
    """Which copy of which block an element stands in."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.spans: list[tuple[int, int, int, int]] = []
        self.lookup_row = self._channels(problem.out_type)
        self.lookup_column = self._channels(problem.in_type)
        self.found: dict[
            tuple[int, int],
            dict[tuple[int, int], list[tuple[int, Cells, Structure | None]]],
        ] = {}

    @staticmethod
    def _channels(field_type: Any) -> list[tuple[int, int]]:
        """(which distinct summand, first channel of the copy) for every channel."""
        out: list[tuple[int, int]] = [(0, 0)] * field_type.size
        for which, rep in enumerate(field_type.distinct):
            for offset in field_type.offsets(rep):
                for channel in range(offset, offset + rep.size):
                    out[channel] = (which, offset)
        return out

    def add(
        self, k: int, order: int, cells: Cells, structure: Structure | None
    ) -> None:
        # In a basis each element lives between one copy of an input summand and one of an output summand.
        places = {(self.lookup_row[r], self.lookup_column[c]) for r, c in cells}
        if len(places) != 1:
            what = "reaches across several summands"
            if not places:
                what = "is zero"
            raise FileFormatError(
                f"element {k} {what}: an element of a basis stands in one block"
            )
        ((out_index, row), (in_index, column)) = places.pop()
        local = {(r - row, c - column): p for (r, c), p in cells.items()}
        block = self.found.setdefault((in_index, out_index), {})
        block.setdefault((row, column), []).append((order, local, structure))

    def blocks(self, described: bool) -> list[Block]:
        out = []
        for i, rep_in in enumerate(self.problem.in_type.distinct):
            for o, rep_out in enumerate(self.problem.out_type.distinct):
                copies = self.found.get((i, o), {})
                expected = self.problem.in_type.copies(
                    rep_in
                ) * self.problem.out_type.copies(rep_out)
                variants = [
                    self._parts(items, rep_out.size, rep_in.size)
                    for items in copies.values()
                ]
                # Copies obey the same constraint, so one proof serves equal ones.
                if variants and (
                    len(variants) != expected
                    or not all(_same(variants[0], v) for v in variants[1:])
                ):
                    raise ProofError(
                        f"the {expected} copies of {rep_in.spec} -> {rep_out.spec} do not hold the same elements"
                    )
                first = next(iter(copies.values()), [])
                if not variants:
                    variants = [self._parts([], rep_out.size, rep_in.size)]
                structure = None
                if described:
                    structure = _structures(first, self.problem.order)
                out.append(Block(i, o, variants[0], structure))
        return out

    def _parts(
        self, items: list[tuple[int, Cells, Structure | None]], rows: int, columns: int
    ) -> tuple[Symbols, ...]:
        dim = self.problem.group.dim
        return tuple(
            _symbols(
                dim,
                n,
                (rows, columns),
                [cells for order, cells, _ in items if order == n],
            )
            for n in range(self.problem.order + 1)
        )


def _structures(
    items: list[tuple[int, Cells, Structure | None]], order: int
) -> tuple[tuple[Structure, ...], ...]:
    return tuple(
        tuple(s for n, _, s in items if n == k and s is not None)
        for k in range(order + 1)
    )


def _same(a: tuple[Symbols, ...], b: tuple[Symbols, ...]) -> bool:
    return all(x.equals(y) for x, y in zip(a, b, strict=True))


def _symbols(
    dim: int, order: int, shape: tuple[int, int], elements: list[Cells]
) -> Symbols:
    where = position(dim, order)
    entries: list[tuple[int, int, int]] = []
    scalars: list[ExactArray] = []
    slots: list[tuple[int, int]] = []
    for k, cells in enumerate(elements):
        for (r, c), polynomial in cells.items():
            for alpha, value in polynomial.items():
                slots.append((len(entries), where[alpha]))
                scalars.append(value)
            entries.append((k, r, c))
    index = np.array(entries, dtype=np.int64).reshape(-1, 3)
    width = count(dim, order)
    if not scalars:
        return symbols(
            dim,
            order,
            len(elements),
            shape,
            (index[:, 0], index[:, 1], index[:, 2]),
            zeros((0, width)),
        )
    values = stack(scalars)
    data = np.zeros(
        (len(entries), width, values.field.degree), dtype=values.numerators.dtype
    )
    at = np.array(slots)
    data[at[:, 0], at[:, 1]] = values.numerators
    coefficients = ExactArray(data, values.denominator, values.field)
    return symbols(
        dim,
        order,
        len(elements),
        shape,
        (index[:, 0], index[:, 1], index[:, 2]),
        coefficients,
    )
