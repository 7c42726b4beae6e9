r"""Sixteen bytes that identify a basis and how it is sampled, so that weights never meet another one.

They are a function of the exact elements and of the options as plain data: the same for a layer that was made from a
question, from its basis, from that basis in a file, or from a file of its stencils; never of rounding.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import solve_problem
from pdobasis.errors import PdoBasisError
from pdobasis.exact.field import join
from pdobasis.layers.staggered import kinds
from pdobasis.operators.block import Block
from pdobasis.operators.symbols import Symbols
from pdobasis.question.field_type import FieldType
from pdobasis.solvers.registry import AUTO, SOLVERS
from pdobasis.stencils.discretized import Discretized
from pdobasis.stencils.options import plain

SIZE = 16


Placed = tuple[FieldType, FieldType] | None


def fingerprint(parts: Sequence[Discretized], placed: Placed = None) -> bytes:
    """Of a basis, of every way in which it is sampled, and of the places of its channels."""
    return _digest(
        parts,
        [[(name, _frozen(value)) for name, value in part.options] for part in parts],
        placed,
    )


def earlier_fingerprint(parts: Sequence[Discretized], placed: Placed = None) -> bytes:
    """As it was when options were taken as they were typed, so that a list was not a tuple.

    Weights that were saved with it still load.
    """
    return _digest(parts, [part.options for part in parts], placed)


def even_fingerprint(parts: Sequence[Discretized], placed: Placed = None) -> bytes:
    """As it was when all orders of a block were written over one field.

    Weights that were saved with it still load.
    """
    even = [replace(part, basis=_evened(part.basis)) for part in parts]
    return fingerprint(even, placed)


def _evened(basis: Basis) -> Basis:
    """Every block over the field that holds all its orders."""
    blocks = []
    for block in basis.blocks:
        field = reduce(join, (part.coefficients.field for part in block.orders))
        orders = []
        for part in block.orders:
            orders.append(replace(part, coefficients=part.coefficients.over(field)))
        blocks.append(replace(block, orders=tuple(orders)))
    return replace(basis, blocks=tuple(blocks))


def fingerprint_on_points(
    on_grid: Discretized, method: str, options: Mapping[str, Any]
) -> bytes:
    """Of a basis (with the grid that stands in for the points) and of the method that takes its derivatives."""
    digest = hashlib.sha256(fingerprint([on_grid]))
    # repr of a float is the shortest text that gives it back, so equal texts are equal numbers.
    named = [(name, _frozen(value)) for name, value in sorted(options.items())]
    digest.update(repr((method, named)).encode())
    return digest.digest()[:SIZE]


def as_solved(basis: Basis) -> Basis:
    """The same basis, its numbers over the fields in which the solver writes them.

    A number of $\\mathbb{Q}(\\sqrt 2)$ is one of $\\mathbb{Q}(2\\cos(2\\pi/8))$ too. A file does not say over which
    field the solver had it (its text is the same), and a fingerprint sees the difference. So a basis over another field
    than that of its question is solved again, which takes less time than to read it, and compared exactly.
    """
    field = basis.problem.field
    if all(
        part.coefficients.field == field
        for block in basis.blocks
        for part in block.orders
    ):
        return basis
    try:
        solved = solve_problem(basis.problem, method=_fast_method(basis))
    except (
        PdoBasisError
    ):  # too large, or not a question for this method: its own field will do
        return _over_its_field(basis)
    if not _same(basis, solved):
        return _over_its_field(basis)
    return solved


def _fast_method(basis: Basis) -> str:
    """The method that found the basis, if it is one that is taken by itself; else the one that is."""
    for solver in SOLVERS:
        if solver.name == basis.method and solver.rank is not None:
            return solver.name
    return AUTO


def _same(one: Basis, other: Basis) -> bool:
    if len(one.blocks) != len(other.blocks):
        return False
    for a, b in zip(one.blocks, other.blocks, strict=True):
        if (a.in_index, a.out_index, len(a.orders)) != (
            b.in_index,
            b.out_index,
            len(b.orders),
        ):
            return False
        if not all(x.equals(y) for x, y in zip(a.orders, b.orders, strict=True)):
            return False
    return True


def _over_its_field(basis: Basis) -> Basis:
    """All numbers over the field of the question (or a larger one that holds them)."""
    field = basis.problem.field

    def widened(part: Symbols) -> Symbols:
        values = part.coefficients
        return replace(part, coefficients=values.over(join(field, values.field)))

    def of_block(block: Block) -> Block:
        return replace(block, orders=tuple(widened(part) for part in block.orders))

    return replace(basis, blocks=tuple(of_block(block) for block in basis.blocks))


def _digest(
    parts: Sequence[Discretized],
    options: Sequence[Sequence[tuple[str, Any]]],
    placed: Placed,
) -> bytes:
    digest = hashlib.sha256()
    for chunk in _basis_chunks(parts[0].basis):
        digest.update(chunk)
    for part, own in zip(parts, options, strict=True):
        digest.update(repr((part.method, part.grid, tuple(own))).encode())
        # Nothing is added on a plain grid: its fingerprint stays what it was.
        if part.grid.lattice is not None:
            named = (part.grid.lattice.texts, part.grid.window or "closed")
            digest.update(repr(named).encode())
    # Nothing is added on one grid: its fingerprint stays what it was. Copies share their filters, so kinds are enough.
    for fields in placed or ():
        kinds_of = [(kind.summand, kind.places) for kind in kinds(fields)]
        digest.update(repr(kinds_of).encode())
    return digest.digest()[:SIZE]


def _basis_chunks(basis: Basis) -> list[bytes]:
    """The exact elements, block by block and order by order."""
    chunks = [basis.problem.group.name.encode()]
    truncation = basis.problem.truncation
    # Nothing is added for a complete basis: its fingerprint stays what it was.
    if truncation is not None:
        chunks.append(json.dumps(truncation.to_json()).encode())
    for block in basis.blocks:
        for part in block.orders:
            field = (
                part.coefficients.field.conductor,
                part.coefficients.field.radicands,
            )
            chunks.append(
                repr(
                    (block.in_index, block.out_index, part.order, part.shape, field)
                ).encode()
            )
            for array in (part.element, part.row, part.column):
                # One size and byte order for all machines.
                chunks.append(np.ascontiguousarray(array, dtype="<i8").tobytes())
            if truncation is None:
                chunks.append(part.coefficients.key())
            else:
                # truncated elements between irreps fill whole matrices
                chunks.append(part.coefficients.packed_key())
    return chunks


def _frozen(value: Any) -> Any:
    """Plain data, with tuples for lists, as options have them when they are read from a file."""
    found = plain(value)
    # repr tells a list from a tuple.
    if isinstance(found, list):
        return tuple(_frozen(v) for v in found)
    return found
