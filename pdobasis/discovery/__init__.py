"""Which equation do these data follow? Sparse regression over all terms that a symmetry allows.

Recordings in, an equation with standard errors out; calls the rooms below, and PySINDy only in :mod:`.sindy`.
"""
