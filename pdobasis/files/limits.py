"""How large a file may be: before it is read, before it is unpacked, before it is proved."""

MAX_BYTES = 2_000_000_000
"""Of all arrays of a stencil file, unpacked."""
MAX_META = 512_000_000
"""Of its meta data."""
MAX_BASIS = 512_000_000
"""Of a basis as JSON."""
MAX_RATIO = 100
"""Of unpacked bytes to packed ones, where they are many."""
FREE_RATIO = 32_000_000
"""Unpacked bytes that may be packed as tightly as they like: zeros are."""
MAX_AXES = 32
"""Of an array: two of channels, one of elements, the rest of space."""
START = 4_096
"""First bytes, in which a file says what it is."""
