"""A question as plain data: enough to ask it again from a file alone, whoever defined the group."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pdobasis.errors import FileFormatError, PdoBasisError, SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.writing import matrix_text
from pdobasis.groups.closure import MAX_ELEMENTS
from pdobasis.groups.group import Group
from pdobasis.question.field_type import FieldType, counted
from pdobasis.question.grammar import MAX_COUNT
from pdobasis.question.names import require_ascii
from pdobasis.question.own_group import (
    build_group,
    in_catalogue,
    is_catalogued,
    marked,
)
from pdobasis.question.own_representation import build_representation
from pdobasis.question.problem import Problem
from pdobasis.question.text import parse_field_type, resolve_group
from pdobasis.question.truncation import truncation_from_json
from pdobasis.question.yaml_files import (
    is_file_name,
    names_file,
    read_matrices,
)
from pdobasis.representations.representation import Representation

CONVENTIONS = {
    "constraint": "P(g^-T x) = rho_out(g) P(x) rho_in(g)^-1",
    "symbols": "x_i <-> d_i; P is c_out x c_in",
    "rotation": "counter-clockwise [[cos, -sin], [sin, cos]]",
    "reflection": "diag(1, -1) fixes the x1 axis",
    "irreps": "psi_(1,k)(f) = diag(1, -1); vector is psi_(1,1)",
    "regular": "rho(g) e_h = e_(gh); C_N: e, r, ..., r^(N-1); D_N: those, then f, rf, ..., r^(N-1) f",
    "arrays": "last axis x1, the one before it x2, then x3; applied by cross-correlation",
}
"""Recorded in every file."""


def question_to_json(problem: Problem) -> dict[str, Any]:
    """group, dim, in, out, order; with the matrices of what is not in the catalogue."""
    group = marked(problem.group)
    out: dict[str, Any] = {
        "group": group.name,
        "group_order": group.order,
        "dim": group.dim,
    }
    if not is_catalogued(group):
        out["group_definition"] = _matrices(group.labels, group.generators, group.lie)
    out["in"] = _field_type(problem.in_type, problem.group)
    out["out"] = _field_type(problem.out_type, problem.group)
    out["order"] = problem.order
    # what is not said is not written: older files stay the same
    if problem.partial_order is not None:
        out["partial_order"] = problem.partial_order
    if problem.kernel:
        out["kernel"] = True
    if problem.truncation is not None:
        out["truncation"] = problem.truncation.to_json()
    return out


def group_text(group: Group) -> str:
    """A group in one text: its name where that gives it back, else its matrices as JSON."""
    own = marked(group)
    if is_catalogued(own):
        return own.name
    matrices = _matrices(own.labels, own.generators, own.lie)
    return json.dumps({"name": own.name, **matrices}, ensure_ascii=False)


def read_group(group: str | Group, dim: int) -> Group:
    """What `group_text` wrote, or a group as :func:`pdobasis.group` takes it."""
    if not isinstance(group, str) or not group.lstrip().startswith("{"):
        found = resolve_group(group, dim, MAX_ELEMENTS)
        if found.dim != dim:
            raise SpecError(
                f"{found.name} acts in dimension {found.dim}, where dimension {dim} is needed"
            )
        return found
    try:
        data = json.loads(group)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        raise SpecError("a group as JSON needs name, generators and lie")
    return _group(data["name"], dim, data)


def question_from_json(data: dict[str, Any]) -> Problem:
    """The question of a file; FileFormatError where something is missing."""
    name = data.get("group")
    dim = data.get("dim")
    order = data.get("order")
    # true is a whole number to Python, and not to JSON
    if isinstance(order, bool):
        order = None
    if (
        not isinstance(name, str)
        or not isinstance(dim, int)
        or not isinstance(order, int)
    ):
        raise FileFormatError(
            "the question is incomplete: expected group (text), dim and order (whole numbers)"
        )
    require_ascii(name, "group")
    group = _group(name, dim, data.get("group_definition"))
    # whatever is not there is None, which is refused with the name of the key
    in_type = _read_field_type(data.get("in"), group, "in")
    out_type = _read_field_type(data.get("out"), group, "out")
    partial = data.get("partial_order")
    kernel = data.get("kernel", False)
    is_partial = partial is None or (type(partial) is int and partial >= 0)
    if not is_partial or not isinstance(kernel, bool):
        raise FileFormatError(
            "partial_order has to be a whole number, kernel true or false"
        )
    truncation = truncation_from_json(data.get("truncation"), order)
    return Problem(group, in_type, out_type, order, partial, kernel, truncation)


def _group(name: str, dim: int, definition: Any) -> Group:
    if definition is None:
        # what a file says today may not be what it said
        if is_file_name(name):
            raise FileFormatError(
                f"the group {name!r} is a file of its own, and its matrices are missing here"
            )
        return resolve_group(name, dim, MAX_ELEMENTS)
    if in_catalogue(name):
        raise FileFormatError(
            f"{name!r} is a name of the catalogue and cannot be given other matrices"
        )
    if not isinstance(definition, dict):
        raise FileFormatError("group_definition has to be a mapping")
    generators = read_matrices(
        "group_definition: generators", definition.get("generators"), "g"
    )
    lie = read_matrices("group_definition: lie", definition.get("lie"), "X")
    if not generators and not lie:
        return Group(name[:80], dim)  # the identity alone, by another name
    # as large as groups get: a file was within the limits of the one who wrote it
    return build_group(
        name[:80],
        generators,
        lie,
        MAX_ELEMENTS,
        dim,
    )


def _field_type(field_type: FieldType, group: Group) -> dict[str, Any]:
    fields = _as_read(field_type, group)
    out: dict[str, Any] = {"spec": fields.spec, "size": fields.size}
    if fields.own:
        out["terms"] = [[rep.spec, n] for rep, n in fields.terms]
        out["definitions"] = {}
        # every term by its own name, also where two names mean the same
        for rep, _ in fields.terms:
            if rep.own:
                out["definitions"][rep.spec] = _definition(rep)
    return out


def _as_read(fields: FieldType, group: Group) -> FieldType:
    """The same fields under names that a reader of the file understands.

    A text that means something else in this group (words in other labels, irreps of a
    group with another name) becomes a name for its matrices; so does a name of one's
    own that means something, or that two different representations have.
    """
    terms: list[tuple[Representation, int]] = []
    taken: dict[str, Representation] = {}
    for rep, n in fields.terms:
        found = rep
        if rep.own and not _is_free(rep, group, taken):
            found = replace(rep, spec=_other_name(rep, taken))
        if not rep.own and not _means(rep, group):
            name = _other_name(
                replace(rep, spec=f"{rep.spec} of {rep.group.name}"), taken
            )
            found = replace(rep, group=group, spec=name, own=True, term=None)
        if found.own:
            taken[found.spec] = found
        terms.append((found, n))
    return FieldType(tuple(terms))


def _means(rep: Representation, group: Group) -> bool:
    """Whether the text alone gives the representation back."""
    if rep.group is group:
        return True
    try:
        return parse_field_type(rep.spec, group, files=False) == FieldType.of([rep])
    except PdoBasisError:
        return False


def _is_free(
    rep: Representation, group: Group, taken: dict[str, Representation]
) -> bool:
    return taken.get(rep.spec, rep) == rep and not _is_known(rep.spec, group)


def _other_name(rep: Representation, taken: dict[str, Representation]) -> str:
    """The name with a mark, and with a number where that is taken too."""
    name = f"{rep.spec} (own)"
    k = 1
    while taken.get(name, rep) != rep:
        k += 1
        name = f"{rep.spec} (own {k})"
    return name


def _definition(rep: Representation) -> dict[str, Any]:
    out = _matrices(rep.group.labels, rep.matrices(), rep.lie)
    # only where it is told: other files stay as they were
    if rep.hypothesis.cover:
        out["cover"] = True
    return out


def _read_field_type(data: Any, group: Group, which: str) -> FieldType:
    if not isinstance(data, dict) or not isinstance(data.get("spec"), str):
        raise FileFormatError(
            f"the question is incomplete: expected {which}.spec (text)"
        )
    require_ascii(data["spec"], f"{which}.spec")
    definitions = data.get("definitions")
    if definitions is None:
        if names_file(data["spec"]):
            raise FileFormatError(
                f"{which}.spec names a file of its own, and its matrices are missing here"
            )
        return parse_field_type(data["spec"], group, files=False)
    return _with_definitions(data, definitions, group, which)


def _with_definitions(
    data: dict[str, Any],
    definitions: Any,
    group: Group,
    which: str,
) -> FieldType:
    """A sum in which one's own terms are given by matrices; a text that means something cannot be given others."""
    terms = data.get("terms")
    if not isinstance(definitions, dict) or not isinstance(terms, list):
        raise FileFormatError(
            f"{which}.definitions has to be a mapping, and {which}.terms a list of [spec, count]"
        )
    found: list[tuple[Representation, int]] = []
    texts = []
    for term in terms:
        if not _is_counted(term):
            raise FileFormatError(f"{which}.terms: expected [spec, count]")
        name, times = term
        texts.append(counted(name, times))
        if name in definitions or names_file(name):
            own = _own(name, definitions.get(name), group, which)
            found.append((own, times))
            continue
        for rep, n in parse_field_type(name, group, files=False).terms:
            found.append((rep, n * times))
    # one file, one meaning: the text that people read and the terms that are solved
    if data["spec"] != " + ".join(texts):
        raise FileFormatError(f"{which}.terms do not make up {which}.spec")
    return FieldType(tuple(found))


def _is_counted(term: Any) -> bool:
    """A text and how often it counts; type() and not isinstance, for true is an int."""
    if not isinstance(term, list) or [type(v) for v in term] != [str, int]:
        return False
    times: int = term[1]
    return 1 <= times <= MAX_COUNT


def _own(
    name: str,
    matrices: Any,
    group: Group,
    which: str,
) -> Representation:
    if not isinstance(matrices, dict):
        raise FileFormatError(
            f"{which}.definitions: the matrices of {name[:60]!r} are missing"
        )
    if _is_known(name, group):
        raise FileFormatError(
            f"{which}.definitions: {name[:60]!r} has a meaning of its own and cannot be redefined"
        )
    generators = read_matrices(f"{which}: {name}", matrices.get("generators"), "g")
    lie = read_matrices(f"{which}: {name}", matrices.get("lie"), "X")
    cover = matrices.get("cover", False)
    return build_representation(name, group, generators, lie, cover)


def _is_known(name: str, group: Group) -> bool:
    try:
        parse_field_type(name, group, files=False)
    except PdoBasisError:
        return False
    return True


def _matrices(
    labels: Sequence[str],
    generators: Sequence[ExactArray],
    lie: Sequence[ExactArray],
) -> dict[str, Any]:
    return {
        "generators": {
            k: matrix_text(m) for k, m in zip(labels, generators, strict=True)
        },
        "lie": {f"X{k + 1}": matrix_text(m) for k, m in enumerate(lie)},
    }
