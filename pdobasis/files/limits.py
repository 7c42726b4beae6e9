"""How large a file may be before it is read."""

MAX_BYTES = 2_000_000_000
"""Of all arrays of a stencil file, unpacked."""
MAX_META = 512_000_000
"""Of its meta data."""
