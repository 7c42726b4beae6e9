"""Files are written as the standard library writes them, byte for byte."""

import json
from typing import Any

import numpy as np
import pytest

from pdobasis.answer.solve import ask
from pdobasis.exact.writing import matrix_text, number_text
from pdobasis.files.indented import indented

DATA: list[Any] = [
    {},
    [],
    '∂₁ "quoted" \\ \n \x00 é',
    [[], [[]], {}, {"a": {}}],
    ["0", "1", ""],
    ["0", 1, None, True, False, 0.1, -2.5e-300, 10**30],
    [["0", "-1"], ["sqrt(2)/2", "∂"]],
    {"a": [1, 2, 3], "é\n": {"b": [["x"], []], "c": ("1", "2")}, "": None},
    {"deep": [[[[["0", "1"]]]]]},
    [0.0, -0.0, 1e22, 1e16, 123456789.125],
]


@pytest.mark.parametrize("data", DATA, ids=str)
def test_it_is_what_the_standard_library_writes(data: Any) -> None:
    assert indented(data) == json.dumps(data, ensure_ascii=False, indent=1)


def test_keys_are_texts() -> None:
    with pytest.raises(TypeError):
        indented({1: "a"})


@pytest.mark.parametrize(
    ("group", "spec"),
    [
        ("O(3)", "tensor(irrep(0,2), vector)"),
        ("SO(3)", "sym(3, vector)"),
        ("C5", "tensor(vector, vector)"),
        ("C4", "vector"),
    ],
)
def test_matrices_are_written_number_by_number(group: str, spec: str) -> None:
    (rep,) = ask(group, "trivial", spec, 0).out_type.distinct
    for m in (*rep.matrices(), *rep.lie):
        rows, columns = (np.arange(size) for size in m.shape)
        assert matrix_text(m) == [[number_text(m[i, j]) for j in columns] for i in rows]
