"""Stencils as sources for other programs: what `pdobasis.handover` writes, as file formats that are not read back."""

from __future__ import annotations

from pdobasis.answer.basis import Basis
from pdobasis.files.format import Format
from pdobasis.files.stencil_file import StencilFile
from pdobasis.files.stencil_meta import discretization_to_json
from pdobasis.files.words import discretized, title, what
from pdobasis.handover import StencilSet, Target, targets
from pdobasis.handover.stencil_set import of_sampled
from pdobasis.handover.texts import line
from pdobasis.stencils.sampled import Sampled


def of_file(file: StencilFile) -> StencilSet:
    """The stencils of a file, with its checksum."""
    names = [str(element.get("name") or "") for element in file.meta["elements"]]
    return of_sampled(
        file.sampled(), names, title(file), what(file), file.meta["checksum"]
    )


def of_basis(basis: Basis, sampled: Sampled) -> StencilSet:
    """The stencils of a basis, without writing a file."""
    problem = basis.problem
    question = f"{problem.group.name}: {problem.in_type} -> {problem.out_type}, order <= {problem.order}"
    if problem.truncation is not None:
        question += f", truncated to {problem.truncation.text}"
    names = [element.name or "" for element in basis.elements]
    words = discretized(discretization_to_json(sampled))
    return of_sampled(
        sampled, names, line(f"{question}, {sampled.elements} elements"), words
    )


def _format(target: Target) -> Format:
    def write(file: StencilFile) -> bytes:
        return of_file(file).source(target.name).encode()

    return Format(target.format_name, target.suffixes, write, is_text=True)


FORMATS = tuple(_format(target) for target in targets() if target.source is not None)
