"""Networks whose field types meet: checked when they are built, not silently wrong when they run."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self, overload

from torch import nn

from pdobasis.nn.arguments import require_module
from pdobasis.nn.types import NOTHING, Flow, is_leaf, stepped, types_of
from pdobasis.nn.walk import walk
from pdobasis.question.field_type import FieldType


def check_types(model: nn.Module, size: int | Sequence[int] | None = None) -> None:
    """Refuse a network in which two modules follow each other whose field types are not the same.

    What follows what is known inside of nn.Sequential; other modules say it by ``in_type`` and ``out_type``, and what
    is inside of them is checked by itself. Given the ``size`` of an image (one number, or one per array axis), it also
    runs the network on one: then every module meets what it is really given, and sums, concatenations and choices of
    channels (``y[:, [1, 0]]`` takes no field apart) are checked on the way. Of torch's own modules those are refused
    that do not commute with the fields that reach them: nn.ReLU on vectors, nn.BatchNorm2d on regular fields.

    Parameters
    ----------
    model : nn.Module
        The network.
    size : int or sequence of int, optional
        Of an image on which it is run.

    Raises
    ------
    FieldMismatchError
        Two modules do not fit; the message names both.
    NotEquivariantError
        A module of torch does not commute with the fields that reach it.

    Examples
    --------
    >>> from pdobasis.nn import FieldMismatchError, PDOConv2d
    >>> first, second = PDOConv2d("C4", "trivial", "vector", size=3), PDOConv2d("C4", "regular", "trivial", size=3)
    >>> check_types(nn.Sequential(first), size=9)
    >>> try:
    ...     check_types(nn.Sequential(first, second))
    ... except FieldMismatchError:
    ...     print("they do not fit")
    they do not fit
    """
    require_module(model)
    _through(model, "", NOTHING)
    if size is not None:
        walk(model, size)


class Sequential(nn.Sequential):
    """As nn.Sequential, and refused where the field types of two modules do not meet (see `check_types`).

    Parameters
    ----------
    *modules : nn.Module
        In the order in which they are applied.

    Raises
    ------
    FieldMismatchError
        Two neighbours do not fit; the message names both.
    NotEquivariantError
        A module of torch breaks the symmetry of what reaches it.

    Examples
    --------
    >>> from pdobasis.nn import PDOConv2d, Pointwise
    >>> conv = PDOConv2d("C4", "trivial", "2xregular", size=3)
    >>> str(Sequential(conv, Pointwise(conv.out_type)).out_type)
    '2xregular'
    """

    @overload
    def __init__(self, *modules: nn.Module) -> None: ...

    @overload
    def __init__(self, modules: OrderedDict[str, nn.Module], /) -> None: ...

    def __init__(self, *modules: Any) -> None:
        super().__init__(*modules)
        self._flow(self._modules)

    @property
    def in_type(self) -> FieldType | None:
        """Of the first module, if it says."""
        first = next(iter(self), None)
        types = first is not None and types_of(first)
        if types and isinstance(types[0], FieldType):
            return types[0]
        return None

    @property
    def out_type(self) -> FieldType | None:
        """Behind the last module, if it is known."""
        fields = self._flow(self._modules).fields
        if isinstance(fields, FieldType):
            return fields
        return None

    def append(self, module: nn.Module) -> Self:
        """Add a module, which has to fit what is there."""
        self._require([*self, module])
        super().append(module)
        return self

    def extend(self, sequential: Iterable[nn.Module]) -> Self:
        """Add several modules, which have to fit."""
        new = list(sequential)
        self._require([*self, *new])
        super().extend(new)
        return self

    def insert(self, index: int, module: nn.Module) -> Self:
        """Put a module in between, where it has to fit on both sides."""
        modules = list(self)
        modules.insert(index, module)
        self._require(modules)
        super().insert(index, module)
        return self

    def __setitem__(self, index: int, module: nn.Module) -> None:
        modules = list(self)
        modules[index] = module
        self._require(modules)
        super().__setitem__(index, module)

    def __delitem__(self, index: slice | int) -> None:
        modules = list(self)
        del modules[index]
        self._require(modules)
        super().__delitem__(index)

    def __add__(self, other: nn.Sequential) -> Sequential:
        return Sequential(*self, *other)

    def __iadd__(self, other: nn.Sequential) -> Self:
        return self.extend(other)

    def __mul__(self, other: int) -> Sequential:
        return Sequential(*list(self) * other)

    def __rmul__(self, other: int) -> Sequential:
        return self * other

    def __imul__(self, other: int) -> Self:
        return self.extend(list(self) * (other - 1))

    def _require(self, modules: list[nn.Module]) -> None:
        """Before anything changes: what is refused leaves the network as it was."""
        self._flow({str(k): module for k, module in enumerate(modules)})

    def _flow(self, modules: Mapping[str, nn.Module | None]) -> Flow:
        return _in_order(modules, "", NOTHING)


def _through(module: nn.Module, name: str, flow: Flow) -> Flow:
    if isinstance(module, nn.Sequential):
        return _in_order(module._modules, name, flow)
    if not is_leaf(module):
        # In which order a module calls those inside of it, it alone knows: each begins anew.
        for child_name, child in module.named_children():
            _through(child, _joined(name, child_name), NOTHING)
    return stepped(flow, module, name)


def _in_order(modules: Mapping[str, nn.Module | None], name: str, flow: Flow) -> Flow:
    for child_name, child in modules.items():
        if child is not None:
            flow = _through(child, _joined(name, child_name), flow)
    return flow


def _joined(name: str, child: str) -> str:
    if name:
        return f"{name}.{child}"
    return child
