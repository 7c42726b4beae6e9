"""Labelled arrays: ``import pdobasis.xarray`` gives DataArray and Dataset of xarray the accessor ``.pdobasis``.

What comes in: labelled arrays, and operators. What goes out: labelled arrays. This room may call algebra, stencils and
everything below; xarray is imported here alone.
"""

from pdobasis.xarray.accessor import DataArrayOperators, DatasetOperators

__all__ = ["DataArrayOperators", "DatasetOperators"]
