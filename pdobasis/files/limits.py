"""How large a file may be before it is read."""

MAX_BYTES = 2_000_000_000
"""Of all arrays of a stencil file, unpacked."""
MAX_META = 512_000_000
"""Of its meta data."""
MAX_BASIS = 512_000_000
"""Of a basis as JSON."""
START = 4_096
"""First bytes, in which a file says what it is."""
