"""Linear algebra over number fields: null spaces in one canonical form.

=================== =====================================================
``sparse``          sparse matrices over K, and how their entries meet
``components``      systems that fall apart, cut into connected parts
``null_space``      any system: one part after the other, by large primes
``stages``          one system a generator
``small``           a few entries over Q, in Python's integers
``lane_stages``     many entries: small primes, parts together
``gauge``           square roots that only scale rows and columns
``lift``            residues modulo several primes, back to K
``lanes``           K modulo small primes, at all places, in float64
``lane_matrix``     sparse matrices in all lanes
``elimination``     Gauss-Jordan, many small matrices side by side
``remainders``      numbers known modulo more and more primes
``dense_residues``  few long rows modulo a small prime, by BLAS
``lifted_span``     the echelon form of a space known modulo primes
``span``            a growing span modulo a prime
=================== =====================================================

Sparse exact systems come in, reduced echelon forms go out; what an unknown
means is not known here. It may call :mod:`pdobasis.exact`, NumPy and FLINT.
"""
