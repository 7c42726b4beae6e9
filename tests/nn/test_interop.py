"""Field types of other libraries, compared with their own action on tensors."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from pdobasis import field_type, group  # noqa: E402
from pdobasis.layers.elements import rho  # noqa: E402
from pdobasis.nn import LayerError, PDOConv2d, check_equivariance, from_e2cnn, from_escnn, to_e3nn  # noqa: E402


def e2cnn_types() -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        e2cnn = pytest.importorskip("e2cnn")
        import e2cnn.nn as enn
        from e2cnn import gspaces

        assert e2cnn
        c8, d4, d3 = gspaces.Rot2dOnR2(8), gspaces.FlipRot2dOnR2(4), gspaces.FlipRot2dOnR2(3)
        tilted, flips = gspaces.FlipRot2dOnR2(4, axis=np.pi / 4), gspaces.Flip2dOnR2()
        so2, o2 = gspaces.Rot2dOnR2(-1, maximum_frequency=3), gspaces.FlipRot2dOnR2(-1, maximum_frequency=3)
        return [
            (enn.FieldType(c8, [c8.trivial_repr]), enn.FieldType(c8, [c8.regular_repr, c8.irrep(1)])),
            (enn.FieldType(d4, [d4.irrep(1, 1)]), enn.FieldType(d4, [d4.regular_repr, d4.irrep(1, 1)])),
            (enn.FieldType(d4, [d4.regular_repr]), enn.FieldType(d4, [d4.irrep(1, 0), d4.quotient_repr((None, 2))])),
            (enn.FieldType(tilted, [tilted.irrep(1, 1)]), enn.FieldType(tilted, [tilted.regular_repr])),
            (enn.FieldType(d3, [d3.trivial_repr]), enn.FieldType(d3, [d3.regular_repr, d3.irrep(1, 1)])),
            (enn.FieldType(flips, [flips.regular_repr]), enn.FieldType(flips, [flips.irrep(1), flips.trivial_repr])),
            (enn.FieldType(so2, [so2.irrep(1)]), enn.FieldType(so2, [so2.irrep(2), so2.irrep(0)])),
            (enn.FieldType(o2, [o2.irrep(1, 1)]), enn.FieldType(o2, [o2.irrep(1, 2), o2.irrep(1, 0)])),
        ]


@pytest.mark.filterwarnings("ignore")
def test_our_layers_commute_with_the_action_of_e2cnn() -> None:
    import_types = e2cnn_types()
    import e2cnn.nn as enn

    for theirs_in, theirs_out in import_types:
        if theirs_in.gspace.fibergroup.continuous:
            continue  # their action interpolates: see the next test
        source, target = from_e2cnn(theirs_in), from_e2cnn(theirs_out)
        layer = PDOConv2d(
            source.terms[0][0].group, source, target, order=2, size=5, padding=2, layout="image", dtype=torch.float64
        )
        x = torch.randn(2, source.size, 9, 9, dtype=torch.float64)
        with torch.no_grad():
            y = enn.GeometricTensor(layer(x), theirs_out)
            for element in theirs_in.gspace.testing_elements:
                if not _on_grid(theirs_in.gspace, element):
                    continue
                moved = enn.GeometricTensor(x, theirs_in).transform(element).tensor.double()
                error = (layer(moved) - y.transform(element).tensor).abs().max() / y.tensor.abs().max()
                assert error < 1e-6, (theirs_in, theirs_out, element)  # their matrices are single precision
        assert check_equivariance(layer).error < 1e-12


@pytest.mark.filterwarnings("ignore")
def test_matrices_of_e2cnn_at_all_angles() -> None:
    for pair in e2cnn_types():
        for theirs in pair:
            if not theirs.gspace.fibergroup.continuous:
                continue
            ours = from_e2cnn(theirs)
            for angle in (0.3, 1.9, np.pi / 2):
                c, s = np.cos(angle), np.sin(angle)
                turn = np.array([[c, -s], [s, c]])
                two = theirs.gspace.fibergroup.name == "O(2)"
                cases = [(turn, (0, angle) if two else angle)]
                cases += [(turn @ np.diag([-1.0, 1.0]), (1, angle))] if two else []
                for g, element in cases:
                    for rep, n in ours.terms:
                        found = [r(element) for r in theirs.representations if f"e2cnn({r.name})" == rep.spec]
                        assert len(found) == n
                        np.testing.assert_allclose(rho(rep, g), found[0], atol=1e-9)


def _on_grid(gspace: Any, element: Any) -> bool:
    turn = element[1] if isinstance(element, tuple) else element
    if getattr(gspace, "axis", None) is not None and not isinstance(element, tuple):
        return True
    full = getattr(gspace.fibergroup, "rotation_order", None) or gspace.fibergroup.order()
    return bool((4 * turn) % full == 0)


def escnn_like(n: int, axis: float) -> Any:
    """Duck types with the interface of escnn: wrapped elements, an action on the base space."""

    class DihedralGroup:
        rotation_order = n

        def element(self, value: Any) -> Any:
            return SimpleNamespace(value=value)

    def action(element: Any) -> Any:
        flip, turn = element.value
        t = 2 * np.pi * turn / n
        rotation = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
        mirror = np.array([[np.cos(2 * axis), np.sin(2 * axis)], [np.sin(2 * axis), -np.cos(2 * axis)]])
        return rotation @ mirror if flip else rotation

    class Rep:
        name, size = "irrep_1,1", 2

        def __call__(self, element: Any) -> Any:
            flip, turn = element.value
            t = 2 * np.pi * turn / n
            rotation = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]])
            return rotation @ np.diag([1.0, -1.0]) if flip else rotation

    gspace = SimpleNamespace(fibergroup=DihedralGroup(), basespace_action=action)
    return SimpleNamespace(gspace=gspace, representations=[Rep(), Rep()])


def test_escnn_mirror_axis_comes_along() -> None:
    """With a vertical mirror, their irrep(1,1) is not the physical vector: the gradient is (d2, -d1) in it."""
    fields = from_escnn(escnn_like(4, np.pi / 2))
    assert fields.terms[0][0].group.name == "D4(pi/2)"
    assert fields.size == 4
    scalar = field_type("trivial", fields.terms[0][0].group)
    layer = PDOConv2d(fields.terms[0][0].group, scalar, fields, order=1, size=3, stencil="fd", dtype=torch.float64)
    assert layer.weight.shape == (2, 1, 1)
    stencil = layer.filter().detach()[:2, 0] / layer.weight.detach()[0, 0, 0]
    torch.testing.assert_close(stencil[0].abs(), stencil[1].T.abs())
    assert stencil[0][1].abs().max() == 0  # the first component is a derivative along x2
    assert check_equivariance(layer).error <= 1e-13


def test_refusals() -> None:
    with pytest.raises(LayerError, match="not a field type of e2cnn"):
        from_e2cnn(3)
    with pytest.raises(LayerError, match="not known here"):
        from_escnn(SimpleNamespace(gspace=SimpleNamespace(fibergroup=object()), representations=[]))
    with pytest.raises(LayerError, match="e3nn knows"):
        to_e3nn(field_type("vector", group("D4")))
    with pytest.raises(LayerError, match="basis"):
        to_e3nn(field_type("tensor(vector, vector)", group("O(3)")))


def test_e3nn_strings() -> None:
    o3 = group("O(3)")
    assert to_e3nn(field_type("2x0e + 1o + 3x2e", o3)) == "2x0e+1x1o+3x2e"
    assert to_e3nn(field_type("trivial + det + vector + irrep(1,2)", o3)) == "1x0e+1x0o+1x1o+1x2o"
    assert field_type(to_e3nn(field_type("4xvector", o3)), o3).size == 12
