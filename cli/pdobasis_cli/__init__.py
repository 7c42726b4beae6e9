"""The command line of pdobasis: a command parses, calls the library, prints."""

from pdobasis_cli.main import main

__all__ = ["main"]
