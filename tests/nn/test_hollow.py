"""Parts that are built on the meta device, where there are no numbers: what is not saved is made when weights or inputs come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from pdobasis import field_type, group  # noqa: E402
from pdobasis.layers.errors import LayerError  # noqa: E402
from pdobasis.nn import (  # noqa: E402
    BlurPool,
    FieldBatchNorm,
    FieldGroupNorm,
    FourierNonlinearity,
    Mask,
    PDOConv2d,
    PDOConvTranspose2d,
    Restrict,
    TensorProduct,
)


def of(text: str, name: str = "D4") -> Any:
    return field_type(text, group(name))


class Squared(torch.nn.Module):  # type: ignore[misc, name-defined]
    """A product of a field with itself, as a part with one input."""

    def __init__(self) -> None:
        super().__init__()
        self.product = TensorProduct(of("2xvector + trivial"), of("2xvector + trivial"), of("trivial + vector"))
        self.in_type = self.product.left_type

    def forward(self, x: Any) -> Any:
        return self.product(x, x)


PARTS: dict[str, Callable[[], Any]] = {
    "dense": lambda: PDOConv2d("D4", "regular + vector", "regular", size=3, apply="dense"),
    "jets": lambda: PDOConv2d("D4", "regular + vector", "regular", size=3, apply="jets", stencil="fd"),
    "staggered": lambda: PDOConv2d(
        "D4", "vector", "trivial", size=3, stencil="fd", padding=1, in_offsets=[("1/2", 0), (0, "1/2")]
    ),
    "transposed": lambda: PDOConvTranspose2d("D4", "regular", "vector", size=3),
    "batch norm": lambda: FieldBatchNorm(of("2xregular + vector")),
    "group norm": lambda: FieldGroupNorm(2, of("4xregular")),
    "restriction": lambda: Restrict(of("2xregular + vector"), "C4"),
    "product": Squared,
    "fourier": lambda: FourierNonlinearity(of("irrep(0,0) + irrep(1,1)", "O(2)"), 8),
    "blur": lambda: BlurPool(of("2xregular")),
    "mask": lambda: Mask(of("2xregular"), 9),
}


def one_by_one(part: Any, state: dict[str, Any]) -> None:
    """As loaders for very large models do: parameters and saved buffers, each in its place."""
    for name, value in state.items():
        *path, leaf = name.split(".")
        owner = part.get_submodule(".".join(path))
        if leaf in owner._parameters:
            owner._parameters[leaf] = torch.nn.Parameter(value, requires_grad=False)
        elif leaf in owner._buffers:
            owner._buffers[leaf] = value


ARRIVALS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "assigned": lambda part, state: part.load_state_dict(state, assign=True),
    "one by one": one_by_one,
    "to_empty": lambda part, state: part.to_empty(device="cpu").load_state_dict(state),
}


@pytest.mark.parametrize("arrival", ARRIVALS)
@pytest.mark.parametrize("name", PARTS)
def test_a_hollow_part_computes_what_a_real_one_does(name: str, arrival: str) -> None:
    torch.manual_seed(0)
    real = PARTS[name]().eval()
    x = torch.randn(2, real.in_type.size, 9, 9)
    with torch.device("meta"):
        part = PARTS[name]().eval()
    ARRIVALS[arrival](part, real.state_dict())
    with torch.no_grad():
        assert torch.equal(part(x), real(x))


@pytest.mark.parametrize("name", [name for name in PARTS if any(True for _ in PARTS[name]().parameters())])
@pytest.mark.parametrize("way", ["built there", "moved there"])
def test_a_part_whose_weights_never_came_does_not_compute(name: str, way: str) -> None:
    with torch.device("meta" if way == "built there" else "cpu"):
        part = PARTS[name]()
    part = part.to("meta").eval()
    x = torch.randn(2, part.in_type.size, 9, 9)
    # torch refuses most sums of tensors that are and are not there, but no convolutions
    assert part(x.to("meta")).is_meta
    with pytest.raises((LayerError, RuntimeError), match=r"meta"):
        part(x)


def test_stencils_beyond_half_precision_are_refused() -> None:
    question: dict[str, Any] = {"size": 5, "order": 3, "spacing": "1/256", "parametrisation": "plain"}
    layer = PDOConv2d("C4", "regular", "regular", **question)
    with pytest.raises(LayerError, match=r"go up to .* torch.float16 ends at 6.6e\+04: use torch.bfloat16"):
        layer.half()
    with pytest.raises(LayerError, match=r"float16 ends"):
        PDOConv2d("C4", "regular", "regular", dtype=torch.float16, **question)
    assert PDOConv2d("C4", "regular", "regular", **question).bfloat16().weight.dtype == torch.bfloat16
