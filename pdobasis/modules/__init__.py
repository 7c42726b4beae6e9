"""All orders at once: the equivariant PDOs as a free module over the polynomials in some invariants.

In: a question without an order. Out: finitely many generators, primary invariants and a Hilbert series, proved. It asks
``answer`` for bases, and ``proof`` for the theorem.
"""
