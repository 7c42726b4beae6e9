"""The version, by itself, so that whoever writes it down needs nothing else.

What is written of an installation may be that of an older checkout.
"""

__version__ = "0.2.0"
