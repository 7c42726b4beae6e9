"""Linear algebra over number fields: sparse systems, elimination modulo primes, null spaces in one canonical form.

Sparse exact systems come in, reduced echelon forms go out. It may call :mod:`pdobasis.exact`; what an unknown means is
not known here.
"""
