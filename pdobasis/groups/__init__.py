"""Matrix groups as values: generators, Lie generators; the catalogue of names; the elements of finite groups.

A group family is one file that registers itself (:mod:`.families`); :mod:`.catalogue` reads the register. It may call
the rooms of numbers and linear algebra.
"""

from pdobasis.groups import catalogue as catalogue  # fills the register of families
