"""Weights meet their own basis, however the layer was made, and no other."""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import pdobasis  # noqa: E402
from pdobasis.files import export_stencils, load_stencils  # noqa: E402
from pdobasis.files.formats import save  # noqa: E402
from pdobasis.files.stencil_file import StencilFile, checksum  # noqa: E402
from pdobasis.nn import PDOConv2d, PDOConv3d, PDOPointConv  # noqa: E402

# The names that version 0.1 gave to layers of a question: weights that were saved with them have to load.
NAMES: list[tuple[Any, tuple[str, str, str], dict[str, Any], str]] = [
    (PDOConv2d, ("C16", "regular", "regular"), {"order": 3, "stencil": "gauss", "size": 5}, "a5daa9644bff6a01dbc4285a4aba57e4"),
    (PDOConv2d, ("D8", "vector", "trivial + vector"), {"order": 2, "size": 3, "stencil": "fd"},
     "b3b2095ea876c4eed3ebaf2dd96e30e9"),
    (PDOConv2d, ("C3", "vector", "trivial"), {"order": 2, "stencil": "gauss", "size": 5}, "e8a7cd1a039cdb3a8561c85701caf562"),
    (PDOConv2d, ("C4", "2xregular", "regular + trivial"), {"stencil": "gauss", "size": 5, "sigma": 1.3, "layout": "image"},
     "f4e27ffcbf2241a6e8c23835c062d0a6"),
    (PDOConv2d, ("C8", "regular", "regular"),
     {"order": 2, "size": 5, "stencil": "rbffd", "phi": "phs5", "epsilon": 2.0}, "12f6817c32bf67f3495893826d843c70"),
    (PDOConv2d, ("O(2)", "vector", "vector"), {"order": 2, "size": 5, "stencil": "kernel"},
     "35e66b4036a2be110e69613af44f00c2"),
    (PDOConv2d, ("D4", "vector", "vector"),
     {"order": 2, "size": (3, 5), "stencil": ["fd", ("gauss", {"sigma": 1.0})], "dilation": 2, "spacing": "1/2"},
     "e79236c4f190bddd72d7896a9e365d6f"),
    (PDOConv3d, ("I", "vector", "trivial"), {"order": 3, "stencil": "gauss", "size": 5}, "e0ce64b073d3bb7b23304aa016ffb68f"),
    (PDOConv3d, ("SO(3)", "irrep(2)", "irrep(1)"), {"order": 2, "size": 3, "stencil": "fd"},
     "e01bd5b73bac4bcdff65a523ddf273e9"),
    (PDOPointConv, ("C6", "vector", "regular"), {"order": 2}, "1ebf8a07f4fbeaf2a78d8a93c44c9871"),
    (PDOPointConv, ("C6", "vector", "regular"), {"order": 2, "stencil": "gauss", "sigma": 1.2},
     "3d325045a337a5a89aa72ee0d032d06c"),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::pdobasis.nn.EquivarianceWarning")  # of stencils that are far off, but were saved
@pytest.mark.parametrize(("kind", "question", "options", "name"), NAMES)
def test_names_of_questions_stay(kind: Any, question: tuple[str, str, str], options: Any, name: str) -> None:
    layer = kind(*question, **options)
    assert layer.basis.fingerprint.hex() == name


QUESTIONS = [
    (PDOConv2d, ("C16", "regular", "regular"), 2, "gauss", {}),
    (PDOConv2d, ("D8", "vector", "trivial + vector"), 2, "fd", {"spacing": "1/2"}),  # rational over Q(√2)
    (PDOConv2d, ("C3", "vector", "trivial"), 2, "gauss", {"sigma": [1.0, 1.2], "normalize": "moments"}),
    (PDOConv2d, ("D4", "2xtrivial + vector", "regular + det"), 2, "rbffd", {"epsilon": np.float64(2.0)}),
    (PDOConv2d, ("O(2)", "vector", "irrep(1,2)"), 3, "kernel", {"radii": (1.0, 2.0)}),
    (PDOConv3d, ("I", "vector", "trivial"), 3, "fd", {}),
]


@pytest.mark.parametrize(("kind", "question", "order", "stencil", "options"), QUESTIONS)
@pytest.mark.parametrize("method", ["auto", "direct"])
def test_one_basis_has_one_name(
    kind: Any, question: tuple[str, str, str], order: int, stencil: str, options: Any, method: str, tmp_path: Path
) -> None:
    basis = pdobasis.solve(*question, order=order, method=method)
    basis.save(str(tmp_path / "basis.json"))
    export_stencils(basis, tmp_path / "stencils.npz", stencil, 5, **options)
    layers = [
        kind(basis, size=5, stencil=stencil, **options),
        kind(pdobasis.load(tmp_path / "basis.json"), size=5, stencil=stencil, **options),
        kind.from_file(str(tmp_path / "stencils.npz")),
    ]
    if method == "auto":
        layers.append(kind(*question, order, size=5, stencil=stencil, **options))
    assert len({layer.basis.fingerprint for layer in layers}) == 1
    for one in layers:
        for other in layers:
            other.load_state_dict(one.state_dict())
            torch.testing.assert_close(other.filter(), one.filter(), rtol=1e-6, atol=1e-7)


def test_weights_of_a_question_and_of_a_file_of_one_field(tmp_path: Path) -> None:
    export_stencils(pdobasis.solve("C8", "regular", "vector + trivial", order=2), tmp_path / "c8.npz", "fd", 3)
    many = PDOConv2d("C8", "3xregular", "vector + trivial + vector + trivial", 2, size=3, stencil="fd")
    file = PDOConv2d.from_file(str(tmp_path / "c8.npz"), in_fields=3, out_fields=2)
    file.load_state_dict(many.state_dict())
    assert torch.equal(file.filter(), many.filter())
    assert repr(file) == repr(many)


@pytest.mark.parametrize("other", [
    {"order": 1}, {"stencil": "fd"}, {"sigma": 1.1}, {"layout": "image"}, {"spacing": 2}, {"normalize": None},
])  # fmt: skip
def test_another_basis_has_another_name(other: dict[str, Any]) -> None:
    layer = PDOConv2d("C4", "trivial", "regular", order=2, size=5)
    with pytest.raises(RuntimeError, match="belong to another basis"):
        PDOConv2d("C4", "trivial", "regular", **{"order": 2, "size": 5, **other}).load_state_dict(layer.state_dict())


@pytest.mark.parametrize(("sigma", "name"), [
    ([1.0, 1.2], "8d4e684a00fd5262284d629355a2f6d6"), (np.float64(1.2), "664641c9b46136bd6a78c8f0579b1a6d"),
])  # fmt: skip
def test_names_of_options_as_they_were_typed_are_still_known(sigma: Any, name: str) -> None:
    """Version 0.1 told a list from a tuple, and a number of NumPy from one of Python."""
    if isinstance(sigma, np.float64) and repr(sigma) == "1.2":
        pytest.skip("NumPy 1 prints it as a number of Python")
    layer = PDOConv2d("D4", "vector", "vector", order=2, size=5, stencil="gauss", sigma=sigma)
    old = layer.state_dict()
    del old["_extra_state"]
    old["basis_fingerprint"] = torch.tensor(list(bytes.fromhex(name)), dtype=torch.uint8)
    layer.load_state_dict(old)
    saved = json.loads(bytes(layer.state_dict()["_extra_state"].tolist()))
    assert saved["fingerprint"] == layer.basis.fingerprint.hex() != name


def test_weights_of_the_earlier_default_say_what_they_need() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        earlier = PDOConv2d("C8", "regular", "regular", size=5, stencil="gauss", spacing="1/2")
        layer = PDOConv2d("C8", "regular", "regular", size=5, spacing="1/2")
    with pytest.raises(RuntimeError, match='build the layer with stencil="gauss"'):
        layer.load_state_dict(earlier.state_dict())
    with pytest.raises(RuntimeError, match="build the layer with the group, fields"):
        layer.load_state_dict(PDOConv2d("C4", "regular", "regular", size=5).state_dict())


def test_a_file_whose_stencils_are_not_those_of_its_basis_makes_no_layer(tmp_path: Path) -> None:
    export_stencils(pdobasis.solve("C4", "trivial", "vector", order=1), tmp_path / "good.npz", "fd", 3)
    good = load_stencils(tmp_path / "good.npz")
    arrays = {**good.arrays, "stencils": good.stencils * 2}
    forged = StencilFile(**arrays, meta={**good.meta, "checksum": checksum(arrays, good.meta)})
    save(forged, tmp_path / "bad.npz")
    with pytest.raises(pdobasis.errors.ProofError, match="differ from those sampled again"):
        PDOConv2d.from_file(str(tmp_path / "bad.npz"))


# Names of 0.1 that are no longer written, and still read: orders whose numbers became rational.
EARLIER = [
    (("C8", "trivial", "regular"), "933218d2d254b7eafcb7"),
    (("C16", "regular", "trivial"), "fd915828ddde5fd5fe2d"),
    (("D6", "sym(2,vector)", "trivial"), "c0d512f949d5d4597942"),
]
SPATIAL = [
    (("SO(3)", "tensor(vector,vector)", "vector"), "64b08178745507f3de7f"),
    (("O", "tensor(vector,vector)", "vector"), "e9c7c39831450b01012a"),
    (("Oh", "vector", "sym(2,vector)"), "25eb252f1fdd9574e9f5"),
]


@pytest.mark.parametrize(("question", "name"), [*EARLIER, *SPATIAL])
def test_weights_of_earlier_revisions_are_known(question: tuple[str, str, str], name: str) -> None:
    kind: Any = PDOConv2d
    if (question, name) in SPATIAL:
        kind = PDOConv3d
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layer = kind(*question, size=3, stencil="fd", order=2)
    assert name in {found.hex()[:20] for found in layer.basis.fingerprints}
