"""Pictures with matplotlib (the extra ``pdobasis[plot]``), which is imported in this room alone, when it is called.

`stencils` draws weights and vector fields, one row for each element, `panels` says which; `symbols` draws polynomials
as surfaces and arrows, `filters` those of a layer, `polar` errors against angles. `canvas` is a figure that shows
itself in a notebook, without windows and without state.

What comes in: stencils, symbols, weights, errors. What goes out: figures of matplotlib, to be shown, changed or saved.
"""

from __future__ import annotations

from importlib.util import find_spec

from pdobasis.errors import MissingExtraError


def require_matplotlib() -> None:
    """Refuse in one line, before any work."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", "plot", "a picture")
