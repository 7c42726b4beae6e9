"""A whole network as torch's own modules: for export, and for where this package is not installed.

Layers become convolutions, batch norms their affine map, windows torch's windows. What torch has no module for (the
maximum of a field, norms, gates) becomes a torch.fx.GraphModule: the same operations, written down.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, fx, nn

from pdobasis.nn.arguments import require_module, some_float
from pdobasis.nn.exact_buffers import fixed
from pdobasis.nn.nonlinear import Pointwise
from pdobasis.nn.norm import FieldBatchNorm
from pdobasis.nn.points import PDOPointConv
from pdobasis.nn.pooling import GlobalPool
from pdobasis.nn.restrict import Restrict
from pdobasis.nn.types import is_leaf

_FUNCTIONS: dict[Callable[..., Tensor], type[nn.Module]] = {
    torch.relu: nn.ReLU, F.relu: nn.ReLU, torch.tanh: nn.Tanh, F.tanh: nn.Tanh, torch.sigmoid: nn.Sigmoid,
    F.sigmoid: nn.Sigmoid, F.elu: nn.ELU, F.gelu: nn.GELU, F.silu: nn.SiLU, F.leaky_relu: nn.LeakyReLU,
    F.softplus: nn.Softplus, F.mish: nn.Mish, F.selu: nn.SELU,
}  # fmt: skip
_NORMS: dict[int, Any] = {
    0: nn.BatchNorm1d,
    1: nn.BatchNorm1d,
    2: nn.BatchNorm2d,
    3: nn.BatchNorm3d,
}
_POOLS: dict[tuple[str, int], Any] = {
    ("mean", 1): nn.AdaptiveAvgPool1d,
    ("mean", 2): nn.AdaptiveAvgPool2d,
    ("mean", 3): nn.AdaptiveAvgPool3d,
    ("max", 1): nn.AdaptiveMaxPool1d,
    ("max", 2): nn.AdaptiveMaxPool2d,
    ("max", 3): nn.AdaptiveMaxPool3d,
}


def to_plain(model: nn.Module) -> nn.Module:
    """A copy of the network in evaluation, with the same output, whose parts are torch's own modules.

    Modules of one's own keep their class, and what is inside of them is replaced. Layers on point clouds stay, as do
    batch norms without running statistics.

    Parameters
    ----------
    model : nn.Module
        The network; it stays as it is.

    Returns
    -------
    nn.Module
        The copy.

    Raises
    ------
    LayerError
        A part has no plain form.

    Examples
    --------
    >>> from pdobasis.nn import PDOConv2d
    >>> to_plain(PDOConv2d("D4", "trivial", "vector", order=1, size=3, padding=1))
    Conv2d(1, 2, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), bias=False)
    """
    require_module(model)
    return _Copy(model).of(copy.deepcopy(model).eval())


class _Copy:
    """One network on its way: modules that occur twice are made once."""

    def __init__(self, model: nn.Module) -> None:
        self.like = some_float(model, torch.zeros(()))
        self.on_cloud = any(isinstance(m, PDOPointConv) for m in model.modules())
        self.pooled = False
        self.done: dict[int, nn.Module] = {}

    def of(self, module: nn.Module) -> nn.Module:
        if id(module) not in self.done:
            self.done[id(module)] = self._made(module).eval()
        return self.done[id(module)]

    def _made(self, module: nn.Module) -> nn.Module:
        if is_leaf(module):
            if _is_ours(module):
                return self._part(module)
            return module
        # Not by named_children, which leaves out what occurs a second time.
        inside = module._modules.items()
        children = [
            (name, self.of(child)) for name, child in inside if child is not None
        ]
        if type(module).__name__ == "Sequential":
            return nn.Sequential(OrderedDict(children))
        for name, child in children:
            module._modules[name] = child
        if _is_ours(module) and not self.on_cloud:
            return self._traced(module)
        return module

    def _part(self, part: Any) -> nn.Module:
        if isinstance(part, PDOPointConv):
            return part
        masks = getattr(part, "inside", None)
        if masks is not None:
            before, behind = (self._traced(mask) for mask in masks)
            return nn.Sequential(before, part._plain_conv(), behind)
        if hasattr(part, "to_conv"):
            conv: nn.Module = part.to_conv()
            return conv
        if hasattr(part, "plain"):
            own: nn.Module = part.plain(self.like)
            return own
        if isinstance(part, FieldBatchNorm):
            return self._batch_norm(part)
        if isinstance(part, Pointwise):
            return self._function(part)
        if isinstance(part, GlobalPool):
            return self._global_pool(part)
        if isinstance(part, Restrict) and part.order is None:
            return nn.Identity()
        return self._traced(part)

    def _axes(self, part: Any) -> int:
        """Of space, in the tensors that reach a part."""
        if self.pooled:
            return 0
        if self.on_cloud:
            return 1
        dim: int = part.in_type.group.dim
        return dim

    def _batch_norm(self, norm: FieldBatchNorm) -> nn.Module:
        if norm.running_var is None:
            return norm
        channels, axes = norm.in_type.size, self._axes(norm)
        precise = copy.deepcopy(norm).double()
        zeros = self.like.new_zeros(
            1, channels, *(1,) * max(axes, 1), dtype=torch.float64
        )
        # In evaluation it is affine in every channel, so its values at 0 and 1 say all.
        with torch.no_grad():
            shift = precise(zeros).flatten()
            factor = precise(zeros + 1).flatten() - shift
        plain: nn.Module = _NORMS[axes](channels, eps=0.0).to(self.like)
        plain.weight = fixed(factor.to(self.like))
        plain.bias = fixed(shift.to(self.like))
        return plain

    def _function(self, part: Pointwise) -> nn.Module:
        if isinstance(part.function, nn.Module):
            return part.function
        if part.function in _FUNCTIONS:
            return _FUNCTIONS[part.function]()
        return self._traced(part)

    def _global_pool(self, part: GlobalPool) -> nn.Module:
        pool = _POOLS[part.how, self._axes(part)](1)
        self.pooled = True
        return nn.Sequential(pool, nn.Flatten(1))

    def _traced(self, module: nn.Module) -> nn.Module:
        axes = 2
        if hasattr(module, "in_type"):
            axes = self._axes(module)
        traced = _Tracer(axes + 2).trace(module)
        for node in traced.nodes:
            # Annotations are texts here, which torch cannot write down.
            node.type = None
        # The graph alone: the traced one remembers its tracer, which is ours.
        graph = fx.Graph()
        graph.output(graph.graph_copy(traced, {}))
        return fx.GraphModule(_root(module, graph), graph, type(module).__name__)


def _is_ours(module: nn.Module) -> bool:
    return type(module).__module__.startswith("pdobasis.")


class _Fields(fx.Proxy):
    """A tensor that is not there yet, whose number of axes is known."""

    def __init__(self, node: fx.Node, tracer: fx.Tracer, rank: int) -> None:
        super().__init__(node, tracer)
        self.ndim = rank


class _Tracer(fx.Tracer):
    """Writes down what parts of this package do; torch's own modules stay modules."""

    def __init__(self, rank: int) -> None:
        super().__init__()
        self.rank = rank

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        return not _is_ours(m)

    def proxy(self, node: fx.Node) -> fx.Proxy:
        return _Fields(node, self, self.rank)


def _root(module: nn.Module, graph: fx.Graph) -> dict[str, Any]:
    """What the graph refers to, by name: parameters, buffers and modules, without the module itself."""
    out: dict[str, Any] = {}
    for node in graph.nodes:
        if node.op == "call_module":
            out[node.target] = module.get_submodule(node.target)
        elif node.op == "get_attr":
            owner, _, name = node.target.rpartition(".")
            out[node.target] = getattr(module.get_submodule(owner), name)
    return out
