"""e2cnn in its own environment: bases, stencils and layers, in floating point.

Its groups and representations are built beforehand (they are not timed); its caches of bases and stencils are emptied
before every repetition, as ours are.
"""

from __future__ import annotations

import warnings
from typing import Any

import e2cnn.diffops.utils as utils
import numpy as np
import torch
from e2cnn import gspaces
from e2cnn import nn as enn
from e2cnn.diffops import DiscretizationArgs

from benchmarks.peers.protocol import Job, serve, timed

warnings.filterwarnings("ignore")
SPACES: dict[str, Any] = {}


def patch_rbf() -> str:
    """Its own import of the RBF package fails today: one function is gone. Offer what is left, as its users would."""
    if utils._RBF_AVAILABLE:
        return "as installed"
    try:
        import rbf.basis
        from rbf.pde.fd import weight_matrix
    except ImportError as error:
        return f"not available ({error})"
    utils.weight_matrix = weight_matrix
    utils._gaussian = rbf.basis.get_rbf("ga")
    utils._RBF_AVAILABLE = True
    return "patched: set_symbolic_to_numeric_method, which e2cnn imports, no longer exists"


def space(group: str) -> Any:
    if group not in SPACES:
        SPACES[group] = {
            "C": lambda: gspaces.Rot2dOnR2(int(group[1:])),
            "D": lambda: gspaces.FlipRot2dOnR2(int(group[1:])),
            "S": lambda: gspaces.Rot2dOnR2(-1, maximum_frequency=3),
            "O": lambda: gspaces.FlipRot2dOnR2(-1, maximum_frequency=3),
        }[group[0]]()
    return SPACES[group]


def representation(group: str, spec: str) -> Any:
    """``regular``, ``trivial``, ``vector`` or ``irreps`` (frequencies 0 to 3), as one representation."""
    s = space(group)
    if spec == "irreps":
        return enn.FieldType(s, list(s.irreps.values())).representation
    if spec == "vector":
        return s.irrep(1, 1) if group[0] in "DO" else s.irrep(1)
    return {"regular": lambda: s.regular_repr, "trivial": lambda: s.trivial_repr}[spec]()


def forget() -> None:
    utils._DIFFOP_CACHE.clear()
    utils._1D_KERNEL_CACHE.clear()
    for s in SPACES.values():
        s._fields_intertwiners_basis_memory.clear()


def build(group: str, source: str, target: str, order: int, method: str = "fd", smoothing: float | None = None) -> Any:
    s = space(group)
    arguments = {} if group[0] in "SO" else {"maximum_frequency": order}
    disc = DiscretizationArgs(method=method, smoothing=smoothing, angle_offset=None, phi="ga")
    a, b = representation(group, source), representation(group, target)
    return s._diffop_basis_generator(a, b, order // 2, disc, **arguments)


def basis(group: str, source: str, target: str, order: int) -> dict[str, Any]:
    representation(group, source), representation(group, target)
    seconds, found = timed(lambda: build(group, source, target, order), forget)
    return {"seconds": seconds, "dimension": sum(e["order"] <= order for e in found)}


def grid(size: int) -> Any:
    """The nodes as its layers have them: x along columns, y against the row index."""
    r = np.arange(-(size // 2), size // 2 + 1.0)
    return np.stack(np.meshgrid(r, -r)).reshape(2, -1)


def stencils(group: str, source: str, target: str, order: int, size: int, method: str) -> dict[str, Any]:
    """Sampling a basis that is already there; what the RBF package compiles on first use is not counted."""
    found = build(group, source, target, order, method, size / 4 if method == "gauss" else None)
    mask = np.array([e["order"] <= order for e in found])
    points = grid(size)
    if method != "fd":
        found.sample_masked(points, mask)
    seconds, sampled = timed(lambda: found.sample_masked(points, mask), forget)
    return {"seconds": seconds, "shape": list(sampled.shape)}


def layer_types(group: str, channels: list[int]) -> list[Any]:
    s = space(group)
    return [enn.FieldType(s, (c // s.regular_repr.size) * [s.regular_repr]) for c in channels]


LAYERS: dict[str, Any] = {}


def construct(group: str, channels: list[int], size: int, order: int) -> dict[str, Any]:
    a, b = layer_types(group, channels)
    make = lambda: enn.R2Diffop(a, b, kernel_size=size, maximum_order=order, padding=size // 2, bias=False)  # noqa: E731
    seconds, layer = timed(make, forget)
    LAYERS["it"] = layer
    layer(enn.GeometricTensor(torch.randn(1, channels[0], 8, 8), a)).tensor.sum().backward()
    return {"seconds": seconds, "parameters": sum(p.numel() for p in layer.parameters())}


def step(batch: int, image: int) -> dict[str, Any]:
    """A training step: expansion, convolution, gradients of weights and input."""
    layer = LAYERS["it"].train()
    x = torch.randn(batch, layer.in_type.size, image, image, requires_grad=True)

    def run() -> None:
        layer.zero_grad(set_to_none=True)
        layer(enn.GeometricTensor(x, layer.in_type)).tensor.sum().backward()

    return {"seconds": timed(run)[0]}


def evaluate(batch: int, image: int) -> dict[str, Any]:
    layer = LAYERS["it"].eval()
    x = enn.GeometricTensor(torch.randn(batch, layer.in_type.size, image, image), layer.in_type)
    with torch.no_grad():
        return {"seconds": timed(lambda: layer(x))[0]}


PAIRS = [
    ("trivial", "vector"),
    ("vector", "trivial"),
    ("vector", "vector"),
    ("trivial", "regular"),
    ("regular", "regular"),
]


def reflections(size: int, method: str) -> dict[str, Any]:
    """D4: the largest |K * (g f) - g (K * f)| / |K * f| over rotations, and over reflections.

    K is a random combination of its stencils; fields are turned by its own ``transform``. Its layer class is not used,
    because it cannot be made from a scalar to a vector with this torch.
    """
    out: dict[str, list[float] | str] = {}
    for a, b in PAIRS:
        try:
            out[f"{a}→{b}"] = list(_errors(a, b, size, method))
        except Exception as error:
            out[f"{a}→{b}"] = f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"
    return {"errors": out}


def _errors(a: str, b: str, size: int, method: str) -> tuple[float, float]:
    torch.manual_seed(0)
    s = space("D4")
    found = build("D4", a, b, 2, method, size / 4 if method == "gauss" else None)
    types = [enn.FieldType(s, [representation("D4", r)]) for r in (a, b)]
    sampled = torch.tensor(found.sample_masked(grid(size), np.array([e["order"] <= 2 for e in found]))).float()
    weights = torch.randn(sampled.shape[2])
    kernel = torch.einsum("oikn,k->oin", sampled, weights).reshape(*sampled.shape[:2], size, size)
    x = enn.GeometricTensor(torch.randn(1, types[0].size, 11, 11), types[0])

    def apply(f: Any) -> Any:
        return enn.GeometricTensor(torch.nn.functional.conv2d(f.tensor, kernel, padding=size // 2), types[1])

    worst = {False: 0.0, True: 0.0}
    for g in s.testing_elements:
        error = apply(x.transform(g)).tensor - apply(x).transform(g).tensor
        worst[bool(g[0])] = max(worst[bool(g[0])], float(error.norm() / apply(x).tensor.norm()))
    return worst[False], worst[True]


RBF = patch_rbf()

if __name__ == "__main__":
    from importlib.metadata import version

    jobs: dict[str, Job] = {
        "basis": basis, "stencils": stencils, "construct": construct, "step": step, "evaluate": evaluate,
        "reflections": reflections, "rbf": lambda: {"rbf": RBF},
    }  # fmt: skip
    serve(jobs, {"e2cnn": version("e2cnn"), "torch (e2cnn's environment)": torch.__version__})
