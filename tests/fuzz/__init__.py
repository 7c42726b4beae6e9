"""Hostile input, made by a machine: what the program has to survive, and what it has to say.

`mutators` damages files, `grammar` makes command lines and questions, `hostile` holds names and texts; `harness` runs a
command and judges it; `kills` ends writers at random moments. ``tests/fuzz/test_fuzz.py`` runs some of each, always the
same; for hours, with new ones every time: ``python -m tests.fuzz --minutes 60``. What was found is kept in ``corpus``.
"""
