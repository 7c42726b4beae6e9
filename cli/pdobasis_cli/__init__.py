"""The command line of pdobasis: a command parses, calls the library, prints."""

try:
    from pdobasis_cli.main import main
except KeyboardInterrupt:  # Ctrl-C while modules are still loaded
    raise SystemExit(130) from None

__all__ = ["main"]
