"""Is this plain eager execution?"""

from __future__ import annotations

import torch


def is_traced() -> bool:
    """Under torch.compile, torch.export or a function transform (vmap, grad): these want the plain operations."""
    # torch has no public name for the second question.
    return torch.compiler.is_compiling() or torch._C._are_functorch_transforms_active()


def is_exporting() -> bool:
    """Under torch.export or ONNX, where one graph has to serve all image sizes (older versions of torch cannot say)."""
    return bool(getattr(torch.compiler, "is_exporting", bool)())
