"""One thread, since tensors are small; and no sentence that another test has heard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """And the same random numbers, whichever tests came before in the process."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def nothing_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers warn once per process: a test must not depend on those before it."""
    from pdobasis.layers import advice

    monkeypatch.setattr(advice, "_told", set())
