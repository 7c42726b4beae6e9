"""Our irreps of SO(3) and O(3) are e3nn's, entry by entry (data made by tests/oracles/make_e3nn.py)."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pdobasis.exact.numbers import to_float
from pdobasis.groups.matrices import numbers
from pdobasis.question.text import parse_field_type, resolve_group

DATA = json.loads((Path(__file__).parent.parent / "oracles" / "e3nn.json").read_text())


@pytest.mark.parametrize("case", DATA["cases"], ids=lambda c: f"{c['irrep']} {c['name']}")
def test_matrices_agree_with_e3nn(case: dict[str, object]) -> None:
    rows = [[str(Fraction(v).limit_denominator(10)) for v in row] for row in case["g"]]  # type: ignore[attr-defined]
    rep = parse_field_type(str(case["irrep"]), resolve_group("O(3)")).distinct[0]
    ours = to_float(rep.at(numbers(rows)))
    assert np.abs(ours - np.array(case["D"])).max() < 1e-12
