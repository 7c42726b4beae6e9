"""What the user asks a layer for, turned into a layer basis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from types import MappingProxyType
from typing import Any

from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import ask, lowest_order, solve_problem
from pdobasis.bounds.caches import remembered
from pdobasis.bounds.estimate import cost
from pdobasis.errors import GroupError, SpecError
from pdobasis.groups.group import CatalogueTerm, Group
from pdobasis.layers.advice import warn_if_far_off
from pdobasis.layers.arguments import fields_of, whole
from pdobasis.layers.errors import EmptyBasisError, LayerError
from pdobasis.layers.fingerprint import as_solved
from pdobasis.layers.layer_basis import LayerBasis, from_discretized
from pdobasis.layers.placed import Offsets, StaggeredType, placed, without_places
from pdobasis.layers.staggered import discretize_between
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.question.text import parse_field_type, resolve_group
from pdobasis.question.truncating import NAMES as TRUNCATIONS
from pdobasis.stencils.discretize import discretize
from pdobasis.stencils.options import only_given
from pdobasis.stencils.registry import (
    kernel_names,
    known_options,
    names,
    option_names,
    require_options,
)

Stencil = str | tuple[str, Mapping[str, Any]]
Fields = str | FieldType
ARGUMENTS = (
    "in_rep", "out_rep", "order", "size", "stencil", "stride", "padding", "groups", "bias", "padding_mode", "apply",
    "parametrisation", "init", "device", "dtype", "in_offsets", "out_offsets", *TRUNCATIONS,
)  # fmt: skip
"""Of a layer, to guess at a misspelt one."""
GRID_OPTIONS = ("spacing", "dilation", "layout", "lattice")
"""Of the grid, whatever the method; in a layer the samples lie on its nodes, without an offset."""


def resolve_basis(
    question: str | Group | Basis,
    in_rep: Fields | None,
    out_rep: Fields | None,
    order: int | None,
    dim: int,
    default_order: int,
    truncation: Mapping[str, Any] = MappingProxyType({}),
) -> Basis:
    """A basis as given, or the answer to the question; ``truncation`` by the names of :func:`pdobasis.solve`."""
    if isinstance(question, Basis):
        if in_rep is not None or out_rep is not None or order is not None:
            raise LayerError(
                "a Basis has its fields and its order already: leave out in_rep, out_rep and order"
            )
        if truncation:
            raise LayerError(
                f"a Basis is truncated already, or complete: leave out {', '.join(truncation)}"
            )
        _require_dim(question.problem.group, dim)
        return as_solved(question)
    if in_rep is None or out_rep is None:
        raise LayerError(
            'a layer needs both field types, as in PDOConv2d("C8", "trivial", "4xregular")'
        )
    if not isinstance(question, (str, Group)):
        raise LayerError(
            f'a layer needs a group, as in PDOConv2d("C8", ...), or a Basis, got {question!r}'
        )
    group = _group_of(question, dim)
    # A limit in a frame says by itself how far it goes.
    if order is None and truncation.get("frame_order") is None:
        order = default_order
    if order is not None:
        whole(order, "order", 0)
    source, target = (
        without_places(resolve_fields(rep, group)) for rep in (in_rep, out_rep)
    )
    return _solved(ask(group, source, target, order, **truncation))


def _group_of(question: str | Group, dim: int) -> Group:
    try:
        group = resolve_group(question, dim)
    except GroupError:
        # One of another dimension is known, and there is a layer for it.
        _require_dim(resolve_group(question), dim)
        raise
    _require_dim(group, dim)
    return group


def truncation_in(options: dict[str, Any]) -> dict[str, Any]:
    """What the options of a layer say of a truncation, taken out of them: the rest belongs to the stencil."""
    found = {name: options.pop(name) for name in TRUNCATIONS if name in options}
    return {name: value for name, value in found.items() if value is not None}


def _solved(problem: Problem) -> Basis:
    """The answer to an equal question is the answer to this one, in this one's words.

    A block belongs to two different summands, however often they occur: layers of all widths share one answer.
    """
    once = replace(
        problem,
        in_type=FieldType.of(problem.in_type.distinct),
        out_type=FieldType.of(problem.out_type.distinct),
    )
    return replace(_solved_once(once, problem.group.term), problem=problem)


@remembered
def _solved_once(problem: Problem, term: CatalogueTerm | None) -> Basis:
    """The layers of a network ask few different questions. Of a group by name more is known, so the term counts too."""
    return solve_problem(problem)


def resolve_fields(fields: Fields, group: Group) -> FieldType:
    if isinstance(fields, str):
        return parse_field_type(fields, group)
    for rep in fields_of(fields, "a layer", at_places=True).distinct:
        if rep.group != group:
            raise LayerError(
                f"the field type {fields} belongs to {rep.group.name}, the layer to {group.name}"
            )
    return fields


def sampled(
    basis: Basis,
    stencil: Stencil | Sequence[Stencil] | None,
    size: Sequence[int],
    places: tuple[FieldType, FieldType] | None = None,
    **options: Any,
) -> LayerBasis:
    """Discretize by one method or several; every option goes to the methods that know it.

    ``places`` are the fields (in, out) with their places in the cell, where these are not all the same.
    By default Gaussian derivatives that are exact on polynomials: of all stencils the nearest to equivariance off the
    grid, and among the best in training (docs/benchmarks/training.md).
    """
    require_elements(basis)
    problem = basis.problem
    cost(
        "layer",
        {
            "weights": float(basis.dimension),
            "filter": float(problem.in_type.size * problem.out_type.size * prod(size)),
        },
    ).require(
        f"a layer of {basis.dimension:,} parameters",
        "take fewer fields, or groups=",
    )
    if stencil is None:
        stencil = kernel_names()[0] if basis.problem.kernel else "gauss"
        if not basis.problem.kernel:
            options.setdefault("normalize", "moments")
    pairs = _methods(stencil)
    if basis.problem.kernel and stencil not in kernel_names():
        wanted = " or ".join(f'stencil="{name}"' for name in kernel_names())
        raise SpecError(f"this basis holds the angular parts of kernels: use {wanted}")
    given = only_given(
        options, [option for method, _ in pairs for option in known_options(method)]
    )
    on_grid: tuple[str, ...] = GRID_OPTIONS
    if "lattice" in given:
        on_grid = (*GRID_OPTIONS, "window")
    _require_known(given, [method for method, _ in pairs], on_grid)
    parts = []
    for method, own in pairs:
        mine = {
            name: value
            for name, value in given.items()
            if name in (*option_names(method), *on_grid)
        }
        # What was given with the method itself wins over what was given for all.
        mine |= own
        if places is None:
            parts.append(discretize(basis, method, size, **mine))
        else:
            parts.append(discretize_between(basis, places, method, size, mine))
    # Groups between places are symmetries of the grid: nothing is off it.
    if places is None:
        warn_if_far_off(parts)
    return from_discretized(parts, places)


def placed_fields(
    basis: Basis,
    reps: tuple[Fields | None, Fields | None],
    offsets: tuple[Offsets | None, Offsets | None],
    groups: int,
) -> tuple[FieldType, FieldType] | None:
    """(in, out) of one convolution group with the places in the cell that were given; None where all are the same.

    Places come with a field type (that of another layer), or as offsets.
    """
    sides = []
    problem = basis.problem
    names = ("in_offsets", "out_offsets")
    own_types = (problem.in_type, problem.out_type)
    for fields, rep, own, name in zip(own_types, reps, offsets, names, strict=True):
        if own is not None:
            found = placed(fields, own)
            if isinstance(rep, StaggeredType) and found != rep:
                raise LayerError(
                    f"{name} differ from the places of {rep}: leave them out"
                )
        elif isinstance(rep, StaggeredType):
            found = rep
        else:
            found = fields
        sides.append(_share(found, groups))
    source, target = sides
    if not isinstance(source, StaggeredType) and not isinstance(target, StaggeredType):
        return None
    return source, target


def _require_known(
    given: Mapping[str, Any], methods: Sequence[str], on_grid: Sequence[str]
) -> None:
    """Every option has to be known to one of the methods."""
    known = {
        *on_grid,
        *(name for method in methods for name in option_names(method)),
    }
    require_options(given, methods, sorted(known), ARGUMENTS)


def _methods(stencil: Stencil | Sequence[Stencil]) -> list[tuple[str, dict[str, Any]]]:
    """Names of methods, each with options of its own."""
    many: list[Any] = [stencil]
    # A list and no other sequence: a tuple is one method with its options.
    if isinstance(stencil, list):
        many = list(stencil)
    pairs: list[tuple[str, dict[str, Any]]] = []
    for one in many:
        if isinstance(one, str):
            pairs.append((one, {}))
        elif isinstance(one, tuple) and len(one) == 2 and isinstance(one[1], Mapping):
            pairs.append((str(one[0]), dict(one[1])))
    if not pairs or len(pairs) != len(many):
        raise SpecError(
            f"stencil has to be one of {', '.join(names())}, one with options as in ('gauss', {{'sigma': 1.0}}), or a "
            f"list of these, got {stencil!r}"
        )
    return pairs


def require_elements(basis: Basis) -> None:
    problem = basis.problem
    if basis.dimension == 0 and problem.truncation is not None:
        raise LayerError(
            f"no PDO of order at most {problem.order} is left of {problem.group.name}, {problem.in_type} -> "
            f"{problem.out_type}, truncated to {problem.truncation.text}: use a higher order, or leave out less"
        )
    if basis.dimension == 0:
        question = f"{problem.group.name}, {problem.in_type} -> {problem.out_type}"
        raise EmptyBasisError(question, problem.order, *lowest_order(problem))


def one_group(basis: Basis, groups: int) -> Basis:
    """The basis between the fields of one convolution group; all groups have to be alike."""
    if groups == 1:
        return basis
    p = basis.problem
    return replace(
        basis,
        problem=replace(
            p, in_type=_share(p.in_type, groups), out_type=_share(p.out_type, groups)
        ),
    )


def _share(fields: FieldType, groups: int) -> FieldType:
    if len(fields) % groups:
        raise LayerError(
            f"groups={groups} cuts through the {len(fields)} fields of {fields}: a group takes whole fields, "
            f"so use a divisor of {len(fields)}"
        )
    each = len(fields) // groups
    first = fields[:each]
    for k in range(1, groups):
        if fields[k * each : (k + 1) * each] != first:
            raise LayerError(
                f"groups={groups}: group {k + 1} of {fields} has other fields than group 1: order them alike, "
                "as in 'regular + trivial + regular + trivial' for groups=2"
            )
    return first


def _require_dim(group: Group, dim: int) -> None:
    if group.dim != dim:
        raise LayerError(
            f"{group.name} acts in dimension {group.dim}, this layer in dimension {dim}: use PDOConv{group.dim}d"
        )
