"""Steerable PDOs on point clouds: derivatives from the nearest points, then one mixing product."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from pdobasis.answer.basis import Basis
from pdobasis.errors import UnknownNameError
from pdobasis.groups.group import Group
from pdobasis.layers.arguments import whole
from pdobasis.layers.errors import LayerError
from pdobasis.layers.keywords import PointLayerKeywords
from pdobasis.layers.layer_basis import from_monomials
from pdobasis.layers.parametrise import (
    GRADED,
    Parametrisation,
    factor_of,
    parametrise,
)
from pdobasis.layers.request import (
    ARGUMENTS,
    Fields,
    require_elements,
    resolve_basis,
    truncation_in,
)
from pdobasis.layers.state import LayerState
from pdobasis.nn.initialise import HE
from pdobasis.nn.loading import move
from pdobasis.nn.neighbours import nearest
from pdobasis.nn.steerable import JETS, Steerable
from pdobasis.stencils.cloud import Neighbourhoods
from pdobasis.stencils.options import given, missing_on_points
from pdobasis.stencils.registry import find_for_points, require_options

SEARCHES = ("scipy", "torch")
Cloud = ArrayLike | Tensor
Clouds = Sequence[Cloud]


@dataclass(frozen=True, slots=True, eq=False)
class CloudJets:
    """Weights (targets, monomials, k) and indices (targets, k): the derivatives at every target from its neighbours.

    Several clouds stand one after the other: ``sizes`` are their numbers of points, ``targets`` those of their targets.

    Attributes
    ----------
    indices : Tensor
        (targets, k), of neighbours.
    weights : Tensor
        (targets, monomials, k).
    sizes : tuple of int
        Points of each cloud.
    targets : tuple of int
        Targets of each cloud.

    Examples
    --------
    >>> layer = PDOPointConv("C4", "trivial", "vector", order=1)
    >>> jets = layer.jets([torch.rand(60, 2).double(), torch.rand(40, 2).double()])
    >>> [tuple(y.shape) for y in jets.split(layer(torch.randn(1, 1, 100), jets))]
    [(1, 2, 60), (1, 2, 40)]
    """

    indices: Tensor
    weights: Tensor
    sizes: tuple[int, ...]
    targets: tuple[int, ...]

    def to(self, *args: Any, **kwargs: Any) -> CloudJets:
        """The same on another device, or in another precision."""
        weights = self.weights.to(*args, **kwargs)
        # Indices follow to the device, but stay whole numbers when the weights are cast.
        return replace(self, indices=self.indices.to(weights.device), weights=weights)

    def split(self, y: Tensor) -> tuple[Tensor, ...]:
        """The output (batch, channels, targets) of every cloud."""
        return y.split(list(self.targets), -1)  # type: ignore[no-untyped-call, no-any-return]


class PDOPointConv(Steerable):
    """All equivariant PDOs of a question on scattered points.

    ``layer.jets(points)`` finds neighbours and weights once (in double precision, on the CPU); ``layer(x, jets)``
    maps fields (batch, channels, points) to (batch, channels, targets). Rotating the points with the fields is
    exact for every element of the group, not only for a grid's: neighbours that are equally far are all taken.
    Clouds of different sizes make one batch: ``layer.jets([cloud, other])`` for fields whose points stand one after
    the other, ``torch.cat([x, y], -1)``; ``jets.split`` takes the output apart.

    Parameters
    ----------
    question, in_rep, out_rep, order
        As in :class:`pdobasis.nn.PDOConv2d`.
    neighbours : int
        Points that a derivative looks at.
    stencil : {"rbffd", "gauss"}
        How derivatives are taken.
    dim : int, optional
        The dimension, where the name of the group leaves it open.
    bias, parametrisation, init, device, dtype
        As there.
    **options
        Those of the stencil.

    Examples
    --------
    >>> import torch
    >>> layer = PDOPointConv("C8", "trivial", "vector", order=1)
    >>> jets = layer.jets(torch.rand(60, 2).double().numpy())
    >>> layer(torch.randn(1, 1, 60), jets).shape
    torch.Size([1, 2, 60])
    """

    _of_cloud = False

    def __init__(
        self,
        question: str | Group | Basis,
        in_rep: Fields | None = None,
        out_rep: Fields | None = None,
        order: int | None = None,
        *,
        neighbours: int = 20,
        stencil: str = "rbffd",
        dim: int | None = None,
        bias: bool = True,
        parametrisation: str = GRADED,
        init: str = HE,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
        **options: Unpack[PointLayerKeywords],
    ) -> None:
        method = find_for_points(stencil)
        wanted: dict[str, Any] = dict(options)
        truncation = truncation_in(wanted)
        # Refused before the basis is solved, which may take a while.
        require_options(wanted, [stencil], method.option_names, ARGUMENTS)
        if dim is None:
            dim = _dim(question)
        basis = resolve_basis(question, in_rep, out_rep, order, dim, 2, truncation)
        require_elements(basis)
        missing = missing_on_points(wanted, method.options)
        if missing is not None:
            raise LayerError(missing)
        self._method = method
        self._own = method.completed_on_points(
            method.Options(**wanted), basis.problem.order
        )
        super().__init__(
            from_monomials(basis, stencil, given(self._own)),
            JETS,
            1,
            bias,
            device,
            dtype,
            parametrisation,
            init,
        )
        self.alphas: tuple[tuple[int, ...], ...] = basis.monomials()
        self.neighbours: int = whole(neighbours, "neighbours", 1)
        self.stencil = stencil
        self.options: dict[str, Any] = given(self._own)

    def jets(
        self,
        points: Cloud | Clouds,
        targets: Cloud | Clouds | None = None,
        search: str | None = None,
    ) -> CloudJets:
        """The weights of all derivatives of a cloud or of a list of clouds; targets are the points unless given.

        Neighbours are found by ``search``: "scipy" (a tree, on the CPU) or "torch" (all distances, where the points
        are); by default by torch for tensors on another device.
        """
        if search not in (None, *SEARCHES):
            raise UnknownNameError("search", str(search), SEARCHES)
        clouds = [self._places_of(p, "points") for p in _listed(points)]
        places = clouds
        if targets is not None:
            places = [self._places_of(p, "targets") for p in _listed(targets)]
        if len(places) != len(clouds):
            raise LayerError(
                f"{len(clouds)} clouds of points and {len(places)} of targets: give as many"
            )
        given_points = _listed(points)
        given_targets = given_points
        if targets is not None:
            given_targets = _listed(targets)
        near = [
            self._near(p, t, search)
            for p, t in zip(given_points, given_targets, strict=True)
        ]
        found = [
            self._method.cloud(cloud, own, self.alphas, those, self._own)
            for cloud, own, those in zip(clouds, places, near, strict=True)
        ]
        sizes = tuple(len(cloud) for cloud in clouds)
        width = max(f.indices.shape[1] for f in found)
        # Ties make some neighbourhoods longer: the others are filled up with weights of zero.
        indices = [
            np.pad(f.indices + start, ((0, 0), (0, width - f.indices.shape[1])), "edge")
            for f, start in zip(found, np.cumsum([0, *sizes[:-1]]), strict=True)
        ]
        weights = [
            np.pad(f.weights, ((0, 0), (0, 0), (0, width - f.weights.shape[2])))
            for f in found
        ]
        like = next(self.parameters())
        return CloudJets(
            torch.tensor(np.concatenate(indices), device=like.device),
            torch.tensor(np.concatenate(weights), dtype=like.dtype, device=like.device),
            sizes,
            tuple(len(own) for own in places),
        )

    def _near(
        self, points: Cloud, targets: Cloud, search: str | None
    ) -> int | Neighbourhoods:
        """Those that torch finds, or how many SciPy shall find."""
        off_cpu = isinstance(points, Tensor) and points.device.type != "cpu"
        if search == "scipy" or (search is None and not off_cpu):
            return self.neighbours
        cloud = torch.as_tensor(points)
        places = torch.as_tensor(targets, device=cloud.device)
        return nearest(cloud, places, self.neighbours)

    def _places_of(self, points: ArrayLike | Tensor, name: str) -> NDArray[np.float64]:
        found = _array(points)
        dim = len(self.alphas[0])
        if found.ndim != 2 or found.shape[1] != dim:
            raise LayerError(
                f"{name} have to be (number, {dim}), got an array of shape {found.shape}"
            )
        return found

    def reset_for(
        self, jets: CloudJets, gain: float = 1.0, init: str | None = None
    ) -> None:
        """Normalise the elements for the weights of this cloud, and initialise: unit input gives mean output variance
        gain**2. What was learned before is lost.
        """
        weights = jets.weights.double().cpu()
        # Rows of all targets side by side: the products of two monomials are their means over the targets.
        rows = weights.transpose(0, 1).flatten(1).numpy() / np.sqrt(len(weights))
        self._normalise(factor_of(rows))
        self.reset_parameters(gain, init)

    def _normalise(self, factor: NDArray[np.float64] | None) -> None:
        """For a cloud with this factor, or for none, as a new layer is."""
        self.coordinates: Parametrisation = parametrise(
            self.basis, self.parametrisation, factor
        )
        self._of_cloud = factor is not None
        self._fill(self._where())
        self._reused = []

    def _state(self) -> LayerState:
        state = super()._state()
        if self._of_cloud:
            return replace(state, factor=self.coordinates.factor)
        return state

    def _adopt(self, state: LayerState) -> None:
        """The elements that the weights belong to were normalised for the cloud they were trained on.

        The weights that are here become those of the same operators: some may stay, or all, if the others are refused.
        """
        factor = state.factor
        if factor is None:
            if self._of_cloud:
                self._renormalise(None)
            return
        size = len(self.coordinates.factor)
        if factor.shape != (size, size) or not np.isfinite(factor).all():
            raise LayerError(
                f"the saved factor of a cloud has to be {size} x {size} finite numbers, got an array of shape "
                f"{factor.shape}"
            )
        self._renormalise(factor)

    def _renormalise(self, factor: NDArray[np.float64] | None) -> None:
        old = self.coordinates
        self._normalise(factor)
        move(self, old)

    def forward(self, x: Tensor, jets: CloudJets) -> Tensor:
        """Apply the operators to fields (batch, channels, points)."""
        if not isinstance(jets, CloudJets):
            raise LayerError(
                "a layer on points takes the derivatives of a cloud, jets = layer.jets(points), got "
                f"{type(jets).__name__}"
            )
        if x.ndim != 3 or x.shape[1:] != (self.in_type.size, sum(jets.sizes)):
            raise LayerError(
                f"expected fields (batch, {self.in_type.size}, {sum(jets.sizes)} points), got {tuple(x.shape)}"
            )
        self.require_numbers(x)
        # Gather, differentiate, mix: every step is linear in x.
        near = x[:, :, jets.indices]
        derived = torch.einsum("bctk,tak->bcat", near, jets.weights)
        out = self.mixing().flatten(1) @ derived.flatten(1, 2)
        bias = self.channel_bias()
        if bias is None:
            return out
        return out + bias.unsqueeze(1)

    def extra_repr(self) -> str:
        """What stands in brackets when it is printed."""
        return f"{self.question}, neighbours={self.neighbours}, {self._size_text}"


def _listed(points: Cloud | Clouds) -> Sequence[Cloud]:
    """A list of clouds, or the one cloud; what is no list of clouds is judged as a cloud.

    An array of three axes has clouds of one size one after the other.
    """
    if isinstance(points, (Tensor, np.ndarray)) and points.ndim == 3 and len(points):
        return list(points)
    if (
        isinstance(points, (list, tuple))
        and points
        and all(np.ndim(p) == 2 for p in points)
    ):
        return points
    return [points]  # type: ignore[list-item]


def _dim(question: str | Group | Basis) -> int:
    from pdobasis.question.text import resolve_group

    if isinstance(question, Basis):
        return question.problem.group.dim
    if isinstance(question, Group):
        return question.dim
    return resolve_group(question).dim


def _array(points: ArrayLike | Tensor) -> NDArray[np.float64]:
    if isinstance(points, Tensor):
        return points.detach().cpu().double().numpy()
    return np.asarray(points, dtype=float)
