"""Meta data with anything in any place, under a checksum that fits: an answer or a clear refusal, never a traceback."""

import random
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pdobasis_cli import main

import pdobasis
from pdobasis.files.formats import save
from pdobasis.files.stencil_file import StencilFile, checksum, contents
from pdobasis.stencils.sampled import sample

VALUES: list[Any] = [
    None, True, -1, 0, 10**30, 3.5, "", "abc", "1/0", "nan", "D100000", [], [0, 0], [10**9, 10**9], ["x"], [[1]], {},
    {"a": 1},
]  # fmt: skip
FILES: dict[str, tuple[str, dict[str, Any]]] = {
    "staggered": ("fd", {"out_offsets": [("1/2", 0), (0, "1/2")]}),
    "kernel": ("kernel", {}),
    "gauss": ("gauss", {"normalize": "moments"}),
}


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*at, key))


@pytest.mark.parametrize("name", FILES)
def test_no_change_of_the_meta_data_ends_in_a_traceback(name: str, tmp_path: Path) -> None:
    method, options = FILES[name]
    basis = pdobasis.solve("D4", "trivial", "vector", 1)
    good = contents(basis, sample(basis, method, 3, **options))
    known = [p for p in places(good.meta) if p != ("checksum",)]
    rng, runner, path = random.Random(0), CliRunner(), tmp_path / "forged.npz"
    for _ in range(30):
        meta = deepcopy(good.meta)
        *outer, last = rng.choice(known)
        target: Any = meta
        for key in outer:
            target = target[key]
        target[last] = rng.choice(VALUES)
        meta["checksum"] = checksum(good.arrays, meta)
        save(StencilFile(**good.arrays, meta=meta), path)
        for command in (["verify"], ["show"], ["error", "--runs", "1"], ["export", "--format", "python"]):
            result = runner.invoke(main, [command[0], str(path), *command[1:]])
            assert result.exception is None or isinstance(result.exception, SystemExit), (*outer, last, command)
            assert result.exit_code in (0, 1, 2)
