"""Doctests of experiments need torch, as the layers do."""

from importlib.util import find_spec

if find_spec("torch") is None:
    collect_ignore_glob = ["*.py"]
