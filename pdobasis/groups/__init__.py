"""Matrix groups as data: generators, Lie generators; the catalogue of names; the elements of finite groups.

It may call the rooms of numbers and linear algebra.
"""
