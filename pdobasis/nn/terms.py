"""Nonlinear terms as a differentiable function of torch tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import pi
from typing import Any

import torch
from torch import Tensor

from pdobasis.errors import SpecError, require_type
from pdobasis.nonlinear.evaluate import coordinates_of
from pdobasis.nonlinear.result import Terms
from pdobasis.nonlinear.source import Key, compiled, key_of
from pdobasis.stencils.on_arrays import steps_of


class TermsFunction:
    """All terms on periodic grids, by spectral derivatives; gradients flow to the fields.

    A field is (…, components, *grid) with x1 along the last axis, a constant (…, components); ``u_t`` holds ∂_t u. The
    answer is (terms, …, components, *grid).

    >>> import pdobasis
    >>> found = pdobasis.terms("O(2)", {"p": "trivial"}, "trivial", degree=2, derivatives=1)
    >>> values = TermsFunction(found, spacing=0.1)({"p": torch.ones(1, 8, 8)})
    >>> values.shape
    torch.Size([3, 1, 8, 8])
    """

    def __init__(self, terms: Terms, spacing: float | Sequence[float] = 1.0) -> None:
        require_type(terms, Terms, "terms", "Terms, as pdobasis.terms() finds them")
        self.terms: Terms = terms
        self.dim: int = terms.question.group.dim
        self.steps: tuple[float, ...] = steps_of(self.dim, spacing)
        self.sizes: dict[str, int] = {f.name: f.rep.size for f in terms.question.fields}
        self.out_size: int = terms.question.out.size
        self.needed: list[Key] = [key_of(terms, c) for c in coordinates_of(terms)]
        self.constants: set[str] = {f.name for f in terms.question.fields if f.constant}
        self.function: Callable[[Mapping[Key, Any]], list[list[Any]]] = compiled(terms)

    def __getstate__(self) -> dict[str, Any]:
        # What was compiled cannot be written down, and is made again from the terms.
        return {name: own for name, own in vars(self).items() if name != "function"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.function = compiled(self.terms)

    def __repr__(self) -> str:
        question = self.terms.question
        return f"<TermsFunction of {len(self.terms)} terms: {question.group.name}>"

    def __call__(self, fields: Mapping[str, Tensor]) -> Tensor:
        jets = {}
        for name, component, alpha, time in self.needed:
            own = self._given(fields, name, name + "_" * bool(time) + "t" * time)
            if name in self.constants:
                value = own[..., component].reshape(*own.shape[:-1], *[1] * self.dim)
            else:
                axis = own.ndim - self.dim - 1
                value = self._derivative(own.select(axis, component), alpha)
            jets[name, component, alpha, time] = value
        if not jets:
            return self._nothing(fields)
        first, *_ = torch.broadcast_tensors(*jets.values())  # type: ignore[no-untyped-call]
        shape = first.shape
        rows = []
        for components in self.function(jets):
            expanded = [c.expand(shape) for c in components]
            rows.append(torch.stack(expanded, dim=len(shape) - self.dim))
        return torch.stack(rows)

    def _given(self, fields: Mapping[str, Tensor], field: str, name: str) -> Tensor:
        """A field by its name, in a shape that fits."""
        if name not in fields:
            raise SpecError(
                f"the terms need {name}: give a tensor of this name among the fields"
            )
        own = fields[name]
        grid = 0 if field in self.constants else self.dim
        size = self.sizes[field]
        if own.ndim <= grid or own.shape[own.ndim - grid - 1] != size:
            wanted = ", ".join(["…", str(size), *["n"] * grid])
            raise SpecError(
                f"{name} needs the shape ({wanted}), got {tuple(own.shape)}"
            )
        return own

    def _nothing(self, fields: Mapping[str, Tensor]) -> Tensor:
        """No terms, on the grid of the fields."""
        every = [own for name, own in fields.items() if name not in self.constants]
        if not every:
            raise SpecError("no field is given: fields={'u': tensor, …}")
        own = every[0]
        shape = (*own.shape[: -self.dim - 1], self.out_size, *own.shape[-self.dim :])
        return own.new_zeros((0, *shape))

    def _derivative(self, array: Tensor, alpha: tuple[int, ...]) -> Tensor:
        out = array
        for i, order in enumerate(alpha):
            if not order:
                continue
            n = array.shape[-1 - i]
            k = 2 * pi * torch.fft.fftfreq(n, self.steps[i], dtype=out.dtype)
            factor = (1j * k.to(out.device)) ** order
            if order % 2 and n % 2 == 0:  # the highest frequency has no odd derivative
                factor[n // 2] = 0
            shape = [1] * array.ndim
            shape[array.ndim - 1 - i] = n
            moved = torch.fft.fft(out, dim=-1 - i) * factor.reshape(shape)
            out = torch.fft.ifft(moved, dim=-1 - i).real
        return out
