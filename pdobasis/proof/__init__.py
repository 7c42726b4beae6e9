"""The proof that a basis is what it claims: one file a theorem, each returning a :class:`~pdobasis.proof.claim.Claim`.

hypothesis (rho is a representation of G), equivariant, independent, complete, truncated (all that a truncation names:
offsets of frequencies, graded by Laplacian powers, framed), module (over the polynomials in the Laplacian), spans (both
roads meet). Below them: angle, batch, circle, counting, dense, elements, equations, lines, modular, nullity, points,
small_ranks, sparse, system_parts, turns, weights, zonal.

Symbols come in from anywhere. It may call operators.symbols (the container), question, representations,
groups and exact arithmetic, and no helper that a solver uses: not linear, not exact.primes, not exact.polynomials.
"""
