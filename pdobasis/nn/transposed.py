r"""Transposed PDO convolutions: the adjoints of layers, which make images larger.

The adjoint of $(Lx)(p) = \sum_y F(y)\, x(s p + y)$ is $(L^\top z)(q) = \sum_{p, y:\, s p + y = q} F(y)^\top z(p)$, the
transposed convolution with the same filter. Read as a layer from the fields of z it has the filter
$K(y) = F(-y)^\top$ on an input that is spread out with stride s, and is equivariant exactly if K is. So a transposed
layer from in to out takes K from the PDOs of the question in → out: with stride 1 it *is* the layer of that question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import torch
from torch import Tensor, nn

from pdobasis.answer.basis import Basis
from pdobasis.groups.group import Group
from pdobasis.layers.arguments import per_axis, whole
from pdobasis.layers.elements import Element
from pdobasis.layers.errors import LayerError
from pdobasis.layers.invariants import require_orthogonal
from pdobasis.layers.keywords import LayerKeywords
from pdobasis.layers.parametrise import GRADED
from pdobasis.layers.placed import Offsets
from pdobasis.layers.request import (
    Fields,
    Stencil,
    one_group,
    placed_fields,
    resolve_basis,
    sampled,
    truncation_in,
)
from pdobasis.layers.warn import warn_user
from pdobasis.measure.off_grid import WIDTH
from pdobasis.nn.arguments import described, require_channels, require_stencilled
from pdobasis.nn.conv import PDOConv, default_order, masks
from pdobasis.nn.exact_buffers import fixed
from pdobasis.nn.initialise import HE
from pdobasis.nn.off_grid import off_grid_error
from pdobasis.nn.steerable import STENCILS, Steerable
from pdobasis.question.field_type import FieldType
from pdobasis.stencils import Layout
from pdobasis.stencils.lattices import Lattice

if TYPE_CHECKING:
    from pdobasis.pictures.canvas import Picture

_TRANSPOSED = {
    1: torch.conv_transpose1d,
    2: torch.conv_transpose2d,
    3: torch.conv_transpose3d,
}
_MODULES = {1: nn.ConvTranspose1d, 2: nn.ConvTranspose2d, 3: nn.ConvTranspose3d}


@dataclass(frozen=True, slots=True)
class Enlarged:
    """How large images become: (n - 1) s - 2 p + d (k - 1) + 1 points, and up to s - 1 more at the end."""

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]

    def least(self, shape: Sequence[int]) -> tuple[int, ...]:
        axes = zip(
            shape,
            self.stride,
            self.padding,
            self.dilation,
            self.kernel_size,
            strict=True,
        )
        return tuple((n - 1) * s - 2 * p + d * (k - 1) + 1 for n, s, p, d, k in axes)

    def missing(
        self, shape: Sequence[int], output_size: Sequence[int]
    ) -> tuple[int, ...]:
        """What is missing to the size that was asked for; less than a stride."""
        least = self.least(shape)
        wanted = tuple(output_size)[-len(least) :]
        missing = tuple(w - n for w, n in zip(wanted, least, strict=False))
        if len(wanted) != len(least) or any(
            not 0 <= m < s for m, s in zip(missing, self.stride, strict=True)
        ):
            most = tuple(n + s - 1 for n, s in zip(least, self.stride, strict=True))
            raise LayerError(
                f"output_size {wanted} cannot be had from {tuple(shape)}: from {least} to {most}"
            )
        return missing


class PDOConvTranspose(Steerable):
    """As nn.ConvTransposeNd, from all equivariant PDOs of a question; arguments as for PDOConv."""

    dim: ClassVar[int]

    @property
    def lattice(self) -> Lattice | None:
        """The lattice whose points the arrays hold; None on a grid."""
        if self.basis.grid is None:
            return None
        return self.basis.grid.lattice

    def __init__(
        self,
        question: str | Group | Basis,
        in_rep: Fields | None = None,
        out_rep: Fields | None = None,
        order: int | None = None,
        *,
        size: int | Sequence[int] = 5,
        stencil: Stencil | Sequence[Stencil] | None = None,
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0,
        output_padding: int | Sequence[int] = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        bias: bool = True,
        layout: Layout = "grid",
        in_offsets: Offsets | None = None,
        out_offsets: Offsets | None = None,
        parametrisation: str = GRADED,
        init: str = HE,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        **options: Unpack[LayerKeywords],
    ) -> None:
        wanted: dict[str, Any] = dict(options)
        dim = self.dim
        self.kernel_size: tuple[int, ...] = per_axis(size, dim, "size", 1)
        self.stride: tuple[int, ...] = per_axis(stride, dim, "stride", 1)
        self.padding: tuple[int, ...] = per_axis(padding, dim, "padding", 0)
        self.output_padding: tuple[int, ...] = per_axis(
            output_padding, dim, "output_padding", 0
        )
        self.dilation: tuple[int, ...] = per_axis(dilation, dim, "dilation", 1)
        basis = resolve_basis(
            question,
            in_rep,
            out_rep,
            order,
            dim,
            default_order(self.kernel_size),
            truncation_in(wanted),
        )
        places = placed_fields(
            basis,
            (in_rep, out_rep),
            (in_offsets, out_offsets),
            whole(groups, "groups", 1),
        )
        if places is not None and any(s != 1 for s in self.stride):
            raise LayerError(
                "a staggered layer has stride 1: with another the places of its output would be those of smaller cells"
            )
        # Arrays end with x1, grids begin with it.
        layer = sampled(
            one_group(basis, groups),
            stencil,
            self.kernel_size[::-1],
            places,
            dilation=self.dilation[::-1],
            layout=layout,
            **wanted,
        )
        super().__init__(
            layer, STENCILS, groups, bias, device, dtype, parametrisation, init
        )
        self.layout: Layout = layout
        self.in_channels: int = self.in_type.size
        self.out_channels: int = self.out_type.size
        self.transposed: bool = True
        self.padding_mode: str = "zeros"
        self.inside: nn.ModuleList | None = masks(self, self.padding_mode)
        if any(self.output_padding):
            warn_user(
                "output_padding adds points on one side, which no symmetry of the grid keeps: choose size, stride and "
                "padding so that none is needed"
            )

    def filter(self) -> Tensor:
        """The weight of the ordinary transposed convolution, (in channels, out channels of a group, *kernel_size)."""
        space = tuple(range(3, 3 + self.dim))
        # K(-y)^T within every convolution group.
        parts = torch.unflatten(self.mixing(), 0, (self.groups, -1))
        return parts.transpose(1, 2).flip(space).flatten(0, 1)

    def plot_filters(self, *, show: int = 16) -> Picture:
        """The filters as they are now, one panel for every pair of channels; needs the extra ``pdobasis[plot]``."""
        from pdobasis.nn.pictures import plot_filters

        return plot_filters(self, self.filter().transpose(0, 1), self.layout, show)

    def forward(self, x: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        require_stencilled(x, self.in_type)
        more = self.output_padding
        if output_size is not None:
            sizes = Enlarged(self.kernel_size, self.stride, self.padding, self.dilation)
            more = sizes.missing(x.shape[-self.dim :], output_size)
        if self.inside is None:
            return self._forward(x, more)
        y: Tensor = self.inside[1](self._forward(self.inside[0](x), more))
        return y

    def _forward(self, x: Tensor, more: Sequence[int]) -> Tensor:
        return _TRANSPOSED[self.dim](
            x,
            self.filter(),
            self.channel_bias(),
            self.stride,
            self.padding,
            more,
            self.groups,
            self.dilation,
        )

    def off_grid_error(
        self,
        of: str = "weights",
        *,
        width: float = WIDTH,
        elements: Sequence[Element] | None = None,
    ) -> float:
        """As that of `PDOConv2d`, which this layer is with stride 1."""
        if any(s != 1 for s in self.stride):
            raise LayerError(
                f"with stride {self.stride} the input is spread out, and no smooth field any more: the off-grid error "
                "is that of transposed layers with stride 1"
            )
        return off_grid_error(self, self.mixing, of, width, elements)

    def to_conv(self) -> nn.Module:
        """An ordinary nn.ConvTransposeNd with the same output."""
        if self.inside is not None:
            raise LayerError(
                "a staggered layer is a convolution between masks, which nn.ConvTransposeNd has not: to_plain(layer) "
                "has both"
            )
        return self._plain_conv()

    def _plain_conv(self) -> nn.Module:
        with torch.no_grad():
            filters, bias = self.filter().clone(), self.channel_bias()
        conv = _MODULES[self.dim](
            self.in_channels,
            self.out_channels,
            self.kernel_size,  # type: ignore[arg-type]
            self.stride,  # type: ignore[arg-type]
            self.padding,  # type: ignore[arg-type]
            self.output_padding,  # type: ignore[arg-type]
            self.groups,
            bias is not None,
            self.dilation,  # type: ignore[arg-type]
            device=filters.device,
            dtype=filters.dtype,
        )
        conv.weight = nn.Parameter(filters)
        if bias is not None:
            conv.bias = nn.Parameter(bias.clone())
        return conv.train(self.training)

    def extra_repr(self) -> str:
        parts = [self.question, f"stride={self.stride}", f"padding={self.padding}"]
        if any(self.output_padding):
            parts.append(f"output_padding={self.output_padding}")
        if any(d != 1 for d in self.dilation):
            parts.append(f"dilation={self.dilation}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        return ", ".join([*parts, self._size_text])


class PDOConvTranspose1d(PDOConvTranspose):
    """The same from coarse to fine on a line: like nn.ConvTranspose1d.

    Parameters
    ----------
    question : str, Group or Basis
        A group; or a basis, which is all of the question.
    in_rep, out_rep : str or FieldType
        The fields before and behind the layer.
    order : int, optional
        Highest order of the PDOs; by default 2 for 3 points and 3 for 5.
    size, stride, padding, dilation : int or sequence of int
        As in ``nn.ConvTransposeNd``, one number or one for each array axis.
    stencil : str, pair, or list of them, optional
        ``"gauss"``, ``"fd"``, ``"rbffd"``, ``"kernel"``, with options as ``("gauss", {"sigma": 1.0})``.
    output_padding : int or sequence of int
        Points that are added on one side of the output.
    groups, bias, device, dtype
        As in ``nn.ConvTransposeNd``; groups are of whole fields.
    layout : {"grid", "image"}
        Whether x2 grows with the row, or against it.
    in_offsets, out_offsets : optional
        Places of the channels in the cell of a staggered grid.
    parametrisation : {"graded", "orthonormal", "unit", "plain"}
        What a weight multiplies.
    init : {"he", "delta", "identity", "zero"}
        How weights start.
    **options
        Those of the stencil (``sigma``, ``normalize``, …) and of truncations (``max_offset``, …).

    Raises
    ------
    EmptyBasisError
        There is no equivariant operator up to this order.
    SpecError
        A text that says no group or representation.
    LayerError
        Arguments that do not fit each other.

    Examples
    --------
    >>> import torch
    >>> layer = PDOConvTranspose1d("flip", "trivial", "regular", order=1, size=3, padding=1)
    >>> layer(torch.randn(1, 1, 9)).shape
    torch.Size([1, 2, 9])
    """

    dim = 1


class PDOConvTranspose2d(PDOConvTranspose):
    """The same from coarse to fine in the plane: like nn.ConvTranspose2d.

    Parameters
    ----------
    question : str, Group or Basis
        A group; or a basis, which is all of the question.
    in_rep, out_rep : str or FieldType
        The fields before and behind the layer.
    order : int, optional
        Highest order of the PDOs; by default 2 for 3 points and 3 for 5.
    size, stride, padding, dilation : int or sequence of int
        As in ``nn.ConvTransposeNd``, one number or one for each array axis.
    stencil : str, pair, or list of them, optional
        ``"gauss"``, ``"fd"``, ``"rbffd"``, ``"kernel"``, with options as ``("gauss", {"sigma": 1.0})``.
    output_padding : int or sequence of int
        Points that are added on one side of the output.
    groups, bias, device, dtype
        As in ``nn.ConvTransposeNd``; groups are of whole fields.
    layout : {"grid", "image"}
        Whether x2 grows with the row, or against it.
    in_offsets, out_offsets : optional
        Places of the channels in the cell of a staggered grid.
    parametrisation : {"graded", "orthonormal", "unit", "plain"}
        What a weight multiplies.
    init : {"he", "delta", "identity", "zero"}
        How weights start.
    **options
        Those of the stencil (``sigma``, ``normalize``, …) and of truncations (``max_offset``, …).

    Raises
    ------
    EmptyBasisError
        There is no equivariant operator up to this order.
    SpecError
        A text that says no group or representation.
    LayerError
        Arguments that do not fit each other.

    Examples
    --------
    >>> import torch
    >>> layer = PDOConvTranspose2d("D4", "trivial", "vector", order=1, size=3, padding=1)
    >>> layer(torch.randn(1, 1, 9, 9)).shape
    torch.Size([1, 2, 9, 9])
    """

    dim = 2


class PDOConvTranspose3d(PDOConvTranspose):
    """The same from coarse to fine in space: like nn.ConvTranspose3d.

    Parameters
    ----------
    question : str, Group or Basis
        A group; or a basis, which is all of the question.
    in_rep, out_rep : str or FieldType
        The fields before and behind the layer.
    order : int, optional
        Highest order of the PDOs; by default 2 for 3 points and 3 for 5.
    size, stride, padding, dilation : int or sequence of int
        As in ``nn.ConvTransposeNd``, one number or one for each array axis.
    stencil : str, pair, or list of them, optional
        ``"gauss"``, ``"fd"``, ``"rbffd"``, ``"kernel"``, with options as ``("gauss", {"sigma": 1.0})``.
    output_padding : int or sequence of int
        Points that are added on one side of the output.
    groups, bias, device, dtype
        As in ``nn.ConvTransposeNd``; groups are of whole fields.
    layout : {"grid", "image"}
        Whether x2 grows with the row, or against it.
    in_offsets, out_offsets : optional
        Places of the channels in the cell of a staggered grid.
    parametrisation : {"graded", "orthonormal", "unit", "plain"}
        What a weight multiplies.
    init : {"he", "delta", "identity", "zero"}
        How weights start.
    **options
        Those of the stencil (``sigma``, ``normalize``, …) and of truncations (``max_offset``, …).

    Raises
    ------
    EmptyBasisError
        There is no equivariant operator up to this order.
    SpecError
        A text that says no group or representation.
    LayerError
        Arguments that do not fit each other.

    Examples
    --------
    >>> import torch
    >>> layer = PDOConvTranspose3d("Oh", "trivial", "vector", order=1, size=3, padding=1)
    >>> layer(torch.randn(1, 1, 5, 5, 5)).shape
    torch.Size([1, 3, 5, 5, 5])
    """

    dim = 3


class Adjoint(nn.Module):
    r"""The adjoint of a layer, with its weights: $\langle Lx, z\rangle = \langle x, L^\top z\rangle$.

    Fields have to be orthogonal: then $\rho^{-\top} = \rho$, and the adjoint maps the fields of the output back to
    those of the input. Without a bias, and for padding with zeros.

    Parameters
    ----------
    layer : PDOConv1d, PDOConv2d or PDOConv3d
        Its weights are shared.

    Raises
    ------
    LayerError
        A layer with a bias, or fields that are not orthogonal.

    Examples
    --------
    >>> import torch
    >>> from pdobasis.nn import PDOConv2d
    >>> layer = PDOConv2d("D4", "trivial", "vector", size=3, padding=1, bias=False)
    >>> Adjoint(layer)(torch.randn(1, 2, 5, 5)).shape
    torch.Size([1, 1, 5, 5])
    """

    is_whole = True

    def __init__(self, layer: PDOConv) -> None:
        super().__init__()
        if not isinstance(layer, PDOConv):
            raise LayerError(
                f"an adjoint is that of a PDOConv, got {type(layer).__name__}"
            )
        if layer.padding_mode != "zeros" or any(
            a != b for a, b in layer.geometry.pads()
        ):
            raise LayerError(
                "the adjoint is built for padding with zeros, as much before as behind"
            )
        for fields in (layer.in_type, layer.out_type):
            require_orthogonal(fields, "an adjoint", at_places=True)
        self.layer = layer
        self.in_type: FieldType = layer.out_type
        self.out_type: FieldType = layer.in_type
        self.layout = layer.layout
        self.transposed = True
        # Zeros at some entries are their own adjoint.
        self.inside: nn.ModuleList | None = None
        if layer.inside is not None:
            self.inside = nn.ModuleList(reversed(layer.inside))
        self.kernel_size: tuple[int, ...] = layer.kernel_size
        self.stride: tuple[int, ...] = layer.stride
        self.dilation: tuple[int, ...] = layer.dilation
        self.padding: tuple[int, ...] = tuple(a for a, _ in layer.geometry.pads())

    def forward(self, z: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """Apply the adjoint of the layer."""
        require_channels(z, self.in_type)
        layer = self.layer
        more = (0,) * layer.dim
        sizes = Enlarged(layer.kernel_size, layer.stride, self.padding, layer.dilation)
        if output_size is not None:
            more = sizes.missing(z.shape[2:], output_size)
        if self.inside is None:
            return self._forward(z, more)
        x: Tensor = self.inside[1](self._forward(self.inside[0](z), more))
        return x

    def _forward(self, z: Tensor, more: Sequence[int]) -> Tensor:
        layer = self.layer
        return _TRANSPOSED[layer.dim](
            z,
            layer.filter(),
            None,
            layer.stride,
            self.padding,
            more,
            layer.groups,
            layer.dilation,
        )

    def _plain_conv(self) -> nn.Module:
        """An nn.ConvTransposeNd with the numbers that the layer has now."""
        layer = self.layer
        conv = _MODULES[layer.dim](
            self.in_type.size,
            self.out_type.size,
            layer.kernel_size,  # type: ignore[arg-type]
            layer.stride,  # type: ignore[arg-type]
            self.padding,  # type: ignore[arg-type]
            groups=layer.groups,
            bias=False,
            dilation=layer.dilation,  # type: ignore[arg-type]
        )
        conv.weight = fixed(layer.filter())
        return conv

    def plain(self, like: Tensor) -> nn.Module:
        """As torch's own."""
        return self._plain_conv()

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{described(self.in_type)} -> {self.out_type}"
