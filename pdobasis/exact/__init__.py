"""Numbers: real number fields, arrays over them, polynomials, text.

=============== ==========================================================
``integers``    integer arrays that cannot overflow
``arithmetic``  primes, squares and square classes
``field``       Q(2cos(2 pi/M)) and fields of square roots
``cosines``     2cos(2 pi k/M) in the basis of its field
``roots``       cos(q pi) and sqrt(q), each in its field
``array``       arrays over a field: sums, products, lowest terms
``matrices``    block matrices, Kronecker and batched products
``division``    linear equations with one solution
``primes``      fields modulo primes that split, and the way back
``polynomials`` monomials, and what a linear map does to them
``numbers``     readable sums of roots; the nearest float
``writing``     numbers as text
``text``        text as numbers and polynomials: a grammar of our own
=============== ==========================================================

Integers, strings and NumPy index arrays come in; exact numbers go out. Nothing
here knows a group. It may call NumPy, FLINT and :mod:`pdobasis.errors`.
"""
