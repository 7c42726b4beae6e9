"""What a stencil file is about, in words."""

from __future__ import annotations

from typing import Any

from pdobasis.files.stencil_file import StencilFile
from pdobasis.handover.texts import line
from pdobasis.question.truncation import truncation_from_json


def title(file: StencilFile) -> str:
    meta = file.meta
    question = f"{meta['group']}: {meta['in']['spec']} -> {meta['out']['spec']}, order <= {meta['order']}"
    return line(f"{question}{truncated(file)}, {len(file.orders)} elements")


def truncated(file: StencilFile) -> str:
    """The truncation of the question in words, behind a comma; nothing where all solutions are asked for."""
    truncation = truncation_from_json(file.meta.get("truncation"), file.meta["order"])
    if truncation is None:
        return ""
    return f", truncated to {truncation.text}"


def what(file: StencilFile) -> str:
    """The discretization in words."""
    return discretized(file.meta["discretization"])


def discretized(data: dict[str, Any]) -> str:
    size = "x".join(str(n) for n in data["size"])
    options = "".join(f", {k}={_short(v)}" for k, v in data["options"].items())
    spacing = ""
    if set(data["spacing"]) != {"1"}:
        spacing = f", spacing {', '.join(data['spacing'])}"
    dilation = ""
    if set(data["dilation"]) != {1}:
        dilation = f", dilation {data['dilation']}"
    staggered = ""
    if "lattice" in data:
        staggered = f", {lattice_words(data['lattice'])}"
    if "in_offsets" in data:
        staggered = ", staggered"
    return f"{data['stencil']} {size}{options}{spacing}{dilation}{staggered}"


def lattice_words(data: dict[str, Any]) -> str:
    vectors = "; ".join(", ".join(row) for row in data["vectors"])
    return line(f"{data['name']} ({vectors}), window {data['window']}")


def _short(value: Any) -> str:
    """One number for all axes where they agree."""
    if not isinstance(value, list):
        return str(value)
    parts = [_rounded(v) for v in value]
    if len(set(parts)) == 1:
        return parts[0]
    return "[" + ", ".join(parts) + "]"


def _rounded(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)
