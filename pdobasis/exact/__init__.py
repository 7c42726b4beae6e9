"""Numbers: real cyclotomic fields and fields of square roots, arrays over them, numbers as text.

Integers, strings and NumPy index arrays come in; exact numbers go out. Nothing here knows a group. It may call NumPy,
FLINT and :mod:`pdobasis.errors`.
"""
