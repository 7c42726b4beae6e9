"""Steerable PDO convolutions that behave like nn.ConvNd."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Never, Self, Unpack

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from pdobasis.answer.basis import Basis
from pdobasis.groups.group import Group
from pdobasis.layers.arguments import per_axis, whole
from pdobasis.layers.elements import Element
from pdobasis.layers.errors import LayerError
from pdobasis.layers.keywords import LayerKeywords
from pdobasis.layers.layer_basis import LayerBasis
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
from pdobasis.layers.state import LayerState
from pdobasis.measure.off_grid import WIDTH
from pdobasis.nn.arguments import require_stencilled
from pdobasis.nn.cost import Costs, choose, costs_of
from pdobasis.nn.geometry import Geometry
from pdobasis.nn.initialise import HE
from pdobasis.nn.jets import Atoms, Factors, jets, separate
from pdobasis.nn.mix import mixed
from pdobasis.nn.off_grid import off_grid_error
from pdobasis.nn.places import Inside, is_staggered
from pdobasis.nn.steerable import JETS, STENCILS, Steerable
from pdobasis.nn.tracing import is_exporting
from pdobasis.stencils import Layout
from pdobasis.stencils.lattices import Lattice

if TYPE_CHECKING:
    from pdobasis.pictures.canvas import Picture

WAYS = ("auto", "dense", "jets")


class PDOConv(Steerable):
    r"""All equivariant PDOs of a question, discretized, with a weight for each; see docs/layers.md.

    ``size``, ``stride``, ``padding`` and ``dilation`` are one number, or one per array axis as in nn.ConvNd.
    ``parametrisation`` says what a weight multiplies ("graded", "orthonormal", "unit" or "plain" elements), ``init``
    how the weights start ("he", "delta", "identity", "zero"). ``apply`` says how: "dense" builds the filter; "jets"
    takes the derivatives of every input channel first and mixes them afterwards; "auto" takes what is faster, and
    ``apply_by`` says what that is. Jets are products along whole rows: one NaN spoils its image, with "dense" its
    neighbours.
    ``max_offset``, ``basis_filter``, ``frame_order`` and ``frame_angle`` truncate the basis as in
    :func:`pdobasis.solve`. ``in_offsets`` and ``out_offsets`` are the places of the channels in the cell of a
    staggered grid: `pdobasis.nn.places` says how these lie in an array. With ``lattice`` (a name, a ``Lattice`` or
    vectors) arrays hold the points of a lattice, in steps along its vectors, and filters the nodes of a ``window``
    ("closed", "ball r") that all symmetries shared by group and lattice keep.
    """

    dim: ClassVar[int]
    _by_default: dict[str, Any] | None = None
    """What was said of the stencil, where the method was left to the default."""

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
        padding: int | Sequence[int] | str = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        layout: Layout = "grid",
        in_offsets: Offsets | None = None,
        out_offsets: Offsets | None = None,
        apply: str | Costs = "auto",
        parametrisation: str = GRADED,
        init: str = HE,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        **options: Unpack[LayerKeywords],
    ) -> None:
        wanted: dict[str, Any] = dict(options)
        geometry = _geometry(self.dim, size, stride, padding, dilation, padding_mode)
        basis = resolve_basis(
            question,
            in_rep,
            out_rep,
            order,
            self.dim,
            default_order(geometry.kernel_size),
            truncation_in(wanted),
        )
        places = placed_fields(
            basis,
            (in_rep, out_rep),
            (in_offsets, out_offsets),
            whole(groups, "groups", 1),
        )
        if places is not None:
            require_staggered(geometry)
        # nn.ConvNd counts along the array axes and a grid from x1 on, which is the last of them: hence the reversals.
        layer = sampled(
            one_group(basis, groups),
            stencil,
            geometry.kernel_size[::-1],
            places,
            dilation=geometry.dilation[::-1],
            layout=layout,
            **wanted,
        )
        self._set_up(
            layer,
            geometry,
            layout,
            groups,
            bias,
            apply,
            device,
            dtype,
            parametrisation,
            init,
        )
        if stencil is None:
            self._by_default = wanted

    @classmethod
    def from_file(
        cls,
        path: str,
        *,
        in_fields: int = 1,
        out_fields: int = 1,
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] | str = 0,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        apply: str | Costs = "auto",
        parametrisation: str = GRADED,
        init: str = HE,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        **others: Never,
    ) -> Self:
        """From exported stencils, with so many copies of the field types of the file on either side.

        What the file settles (size, stencil, dilation, layout and theirs) is not asked for; the rest is as for the
        constructor.
        """
        from pdobasis.layers.from_file import read_layer

        if others:
            raise LayerError(
                f"the file settles these already, or they are unknown: {', '.join(sorted(others))}"
            )

        layer, layout, dilation = read_layer(
            path, cls.dim, in_fields, out_fields, groups
        )
        geometry = _geometry(
            cls.dim,
            layer.atoms.shape[1:],
            stride,
            padding,
            dilation,
            padding_mode,
        )
        # Not by the constructor, which would solve a question: the file holds the answer.
        new = cls.__new__(cls)
        new._set_up(
            layer,
            geometry,
            layout,
            groups,
            bias,
            apply,
            device,
            dtype,
            parametrisation,
            init,
        )
        return new

    def _set_up(
        self,
        layer: LayerBasis,
        geometry: Geometry,
        layout: Layout,
        groups: int,
        bias: bool,
        apply: str | Costs,
        device: torch.device | str | None,
        dtype: torch.dtype | None,
        parametrisation: str,
        init: str,
    ) -> None:
        costs = costs_of(device)
        if isinstance(apply, Costs):
            costs, apply = apply, "auto"
        if apply not in WAYS:
            raise LayerError(
                f"unknown apply {apply!r}: one of {', '.join(WAYS)}, or Costs"
            )
        factors = None
        if apply != "dense":
            factors = separate(layer.atoms)
        kinds = {"dense": STENCILS, "jets": JETS, "auto": choose(layer, factors, costs)}
        kind = kinds[apply]
        # Before nn.Module is initialised: that registers the buffers, those of the factors among them.
        self.factors: Factors | None = None
        if kind == JETS:
            self.factors = factors
        super().__init__(
            layer, kind, groups, bias, device, dtype, parametrisation, init
        )
        self.geometry = geometry
        self.layout: Layout = layout
        self.in_channels: int = self.in_type.size
        self.out_channels: int = self.out_type.size
        self.kernel_size: tuple[int, ...] = geometry.kernel_size
        self.stride: tuple[int, ...] = geometry.stride
        self.dilation: tuple[int, ...] = geometry.dilation
        self.padding: tuple[int, ...] | str = geometry.padding
        self.padding_mode: str = geometry.padding_mode
        # nn.ConvNd has these two as well.
        self.transposed: bool = False
        self.output_padding: tuple[int, ...] = (0,) * self.dim
        self.inside: nn.ModuleList | None = masks(self, geometry.padding_mode)
        geometry.warn()

    def _advice(self, state: LayerState) -> str:
        """Before stencils were exact on polynomials by default, the default was a plain Gaussian."""
        if self._by_default is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                plain = sampled(
                    self.basis.answer,
                    "gauss",
                    self.kernel_size[::-1],
                    dilation=self.dilation[::-1],
                    layout=self.layout,
                    **self._by_default,
                )
            if state.fingerprint in plain.fingerprints:
                return 'stencil="gauss", which they were trained with when it was the default'
        return super()._advice(state)

    @property
    def lattice(self) -> Lattice | None:
        """The lattice whose points the arrays hold, in steps along its vectors; None on a grid."""
        if self.basis.grid is None:
            return None
        return self.basis.grid.lattice

    @property
    def apply_by(self) -> str:
        """How the layer is applied: "dense" or "jets"."""
        if self.kind == STENCILS:
            return "dense"
        return "jets"

    def forward(self, x: Tensor) -> Tensor:
        require_stencilled(x, self.in_type)
        if self.inside is None:
            return self._forward(x)
        y: Tensor = self.inside[1](self._forward(self.inside[0](x)))
        return y

    def _forward(self, x: Tensor) -> Tensor:
        if self.kind == STENCILS:
            filters, bias, _ = self.ready()
            return self.geometry.convolve(x, filters, bias, self.groups)
        if is_exporting():
            # How jets are taken depends on the size of an image; a convolution serves all sizes.
            return self.geometry.convolve(
                x, self.filter(), self.channel_bias(), self.groups
            )
        return self._forward_jets(x)

    def filter(self) -> Tensor:
        """The weight of the ordinary convolution, (out channels, in channels of a group, *kernel_size)."""
        mixing = self.mixing()
        if self.kind == STENCILS:
            return mixing
        return torch.unflatten(mixing @ self.get_buffer("atoms"), 2, self.kernel_size)

    def plot_filters(self, *, show: int = 16) -> Picture:
        """The filters as they are now, one panel for every pair of channels; needs the extra ``pdobasis[plot]``."""
        from pdobasis.nn.pictures import plot_filters

        return plot_filters(self, self.filter(), self.layout, show)

    def _forward_jets(self, x: Tensor) -> Tensor:
        """Derivatives of every channel, then the products that mix them."""
        if x.ndim == self.dim + 1:
            # One image without a batch, as nn.ConvNd takes it.
            return self._forward_jets(x.unsqueeze(0)).squeeze(0)
        mixing, bias, mixers = self.ready()
        return mixed(x, mixing, bias, self.groups, self._jets, mixers)

    def _jets(self, x: Tensor) -> Iterator[tuple[Tensor, Atoms]]:
        atoms = self.get_buffer("atoms").view(-1, *self.kernel_size)
        stencils = []
        if self.factors:
            stencils = [self.get_buffer(f"factors_{n}") for n in range(self.dim)]
        return jets(x, self.geometry, atoms, self.factors, stencils)

    def _sources(self) -> dict[str, NDArray[Any]]:
        out = super()._sources()
        if self.factors is not None:
            out |= {
                f"factors_{n}": stencils
                for n, stencils in enumerate(self.factors.stencils)
            }
        return out

    def is_exact_on(self, shape: Sequence[int]) -> bool:
        """Whether the symmetries of the grid hold exactly for images of this shape (see docs/layers.md)."""
        return self.geometry.is_exact_on(shape)

    def off_grid_error(
        self,
        of: str = "weights",
        *,
        width: float = WIDTH,
        elements: Sequence[Element] | None = None,
    ) -> float:
        """How far f(g·x) = g·f(x) is missed for those g that do not map the grid to itself: relative, root mean square.

        In closed form, over smooth random fields: white noise that is blurred to ``width`` samples (there is neither
        interpolation nor chance in it, see `pdobasis.measure.commutator`). ``of="weights"``: with the filters that the
        layer has now, without its bias; ``of="basis"``: in the mean over all filters that it could have, which tells
        stencils apart. 0 where every element keeps the grid, as in C4 and D4. ``elements`` are matrices or numbers of
        elements; by default all of a finite group, and multiples of 22.5° for a continuous one.
        """
        return off_grid_error(self, self.filter, of, width, elements)

    def to_conv(self) -> nn.Module:
        """An ordinary nn.ConvNd with the same output."""
        if self.inside is not None:
            raise LayerError(
                "a staggered layer is a convolution between masks, which nn.ConvNd has not: to_plain(layer) has both"
            )
        return self._plain_conv()

    def _plain_conv(self) -> nn.Module:
        kind = {1: nn.Conv1d, 2: nn.Conv2d, 3: nn.Conv3d}[self.dim]
        # A copy: in evaluation the filter is kept for later calls, and training the new layer would change it.
        with torch.no_grad():
            filters, bias = self.filter().clone(), self.channel_bias()
        conv = kind(
            self.in_channels,
            self.out_channels,
            self.kernel_size,  # type: ignore[arg-type]
            self.stride,  # type: ignore[arg-type]
            self.padding,  # type: ignore[arg-type]
            self.dilation,  # type: ignore[arg-type]
            self.groups,
            bias is not None,
            self.padding_mode,  # type: ignore[arg-type]
            device=filters.device,
            dtype=filters.dtype,
        )
        conv.weight = nn.Parameter(filters)
        if bias is not None:
            conv.bias = nn.Parameter(bias.clone())
        return conv.train(self.training)

    def extra_repr(self) -> str:
        g = self.geometry
        parts = [
            self.question,
            f"stride={g.stride}",
            f"padding={g.padding}",
            f"apply={self.apply_by!r}",
        ]
        if any(d != 1 for d in g.dilation):
            parts.append(f"dilation={g.dilation}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.layout != "grid":
            parts.append(f"layout={self.layout!r}")
        if g.padding_mode != "zeros":
            parts.append(f"padding_mode={g.padding_mode!r}")
        if self.bias is None:
            parts.append("bias=False")
        return ", ".join([*parts, self._size_text])


class PDOConv1d(PDOConv):
    """All equivariant PDOs of a question on a line, discretized, with a weight for each: like nn.Conv1d.

    Parameters
    ----------
    question : str, Group or Basis
        A group; or a basis, which is all of the question.
    in_rep, out_rep : str or FieldType
        The fields before and behind the layer.
    order : int, optional
        Highest order of the PDOs; by default 2 for 3 points and 3 for 5.
    size, stride, padding, dilation : int or sequence of int
        As in ``nn.ConvNd``, one number or one for each array axis.
    stencil : str, pair, or list of them, optional
        ``"gauss"``, ``"fd"``, ``"rbffd"``, ``"kernel"``, with options as ``("gauss", {"sigma": 1.0})``.
    groups, bias, padding_mode, device, dtype
        As in ``nn.ConvNd``; groups are of whole fields.
    layout : {"grid", "image"}
        Whether x2 grows with the row, or against it.
    in_offsets, out_offsets : optional
        Places of the channels in the cell of a staggered grid.
    apply : {"auto", "dense", "jets"} or Costs
        How the layer is applied.
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
    >>> layer = PDOConv1d("flip", "trivial", "regular", order=1, size=3, padding=1)
    >>> layer(torch.randn(1, 1, 9)).shape
    torch.Size([1, 2, 9])
    """

    dim = 1


class PDOConv2d(PDOConv):
    """All equivariant PDOs of a question in the plane, discretized, with a weight for each: like nn.Conv2d.

    Parameters
    ----------
    question : str, Group or Basis
        A group; or a basis, which is all of the question.
    in_rep, out_rep : str or FieldType
        The fields before and behind the layer.
    order : int, optional
        Highest order of the PDOs; by default 2 for 3 points and 3 for 5.
    size, stride, padding, dilation : int or sequence of int
        As in ``nn.ConvNd``, one number or one for each array axis.
    stencil : str, pair, or list of them, optional
        ``"gauss"``, ``"fd"``, ``"rbffd"``, ``"kernel"``, with options as ``("gauss", {"sigma": 1.0})``.
    groups, bias, padding_mode, device, dtype
        As in ``nn.ConvNd``; groups are of whole fields.
    layout : {"grid", "image"}
        Whether x2 grows with the row, or against it.
    in_offsets, out_offsets : optional
        Places of the channels in the cell of a staggered grid.
    apply : {"auto", "dense", "jets"} or Costs
        How the layer is applied.
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
    >>> layer = PDOConv2d("D4", "trivial", "vector", order=1, size=3, padding=1)
    >>> layer(torch.randn(1, 1, 9, 9)).shape
    torch.Size([1, 2, 9, 9])
    """

    dim = 2


class PDOConv3d(PDOConv):
    """All equivariant PDOs of a question in space, discretized, with a weight for each: like nn.Conv3d.

    Parameters
    ----------
    question : str, Group or Basis
        A group; or a basis, which is all of the question.
    in_rep, out_rep : str or FieldType
        The fields before and behind the layer.
    order : int, optional
        Highest order of the PDOs; by default 2 for 3 points and 3 for 5.
    size, stride, padding, dilation : int or sequence of int
        As in ``nn.ConvNd``, one number or one for each array axis.
    stencil : str, pair, or list of them, optional
        ``"gauss"``, ``"fd"``, ``"rbffd"``, ``"kernel"``, with options as ``("gauss", {"sigma": 1.0})``.
    groups, bias, padding_mode, device, dtype
        As in ``nn.ConvNd``; groups are of whole fields.
    layout : {"grid", "image"}
        Whether x2 grows with the row, or against it.
    in_offsets, out_offsets : optional
        Places of the channels in the cell of a staggered grid.
    apply : {"auto", "dense", "jets"} or Costs
        How the layer is applied.
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
    >>> layer = PDOConv3d("Oh", "trivial", "vector", order=1, size=3, padding=1)
    >>> layer(torch.randn(1, 1, 5, 5, 5)).shape
    torch.Size([1, 3, 5, 5, 5])
    """

    dim = 3


def require_staggered(geometry: Geometry) -> None:
    """Places of the cell stay what they are only if the cells do."""
    if any(s != 1 for s in geometry.stride):
        raise LayerError(
            "a staggered layer has stride 1: with another the places of its output would be those of larger cells"
        )
    if geometry.padding_mode not in ("zeros", "circular"):
        raise LayerError(
            f"a staggered layer pads with zeros or circularly, and not by {geometry.padding_mode!r}, which is another "
            "thing for half points"
        )
    reach = [k - 1 for k in geometry.kernel_size]
    if geometry.padding_mode == "circular" and reach != [
        a + b for a, b in geometry.pads()
    ]:
        raise LayerError(
            f"a staggered layer with circular padding gives as many points as it takes: padding="
            f"{tuple(r // 2 for r in reach)}"
        )


def masks(layer: Steerable, padding_mode: str) -> nn.ModuleList | None:
    """Before and behind a layer with half points that pads with zeros; on a torus no entry is outside."""
    fields = (layer.in_type, layer.out_type)
    if padding_mode == "circular" or not is_staggered(*fields):
        return None
    parts = nn.ModuleList(Inside(own, layer.layout) for own in fields)  # type: ignore[arg-type]
    return parts.to(next(layer.parameters()).device)


def default_order(kernel_size: Sequence[int]) -> int:
    """Two for 3x3 and three for 5x5, as in the paper."""
    return min(min(kernel_size) - 1, min(kernel_size) // 2 + 1)


def _geometry(
    dim: int, size: Any, stride: Any, padding: Any, dilation: Any, padding_mode: str
) -> Geometry:
    kernel_size = per_axis(size, dim, "size", 1)
    strides = per_axis(stride, dim, "stride", 1)
    if not isinstance(padding, str):
        padding = per_axis(padding, dim, "padding", 0)
    return Geometry(
        kernel_size,
        strides,
        padding,
        per_axis(dilation, dim, "dilation", 1),
        padding_mode,
    )
