"""Clebsch and Gordan's count of PDOs between irreps of SO(3) and O(3)."""

from __future__ import annotations

import time

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.proof.counting import count_pdos
from pdobasis.proof.spherical import count_spherical
from pdobasis.representations.harmonics import Spherical
from pdobasis.representations.named import irreps_of, made


@pytest.mark.parametrize("name", ["SO(3)", "O(3)"])
def test_it_is_the_integral_of_the_characters(name: str) -> None:
    group = pdobasis.group(name)
    for a, source in irreps_of(group, 3).items():
        for b, out in irreps_of(group, 3).items():
            assert isinstance(source, Spherical)
            assert isinstance(out, Spherical)
            expected = count_pdos(made(group, source, a), made(group, out, b), 7)
            assert count_spherical(group, source, out, 7).numbers == expected.numbers


def test_a_large_table_of_counts_needs_no_matrices() -> None:
    start = time.process_time()
    done = CliRunner().invoke(main, ["table", "--group", "O(3)", "--limit", "24", "--order", "12", "--counts"])
    assert done.exit_code == 0
    assert "Clebsch-Gordan" in done.output
    assert time.process_time() - start < 5


def test_an_orthonormal_basis_of_high_order_is_refused_at_once() -> None:
    with pytest.raises(pdobasis.errors.RepresentationError, match=r"take irrep\(19o,rational\)"):
        pdobasis.solve("O(3)", "19o", "0e")
    with pytest.raises(pdobasis.errors.RepresentationError, match="an orthonormal basis has too many square roots"):
        pdobasis.solve("SO(3)", "irrep(24,standard)", "vector")
    start = time.process_time()
    done = CliRunner().invoke(main, ["table", "--group", "O(3)", "--limit", "24"])
    assert done.exit_code == 2
    assert time.process_time() - start < 5
