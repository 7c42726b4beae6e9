"""A learned combination of equivariant terms, for closures and for equations with unknown coefficients."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, nn

from pdobasis.nn.terms import TermsFunction
from pdobasis.nonlinear.result import Terms


class TermLayer(nn.Module):
    r"""$\sum_k c_k T_k(u, \partial u, \dots)$ with learned $c_k$: equivariant, whatever the coefficients are.

    A field is (…, components, *grid) with x1 along the last axis, periodic. Parameters belong to terms divided by their
    ``scale``, so that one learning rate serves all; ``coefficients`` are those of the terms as they are printed.

    >>> import pdobasis
    >>> layer = TermLayer(pdobasis.terms("O(2)", {"u": "vector"}, "vector", 2, 1), spacing=0.1)
    >>> layer({"u": torch.ones(3, 2, 8, 8)}).shape
    torch.Size([3, 2, 8, 8])
    >>> layer.equation()
    '∂_t u_i = 0'

    Parameters
    ----------
    terms : Terms
        As :func:`pdobasis.terms` finds them.
    spacing : float or sequence of float
        Of the grid, one number or one for each axis.
    """

    scale: Tensor
    active: Tensor

    def __init__(self, terms: Terms, spacing: float | Sequence[float] = 1.0) -> None:
        super().__init__()
        self.terms = terms
        self.function: TermsFunction = TermsFunction(terms, spacing)
        self.weight: nn.Parameter = nn.Parameter(torch.zeros(len(terms)))
        self.register_buffer("scale", torch.ones(len(terms)))
        self.register_buffer("active", torch.ones(len(terms)))

    def extra_repr(self) -> str:
        """The question, for the line of the layer."""
        return repr(self.terms).strip("<>")

    @property
    def coefficients(self) -> Tensor:
        """The numbers in front of the terms as they are printed."""
        return self.weight * self.active / self.scale

    @torch.no_grad()
    def calibrate(self, fields: Mapping[str, Tensor]) -> None:
        """Take the root of mean squares of every term on ``fields`` for its scale; the map stays the same."""
        values = self.function(fields)
        before = self.coefficients
        size = values.flatten(1).square().mean(dim=1).sqrt().to(self.scale.dtype)
        self.scale.copy_(torch.where(size > 0, size, torch.ones_like(size)))
        self.weight.copy_(before * self.scale)

    def forward(self, fields: Mapping[str, Tensor]) -> Tensor:
        """The sum of all terms, on fields by their names."""
        values = self.function(fields)
        c = self.coefficients.to(values.dtype)
        found: Tensor = torch.tensordot(c, values, dims=1)
        return found

    @torch.no_grad()
    def keep(self, part: float) -> None:
        """Leave out for good the terms that contribute less than ``part`` of the largest one."""
        size = (self.weight * self.active).abs()
        self.active.mul_(size >= part * size.max())

    def equation(self, digits: int = 3) -> str:
        """What was learned, in index notation."""
        parts = []
        for term, c in zip(self.terms, self.coefficients.tolist(), strict=True):
            if c:
                parts.append(f"{'-' if c < 0 else '+'} {abs(c):.{digits}g} {term.text}")
        first = self.terms.question.fields[0]
        index = "_i" if self.terms.question.out.size > 1 else ""
        return f"∂_t {first.name}{index} = {' '.join(parts).removeprefix('+ ') or '0'}"


def rk4(rate: Callable[[Tensor], Tensor], u: Tensor, step: float) -> Tensor:
    """One step of the classical Runge–Kutta method; gradients flow through.

    Parameters
    ----------
    rate : callable
        The derivative in time, as a function of the field.
    u : Tensor
        The field.
    step : float
        In time.

    Returns
    -------
    Tensor
        The field one step later.

    Examples
    --------
    >>> round(rk4(lambda u: -u, torch.ones(1).double(), 0.1).item(), 4)  # exp(-0.1)
    0.9048
    """
    a = rate(u)
    b = rate(u + step / 2 * a)
    c = rate(u + step / 2 * b)
    d = rate(u + step * c)
    return u + step / 6 * (a + 2 * b + 2 * c + d)
