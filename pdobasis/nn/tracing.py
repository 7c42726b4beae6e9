"""Is this plain eager execution?"""

from __future__ import annotations

from typing import Any

import torch


def is_traced() -> bool:
    """Under torch.compile, torch.export, torch.jit.trace or a function transform: these want the plain operations."""
    # torch has no public name for the last question.
    return (
        torch.compiler.is_compiling()
        or is_jit_tracing()
        or torch._C._are_functorch_transforms_active()
    )


def is_compiling() -> bool:
    """Under torch.compile, which makes kernels of its own out of plain arithmetic."""
    return torch.compiler.is_compiling() and not is_exporting()


def is_exporting() -> bool:
    """Under torch.export, ONNX or torch.jit.trace, where one graph has to serve all image sizes."""
    # Older versions of torch cannot say whether they export.
    asked = getattr(torch.compiler, "is_exporting", bool)
    return is_jit_tracing() or bool(asked())


def is_jit_tracing() -> bool:
    """Under torch.jit.trace, to which sizes are tensors, and a question about them is a warning."""
    jit: Any = torch.jit
    return bool(jit.is_tracing())
