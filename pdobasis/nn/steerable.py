"""Weights, bias and basis of a steerable layer: everything but the convolution itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from pdobasis.layers.arguments import whole
from pdobasis.layers.errors import LayerError
from pdobasis.layers.layer_basis import LayerBasis, Pair, by_summand
from pdobasis.layers.operator import LayerOperator
from pdobasis.layers.parametrise import GRADED, Parametrisation, parametrise
from pdobasis.layers.state import LayerState, of_earlier_version, read, written
from pdobasis.nn.arguments import double, floating, on_device
from pdobasis.nn.expand import (
    TakenRows,
    channel_order,
    entry_rows,
    expand,
    inverse,
    join_blocks,
)
from pdobasis.nn.initialise import HE, initialise, require_init, set_coefficients
from pdobasis.nn.loading import convert
from pdobasis.nn.reuse import Reused, reused, with_gradient
from pdobasis.nn.tracing import is_traced
from pdobasis.question.field_type import FieldType

STENCILS, JETS = "stencils", "jets"


class Steerable(nn.Module):
    """One ``weight`` (out copies, in copies, elements) per pair of different summands, and a bias on the trivial part.

    The basis sits in buffers that are not saved; its name and the parametrisation of the weights are (`LayerState`), so
    that weights never meet another basis.
    """

    weight: nn.Parameter
    bias: nn.Parameter | None

    def __init__(
        self,
        basis: LayerBasis,
        kind: str,
        groups: int = 1,
        bias: bool = True,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        parametrisation: str = GRADED,
        init: str = HE,
    ) -> None:
        require_init(init)
        self.coordinates: Parametrisation = parametrise(basis, parametrisation)
        super().__init__()
        self.basis = basis
        self.init = init
        self.groups = groups
        self.kind = kind
        self._reused: list[Reused] = []
        self._weight_names = tuple(self._name("weight", pair) for pair in basis.pairs)
        dtype = floating(dtype)
        device = on_device(device)
        if device is None:
            device = torch.get_default_device()
        for pair in basis.pairs:
            copies = (
                groups * basis.out_units[pair.out_index].copies,
                basis.in_units[pair.in_index].copies,
            )
            weight = torch.empty(*copies, pair.packed.size, device=device, dtype=dtype)
            self.register_parameter(self._name("weight", pair), nn.Parameter(weight))
        free = groups * sum(u.copies * len(u.invariants) for u in basis.out_units)
        values = torch.empty(free, device=device, dtype=dtype)
        self.register_parameter("bias", None)
        if bias and free:
            self.bias = nn.Parameter(values)
        for name, data in self._sources().items():
            self._require_range(data, dtype)
            self.register_buffer(name, _tensor(data, device, dtype), persistent=False)
        self.reset_parameters()

    @property
    def in_type(self) -> FieldType:
        """The field type of the input, over all groups."""
        return self.basis.in_type * self.groups

    @property
    def out_type(self) -> FieldType:
        return self.basis.out_type * self.groups

    @property
    def weights(self) -> dict[tuple[str, str], Tensor]:
        """(out summand, in summand) to the parameter; a layer with one pair has it as ``weight``."""
        outs, ins = self.basis.out_units, self.basis.in_units
        return {
            (outs[p.out_index].spec, ins[p.in_index].spec): self._weight(p)
            for p in self.basis.pairs
        }

    @property
    def parametrisation(self) -> str:
        """What a weight multiplies: "graded", "orthonormal", "unit" or, as they are printed, "plain" elements."""
        return self.coordinates.name

    @property
    def coefficients(self) -> dict[tuple[str, str], Tensor]:
        """(out summand, in summand) to the numbers in front of the PDOs as printed, (out copies, in copies, elements).

        Differentiable in the weights. Can be set: by such a mapping (pairs that it lacks become zero), or by a number
        or an array where there is one pair. Where elements depend on each other on the grid, or vanish there, other
        numbers of the same filter are read back; and all are rounded as the weights are, which they are sums of.
        """
        named = zip(self.weights.items(), self.coordinates.pairs, strict=True)
        device = self._weights()[0].device.type
        if device != "meta" and torch.is_autocast_enabled(device):
            with torch.autocast(device, enabled=False):
                return self.coefficients
        return {
            name: weight @ _tensor(own.to_coefficients.T, weight.device, weight.dtype)
            for (name, weight), own in named
        }

    @coefficients.setter
    def coefficients(self, values: Any) -> None:
        names = list(self.weights)
        if not isinstance(values, Mapping):
            if len(names) > 1:
                raise LayerError(
                    f"this layer has several pairs of fields: give a mapping with keys among {names}"
                )
            values = {names[0]: values}
        for name in values:
            if name not in names:
                raise LayerError(
                    f"no pair (out, in) of fields {name!r}: this layer has {names}"
                )
        self.require_numbers()
        every = [values.get(name, 0.0) for name in names]
        set_coefficients(self, [double(v) for v in every])

    def operator(self, group: int = 0) -> LayerOperator:
        """The PDO that the layer computes (before it is discretized), with the numbers it has now.

        For a layer with convolution groups that of one of them. Numbers below the rounding of the weights that they
        come from, or of a filter of double precision, are zero.
        """
        whole(group, "group", 0)
        if group >= self.groups:
            raise LayerError(
                f"no group {group}: this layer has {self.groups} convolution groups"
            )
        if self.basis.answer.problem.kernel or self.basis.copies is None:
            raise LayerError(
                "a layer of kernels computes no PDO: layer.coefficients has its numbers"
            )
        self.require_numbers()
        values = {}
        named = zip(
            self.basis.pairs, self.coordinates.pairs, self.weights.items(), strict=True
        )
        for pair, coordinates, (name, weight) in named:
            # Nothing is larger than a rounding error of infinity: all numbers would be taken for zero.
            if not bool(torch.isfinite(weight).all()):
                raise LayerError(
                    f"weights of {name} are not finite, so the layer computes no PDO: train with a smaller rate"
                )
            copies = self.basis.out_units[pair.out_index].copies
            own = slice(group * copies, (group + 1) * copies)
            both = coordinates.told(
                double(weight)[own].numpy(), torch.finfo(weight.dtype).eps
            )
            # Several methods stand for the same PDOs: their numbers add up, and what is rounding of them.
            found, rounding = (
                part.reshape(*part.shape[:2], self.basis.copies, -1).sum(axis=2)
                for part in both
            )
            kept = np.where(np.abs(found) > rounding, found, 0.0)
            values[pair.out_index, pair.in_index] = kept
        return LayerOperator(self.basis.answer, by_summand(self.basis, values))

    def reset_parameters(self, gain: float = 1.0, init: str | None = None) -> None:
        """Initialise again, as the layer was or by another name: see `pdobasis.nn.initialise`."""
        if init is None:
            init = self.init
        initialise(self, init, gain)

    def mixing(self) -> Tensor:
        """(out channels, in channels of a group, *kernel or atoms), differentiable in the weights."""
        return self.ready()[0]

    def channel_bias(self) -> Tensor | None:
        """One number per output channel."""
        return self.ready()[1]

    def ready(self) -> tuple[Tensor, Tensor | None, dict[Any, Tensor]]:
        """``mixing()``, ``channel_bias()``, and a place for what is cut out of the first.

        Only plain eager execution keeps them: tracers and function transforms see the computation itself.
        """
        weights = self._weights()
        self._fill_hollow(weights[0])
        # In training the weights change with every step; tensors on the meta device have no numbers to compare.
        if self.training or is_traced() or weights[0].is_meta:
            return self._mixing(weights), self._channel_bias(), {}
        kept = reused(
            self._reused, weights, self.bias, self._mixing, self._channel_bias
        )
        if torch.is_grad_enabled():
            # An empty place: parts cut out of the kept filter would belong to the graph of an earlier call.
            return (
                with_gradient(kept.value, weights, self._mixing),
                self._channel_bias(),
                {},
            )
        return kept.value, kept.bias, kept.parts

    def _channel_bias(self) -> Tensor | None:
        if self.bias is None:
            return None
        if len(self.basis.out_units) == 1:
            # The channels of all copies and groups stand in order already: nothing is cut or joined.
            free = len(self.basis.out_units[0].invariants)
            vectors = self.get_buffer("invariants_0")
            return (self.bias.view(-1, free) @ vectors).view(-1)
        parts, at = [], 0
        values = self.bias.view(self.groups, -1)
        for o, unit in enumerate(self.basis.out_units):
            free = unit.copies * len(unit.invariants)
            some = values[:, at : at + free].reshape(
                self.groups, unit.copies, len(unit.invariants)
            )
            parts.append(
                (some @ self.get_buffer(f"invariants_{o}")).reshape(self.groups, -1)
            )
            at += free
        joined = torch.cat(parts, 1)
        order = self._buffers.get("out_order")
        if order is not None:
            joined = joined[:, order]
        return joined.reshape(-1)

    def _mixing(self, parameters: list[Tensor]) -> Tensor:
        device = parameters[0].device.type
        # A filter that is built in half precision would lose its symmetry; the convolution may still be cast.
        # (Of the meta device torch refuses to say whether autocast is on.)
        if device != "meta" and torch.is_autocast_enabled(device):
            with torch.autocast(device, enabled=False):
                return self._mixing(parameters)
        blocks = {}
        for pair, weight in zip(self.basis.pairs, parameters, strict=True):
            name = f"{pair.out_index}_{pair.in_index}"
            blocks[pair.out_index, pair.in_index] = expand(
                weight,
                self.get_buffer(f"basis_{name}"),
                self._places(f"elements_{name}"),
                self._places(f"entries_{name}"),
                pair.packed.shape,
                self.groups,
            )
        orders = (self._buffers.get("out_order"), self._buffers.get("in_order"))
        joined = join_blocks(blocks, self.basis.out_units, self.basis.in_units, orders)
        if self.kind == STENCILS:
            return torch.unflatten(joined, 2, self.basis.atoms.shape[1:])
        return joined

    def _sources(self) -> dict[str, NDArray[Any]]:
        """Every buffer by name, in double precision."""
        out: dict[str, NDArray[Any]] = {}
        atoms = self.basis.atoms
        if self.kind == JETS:
            out["atoms"] = atoms.reshape(len(atoms), -1)
        for pair, own in zip(self.basis.pairs, self.coordinates.pairs, strict=True):
            name = f"{pair.out_index}_{pair.in_index}"
            table = own.elements
            if self.kind == STENCILS:
                # Multiplied out in double precision, so that each weight is rounded to the layer's type once.
                table = table @ atoms.reshape(len(atoms), -1)
            out[f"basis_{name}"] = table
            if pair.packed.elements is not None:
                taken = pair.packed.elements.reshape(-1)
                out |= _named(
                    f"elements_{name}", (taken, inverse(taken, pair.packed.size))
                )
                out |= _named(
                    f"entries_{name}",
                    entry_rows(pair.packed, *self._weight(pair).shape[:2]),
                )
        out |= {
            f"invariants_{o}": unit.invariants
            for o, unit in enumerate(self.basis.out_units)
        }
        for key, units in (
            ("out_order", self.basis.out_units),
            ("in_order", self.basis.in_units),
        ):
            if (order := channel_order(units)) is not None:
                out[key] = order
        return out

    def _places(self, name: str) -> TakenRows | None:
        taken, went = (
            self._buffers.get(f"{name}_taken"),
            self._buffers.get(f"{name}_went"),
        )
        if taken is None or went is None:
            return None
        return TakenRows(taken, went)

    def _weights(self) -> list[Tensor]:
        return [getattr(self, name) for name in self._weight_names]

    def _weight(self, pair: Pair) -> Tensor:
        weight: Tensor = getattr(self, self._name("weight", pair))
        return weight

    def _name(self, key: str, pair: Pair) -> str:
        if len(self.basis.pairs) == 1:
            return key
        return f"{key}_{pair.out_index}_{pair.in_index}"

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Steerable:
        """Casting and moving start from double precision again, so that nothing is rounded twice."""
        # Buffers that were cast to half precision and back would have lost their digits.
        before = self._where()
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        after = self._where()
        if before != after:
            self._fill(after)
        # What was built before has the old type and is in the old place.
        self._reused = []
        return self

    def train(self, mode: bool = True) -> Self:
        # What was built for evaluation may be out of date when the layer comes back to it.
        self._reused = []
        return super().train(mode)

    def _where(self) -> dict[str, tuple[torch.device, torch.dtype]]:
        return {
            k: (b.device, b.dtype) for k, b in self._buffers.items() if b is not None
        }

    def _fill(self, places: Mapping[str, tuple[torch.device, torch.dtype]]) -> None:
        for name, data in self._sources().items():
            self._require_range(data, places[name][1])
            self._buffers[name] = _tensor(data, *places[name])

    def _require_range(self, data: NDArray[Any], dtype: torch.dtype) -> None:
        """Derivatives on a fine grid are large: half precision ends at 65504, and infinity times zero is no number."""
        if data.dtype != np.float64 or not dtype.is_floating_point:
            return
        largest, room = np.abs(data).max(initial=0.0), torch.finfo(dtype).max
        if largest > room:
            raise LayerError(
                f"the stencils of this layer go up to {largest:.2g}, and {dtype} ends at {room:.2g}: "
                "use torch.bfloat16, parametrisation='graded', or a larger spacing"
            )

    def require_numbers(self, x: Tensor | None = None) -> None:
        """torch convolves an input with weights of the meta device as if they had numbers."""
        # an input that is traced is not asked, unless it has to be
        if getattr(self, self._weight_names[0]).is_meta and (
            x is None or not x.is_meta
        ):
            raise LayerError(
                "the weights of this layer are on the meta device and hold no numbers: load_state_dict(…, assign=True) "
                "brings some, or to_empty(device=…) and reset_parameters()"
            )

    def _fill_hollow(self, weight: Tensor) -> None:
        """A layer that was built on the meta device and was given its weights makes its own basis, where they are.

        By assign=True, or one parameter after the other: torch would compute with buffers that were never filled.
        """
        first = next(iter(self._buffers.values()), None)
        if first is not None and first.is_meta and not weight.is_meta:
            self._fill_like(weight)

    def _fill_like(self, weight: Tensor) -> None:
        """The basis in the place and of the type of the weights, unless it is there."""
        known = self._where()
        wanted = {
            name: (weight.device, weight.dtype if old.is_floating_point else old)
            for name, (_, old) in known.items()
        }
        if wanted != known and not weight.is_meta:
            self._fill(wanted)

    def get_extra_state(self) -> Tensor:
        return torch.frombuffer(bytearray(written(self._state())), dtype=torch.uint8)

    def set_extra_state(self, state: Any) -> None:
        """Read together with the weights, in ``_load_from_state_dict``."""

    def _state(self) -> LayerState:
        return LayerState(self.basis.fingerprint, self.parametrisation)

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing: Any,
        unexpected: Any,
        errors: Any,
    ) -> None:
        try:
            found = self._saved_state(state_dict, prefix)
        except LayerError as error:
            errors.append(f"{prefix or type(self).__name__}: {error}")
            return
        if found is not None:
            if found.fingerprint not in self.basis.fingerprints:
                # Nothing is loaded: the shapes of the weights may well fit, and the layer would compute something else.
                errors.append(
                    f"{prefix or type(self).__name__}: these weights belong to another basis (fingerprint "
                    f"{found.fingerprint.hex()[:12]}, this layer has {self.basis.fingerprint.hex()[:12]}: "
                    f"{self.question}): build the layer with {self._advice(found)}"
                )
                return
            assign = local_metadata.get("assign_to_params_buffers", False)
            try:
                self._adopt(found)
                convert(self, found, state_dict, prefix, assign)
            except LayerError as error:
                errors.append(f"{prefix or type(self).__name__}: {error}")
                return
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing, unexpected, errors
        )
        self._fill_like(self._weights()[0])
        self._reused = []

    def _saved_state(self, state_dict: Any, prefix: str) -> LayerState | None:
        """What was saved beside the weights; earlier a buffer with the name of the basis."""
        earlier = state_dict.pop(prefix + "basis_fingerprint", None)
        if earlier is not None:
            state = of_earlier_version(earlier.cpu().tolist())
            # As if it had been saved today, for the check of missing names.
            state_dict[prefix + "_extra_state"] = None
            return state
        saved = state_dict.get(prefix + "_extra_state")
        if not isinstance(saved, Tensor):
            return None
        return read(bytes(saved.cpu().to(torch.uint8).tolist()))

    def _advice(self, state: LayerState) -> str:
        """What weights of another basis need."""
        return "the group, fields, order and stencil that were trained"

    def _adopt(self, state: LayerState) -> None:
        """Layers on points are normalised for their cloud."""

    @property
    def order(self) -> int:
        """The highest order of the PDOs; of kernels the highest angular order."""
        return self.basis.answer.problem.order

    @property
    def question(self) -> str:
        """What this layer answers, in one line."""
        group = self.basis.in_type.group.name
        return (
            f"{group}, {self.in_type} -> {self.out_type}, order {self.order}, "
            f"{self.basis.description}"
        )

    @property
    def _size_text(self) -> str:
        return f"{sum(p.numel() for p in self.parameters()):,} parameters"

    def __getstate__(self) -> dict[str, Any]:
        # Copies and files hold the parameters; filters are built from them again.
        return {**self.__dict__, "_reused": []}


def _named(
    name: str, both: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> dict[str, NDArray[Any]]:
    # Half as long as usual: two of 64 bits per pair of channels are a sixth of a filter of 5x5.
    taken, went = (places.astype(np.int32) for places in both)
    return {f"{name}_taken": taken, f"{name}_went": went}


def _tensor(
    data: NDArray[Any], device: torch.device | str | None, dtype: torch.dtype
) -> Tensor:
    if data.dtype != np.float64:  # indices and the fingerprint stay whole numbers
        return torch.tensor(data, device=device)
    return torch.tensor(data, device=device, dtype=dtype)
