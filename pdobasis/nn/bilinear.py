r"""Bilinear layers: all equivariant products of two fields.

A bilinear map $B: V_1 \times V_2 \to V_{out}$ with $B(\rho_1(g) v, \rho_2(g) w) = \rho_{out}(g) B(v, w)$ is an
intertwiner $V_1 \otimes V_2 \to V_{out}$, which is a PDO of order 0 between these fields: the engine finds and proves
all of them (the product of scalars, v·w, v×w, the product of a scalar and a vector, Clebsch–Gordan coefficients).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from pdobasis.answer.solve import solve_problem
from pdobasis.exact.array import identity
from pdobasis.exact.matrices import kronecker
from pdobasis.exact.numbers import to_float
from pdobasis.layers.arguments import fields_of
from pdobasis.layers.errors import LayerError
from pdobasis.layers.layer_basis import Unit, units
from pdobasis.nn.arguments import floating, on_device, require_channels
from pdobasis.nn.exact_buffers import ExactBuffers
from pdobasis.nn.expand import channel_order
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import Representation, from_matrices

SIDES = ("left", "right", "out")


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """The bilinear maps (elements, c_out, c_left, c_right) between three summands, orthonormal."""

    out_index: int
    left_index: int
    right_index: int
    maps: NDArray[np.float64]


class TensorProduct(ExactBuffers):
    """All equivariant bilinear maps from two fields to a third, with a weight for each and every triple of fields.

    ``paired=True`` takes field k of the left with field k of the right only (both sides have as many of each summand
    as the other): far fewer weights.

    Parameters
    ----------
    left, right, out : FieldType
        The two factors, and what their products are.
    paired : bool
        Field k with field k only.
    device, dtype : optional
        Where and how the parameters are made.

    Raises
    ------
    EmptyBasisError
        There is no equivariant bilinear map.

    Examples
    --------
    >>> from pdobasis import field_type
    >>> import torch
    >>> vector, scalar = (field_type(text, "O(2)") for text in ("vector", "trivial"))
    >>> TensorProduct(vector, vector, scalar)(torch.randn(1, 2, 5, 5), torch.randn(1, 2, 5, 5)).shape
    torch.Size([1, 1, 5, 5])
    """

    def __init__(
        self,
        left: FieldType,
        right: FieldType,
        out: FieldType,
        *,
        paired: bool = False,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        for fields, what in ((left, "left"), (right, "right"), (out, "out")):
            if fields_of(fields, what).group != left.group:
                raise LayerError(
                    f"{what} belongs to {fields.group.name}, left to {left.group.name}"
                )
        self.left_type: FieldType = left
        self.right_type: FieldType = right
        self.out_type: FieldType = out
        self.in_types: tuple[FieldType, FieldType] = (left, right)
        self.paired = paired
        self._units = units(left), units(right), units(out)
        if paired and len(left) != len(right):
            raise LayerError(
                f"paired=True takes field k with field k: {left} has {len(left)} fields and {right} has {len(right)}"
            )
        self.products: tuple[Product, ...] = _products(left, right, out)
        if paired:
            self.products = tuple(p for p in self.products if self._pairs(p))
        if not self.products:
            raise LayerError(
                f"no bilinear map from {left} and {right} to {out} is equivariant"
            )
        dtype = floating(dtype)
        device = on_device(device)
        for k, product in enumerate(self.products):
            weight = torch.empty(self._shape(product), device=device, dtype=dtype)
            self.register_parameter(f"weight_{k}", nn.Parameter(weight))
        for name in SIDES:
            self.register_buffer(f"order_{name}", None, persistent=False)
        self._register(device, dtype)
        self.reset_parameters()

    def _sources(self) -> dict[str, NDArray[Any]]:
        out: dict[str, NDArray[Any]] = {}
        for k, product in enumerate(self.products):
            out[f"maps_{k}"] = np.asarray(product.maps, dtype=np.float64)
            if self.paired:
                # Buffers: lists would be copied to the device in every call.
                both = np.array(self._pairs(product), dtype=np.int64).T
                out[f"left_{k}"], out[f"right_{k}"] = both
        for name, some in zip(SIDES, self._units, strict=True):
            order = channel_order(some)
            if order is None:
                continue
            # Inputs are brought into the order in which copies of a unit stand together, the output out of it.
            if name != "out":
                order = np.argsort(order)
            out[f"order_{name}"] = order
        return out

    def _pairs(self, product: Product) -> list[tuple[int, int]]:
        """(copy on the left, copy on the right) that stand at the same number."""
        left, right, _ = self._units
        one = _numbers(self.left_type, left[product.left_index])
        other = _numbers(self.right_type, right[product.right_index])
        both = {n: k for k, n in enumerate(other)}
        return [(k, both[n]) for k, n in enumerate(one) if n in both]

    def _shape(self, product: Product) -> tuple[int, ...]:
        left, right, out = self._units
        copies = out[product.out_index].copies
        if self.paired:
            return copies, len(self._pairs(product)), len(product.maps)
        return (
            copies,
            left[product.left_index].copies,
            right[product.right_index].copies,
            len(product.maps),
        )

    def reset_parameters(self, gain: float = 1.0) -> None:
        r"""Independent unit inputs give outputs of mean variance gain²: $\sum \mathrm{Var}\, |V|^2 = c_{out}$."""
        fans: dict[int, int] = {}
        for k, product in enumerate(self.products):
            shape = self.get_parameter(f"weight_{k}").shape
            fans[product.out_index] = fans.get(product.out_index, 0) + int(
                np.prod(shape[1:])
            )
        with torch.no_grad():
            for k, product in enumerate(self.products):
                size = product.maps.shape[1]
                std = gain * (size / fans[product.out_index]) ** 0.5
                self.get_parameter(f"weight_{k}").normal_(0.0, std)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        """The bilinear maps of two fields."""
        require_channels(x, self.left_type)
        require_channels(y, self.right_type)
        # torch.fx traces with what has no shape.
        if isinstance(x, Tensor) and (
            x.shape[0] != y.shape[0] or x.shape[2:] != y.shape[2:]
        ):
            raise LayerError(
                f"both fields need the same batch and space, got {tuple(x.shape)} and {tuple(y.shape)}"
            )
        left, right, out = self._units
        lefts = _separate(x, left, self._buffers.get("order_left"))
        rights = _separate(y, right, self._buffers.get("order_right"))
        parts: dict[int, Tensor] = {}
        for k, product in enumerate(self.products):
            # Not by get_parameter, which refuses what torch.fx traces with.
            weight: Tensor = getattr(self, f"weight_{k}")
            maps = self.get_buffer(f"maps_{k}")
            a, b = lefts[product.left_index], rights[product.right_index]
            if self.paired:
                a = a.index_select(1, self.get_buffer(f"left_{k}"))
                b = b.index_select(1, self.get_buffer(f"right_{k}"))
                mixed = torch.einsum("zpi...,zpj...,eoij->zpeo...", a, b, maps)
                found = torch.einsum("zpeo...,kpe->zko...", mixed, weight)
            else:
                # The maps of all weights first, then one sum over both fields.
                whole = torch.einsum("klre,eoij->kolirj", weight, maps)
                found = torch.einsum("kolirj,zli...,zrj...->zko...", whole, a, b)
            before = parts.get(product.out_index)
            if before is not None:
                found = before + found
            parts[product.out_index] = found
        joined = []
        for o, unit in enumerate(out):
            if o in parts:
                joined.append(parts[o].flatten(1, 2))
            else:  # no bilinear map reaches it
                none = torch.zeros_like(x[:, :1])
                joined.append(none.repeat_interleave(unit.copies * unit.size, 1))
        result = torch.cat(joined, 1)
        order = self._buffers.get("order_out")
        if order is None:
            return result
        return result.index_select(1, order)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        fields = f"{self.left_type} * {self.right_type} -> {self.out_type}"
        text = f"{self.left_type.group.name}, {fields}"
        if self.paired:
            return f"{text}, paired"
        return text


def _numbers(fields: FieldType, unit: Unit) -> list[int]:
    """The numbers of the fields that are copies of a unit."""
    starts = [s.start for s in fields.slices]
    return [starts.index(offset) for offset in unit.offsets]


def _separate(x: Tensor, some: tuple[Unit, ...], order: Tensor | None) -> list[Tensor]:
    """(batch, copies, size, *space) of every unit."""
    if order is not None:
        x = x.index_select(1, order)
    parts, at = [], 0
    for u in some:
        part = x[:, at : at + u.copies * u.size]
        parts.append(torch.unflatten(part, 1, (u.copies, u.size)))
        at += u.copies * u.size
    return parts


def _products(left: FieldType, right: FieldType, out: FieldType) -> tuple[Product, ...]:
    found = []
    for i, a in enumerate(left.distinct):
        for j, b in enumerate(right.distinct):
            both = FieldType.of([_tensor(a, b)])
            # One question for all outputs.
            target = FieldType.of(out.distinct)
            # Tensor products are reducible, and there is one order only: no way through irreps.
            basis = solve_problem(Problem(left.group, both, target, 0), method="direct")
            for block in basis.blocks:
                size = out.distinct[block.out_index].size
                elements = block.orders[0]
                if not elements.size:
                    continue
                maps = np.zeros((elements.size, size, a.size * b.size))
                maps[elements.element, elements.row, elements.column] = to_float(
                    elements.coefficients
                )[:, 0]
                flat = maps.reshape(len(maps), -1)
                # The orthonormal basis nearest to the maps, as for the weights of other layers.
                u, _, v = np.linalg.svd(
                    flat / np.linalg.norm(flat, axis=1, keepdims=True),
                    full_matrices=False,
                )
                shape = (len(maps), size, a.size, b.size)
                found.append(Product(block.out_index, i, j, (u @ v).reshape(shape)))
    return tuple(found)


def _tensor(a: Representation, b: Representation) -> Representation:
    """The Kronecker product, by its matrices: of any two representations, named or not."""
    matrices = zip(a.matrices(), b.matrices(), strict=True)
    one_a, one_b = identity(a.size), identity(b.size)
    return from_matrices(
        a.group,
        f"tensor({a.spec}, {b.spec})",
        a.size * b.size,
        tuple(kronecker(p, q) for p, q in matrices),
        # d(rho_1 x rho_2)(X) = d rho_1(X) x 1 + 1 x d rho_2(X)
        tuple(
            kronecker(p, one_b) + kronecker(one_a, q)
            for p, q in zip(a.lie, b.lie, strict=True)
        ),
        own=True,
    )
