"""Generators of all orders as JSON, and back: proved again from question, invariants and generators alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from pdobasis.bounds.estimate import Estimate
from pdobasis.errors import FileFormatError, PdoBasisError, ProofError
from pdobasis.files.atomic import write_atomically
from pdobasis.files.comparison import differences
from pdobasis.files.irreps import false_irreps
from pdobasis.files.json_file import (
    Progress,
    blocks_from_json,
    element_to_json,
    parse_json,
    require_few_cells,
)
from pdobasis.files.limits import MAX_BASIS
from pdobasis.files.read import read_bytes
from pdobasis.files.witness import witness
from pdobasis.modules.cost import require_proof
from pdobasis.modules.module_basis import ModuleBasis
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.all_orders import prove_all_orders
from pdobasis.question.as_json import CONVENTIONS, question_from_json, question_to_json
from pdobasis.question.problem import DEFAULT_MAX_UNKNOWNS, Problem
from pdobasis.question.text import parse_field_type

FORMAT = "pdobasis-all-orders"
VERSION = 1


def module_to_json(module: ModuleBasis) -> dict[str, Any]:
    """Question, primary invariants, Hilbert series, certificate, generators.

    ``order`` is the largest order of a generator.
    """
    require_few_cells(module.carrier)
    return {
        "format": FORMAT,
        "version": VERSION,
        **question_to_json(module.problem),
        "field": str(module.problem.field),
        "dimension": len(module),
        "primary": [
            {"name": t.name, "order": t.order, "polynomial": t.text()}
            for t in module.invariants
        ],
        "hilbert": module.hilbert.to_json(),
        "certificate": module.certificate.to_json(),
        "conventions": CONVENTIONS,
        "generators": [element_to_json(g) for g in module.generators],
    }


def module_contents(module: ModuleBasis) -> dict[str, Any]:
    """What a file holds: the same with the matrices of every generator of the group."""
    whole = module_to_json(module)
    generators = whole.pop("generators")
    return {**whole, "witness": witness(module.problem), "generators": generators}


def dump_module(module: ModuleBasis, *, with_witness: bool = False) -> str:
    """The same question gives the same bytes."""
    data = module_to_json(module)
    if with_witness:
        data = module_contents(module)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def save_module(module: ModuleBasis, path: str | Path) -> None:
    write_atomically(Path(path), dump_module(module, with_witness=True).encode())


def load_module(
    path: str | Path, progress: Progress = lambda message: None
) -> ModuleBasis:
    """Read generators of all orders and prove them again; ``certificate.holds`` tells how that went.

    Parameters
    ----------
    path : str or Path
        A file of ``pdobasis solve --all-orders -o``.
    progress : callable
        Is told what is being done.

    Returns
    -------
    ModuleBasis
        The generators; the certificate is new, and may not hold.

    Raises
    ------
    ProofError
        The file does not hold what it says.
    FileFormatError
        The file is truncated, altered, or none of ours.

    Examples
    --------
    >>> import tempfile
    >>> from pdobasis import all_orders
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     all_orders("D4", "trivial", "vector").save(f"{folder}/all.json")
    ...     len(load_module(f"{folder}/all.json").generators)
    2
    """
    try:
        raw = read_bytes(Path(path), lambda start: MAX_BASIS)
        return module_from_json(parse_json(raw, (FORMAT,)), progress)
    except ProofError as error:
        raise ProofError(f"{path}: not proved: {error}") from None
    except PdoBasisError as error:
        raise FileFormatError(f"{path}: {error}") from None


def is_module(data: dict[str, Any]) -> bool:
    return data.get("format") == FORMAT


def module_from_json(
    data: dict[str, Any], progress: Progress = lambda message: None
) -> ModuleBasis:
    """The generators of a mapping that was read from a file, proved again."""
    problem = question_from_json(data)
    if problem.truncation is not None or problem.partial_order is not None:
        raise FileFormatError("a truncation has no generators of all orders")
    problem.require_unknowns(DEFAULT_MAX_UNKNOWNS)
    generators = data.get("generators")
    if not isinstance(generators, list):
        raise FileFormatError("generators has to be a list")
    primary = _primary(problem, data.get("primary"))
    progress(f"reading {len(generators)} generators")
    blocks = tuple(blocks_from_json(problem, generators, None))
    _require_proof(problem, primary, blocks)
    progress("proving all orders")
    trivial = parse_field_type("trivial", problem.group).distinct[0]
    certificate = prove_all_orders(problem, primary, blocks, trivial)
    return ModuleBasis(problem, primary, blocks, certificate)


def _require_proof(
    problem: Problem, primary: tuple[Symbols, ...], blocks: tuple[Block, ...]
) -> None:
    """Refuse a file whose proof would take too long: its invariants and generators may be anything."""
    parts: dict[int, float] = {}
    for part in (*primary, *(part for block in blocks for part in block.orders)):
        if part.size:
            parts[part.order] = parts.get(part.order, 0.0) + len(part.element)
    require_proof(problem, [theta.order for theta in primary], parts, Estimate())


def verify_module(
    data: dict[str, Any], progress: Progress = lambda message: None
) -> tuple[ModuleBasis, list[str]]:
    """Prove it again, and compare every field of the file with what it should be: (the module, what is false)."""
    module = module_from_json(data, progress)
    failures = module.certificate.failures()
    if not failures:
        found = [text for _, text in differences(data, module_contents(module))]
        # one false field often makes others false, and the first says where to look
        failures += found[:1]
        failures += false_irreps(module.problem, module.blocks)
        failures += _false_powers(module)
    return module, failures


def _false_powers(module: ModuleBasis) -> list[str]:
    """A sentence where angular order and twice the Laplacian power of a generator do not add up to its order."""
    for block in module.blocks:
        for n, described in enumerate(block.structure or ()):
            for s in described:
                whole = s.angular_order + 2 * s.laplacian_power == n
                if not whole or s.laplacian_power < 0 or s.angular_order < 0:
                    return [
                        "angular orders and Laplacian powers of the generators do not make their orders"
                    ]
    return []


def _primary(problem: Problem, items: Any) -> tuple[Symbols, ...]:
    """Each is read as an element of the question scalar → scalar."""
    trivial = parse_field_type("trivial", problem.group)
    most = problem.group.dim
    if not isinstance(items, list) or len(items) > most:
        raise FileFormatError(
            f"primary has to be a list of at most {most}, as many as there are variables"
        )
    out = []
    for k, item in enumerate(items, start=1):
        order = item.get("order") if isinstance(item, dict) else None
        if type(order) is not int or order < 1:
            raise FileFormatError(f"primary invariant {k}: the order has to be from 1")
        scalar = replace(problem, in_type=trivial, out_type=trivial, order=order)
        scalar.require_unknowns(DEFAULT_MAX_UNKNOWNS)
        element = {"order": order, "matrix": [[item.get("polynomial")]]}
        (block,) = blocks_from_json(scalar, [element], None)
        out.append(block.orders[order])
    return tuple(out)
