"""The library in the hands of PySINDy itself."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from benchmarks.discovery.systems import SYSTEMS

pysindy = pytest.importorskip("pysindy")


@pytest.mark.parametrize("weak", [False, True])
def test_tied_coefficients_of_a_vector(weak: bool) -> None:
    from pdobasis.discovery.sindy import TermsLibrary

    system = SYSTEMS["toner_tu"](seed=1, n=48, frames=50)
    # (time, components, x2, x1) to (components, x1, x2, time, 1)
    x = system.data["u"].transpose(1, 3, 2, 0)[..., None]
    library = TermsLibrary("O(2)", system.fields, system.axes, system.times, weak=weak)
    optimizer = pysindy.STLSQ(threshold=0.02, alpha=0)
    model = pysindy.SINDy(feature_library=library, optimizer=optimizer)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(x, t=system.times)
    names = model.get_feature_names()
    found = {names[k]: c for k, c in enumerate(model.coefficients()[0]) if c}
    truth = system.truth["u"]
    assert set(truth) <= set(found)
    assert {name: found[name] for name in truth} == pytest.approx(truth, rel=0.01 if weak else 0.5)
    if weak:
        assert set(found) == set(truth)


def test_scalars_are_coordinates() -> None:
    from pdobasis.discovery.sindy import TermsLibrary

    rng = np.random.default_rng(0)
    x = rng.normal(size=(10, 12, 14, 2))  # x1, x2, time, fields
    axes = (np.arange(10.0), np.arange(12.0))
    library = TermsLibrary("O(2)", {"u": "trivial", "v": "trivial"}, axes, np.arange(14.0), degree=2, derivatives=0)
    values = np.asarray(library.fit(x).transform(x))
    assert library.get_feature_names() == ["1", "u", "v", "u²", "u v", "v²"]
    assert np.allclose(values[..., 4], x[..., 0] * x[..., 1])
    assert np.allclose(values[..., 0], 1)
