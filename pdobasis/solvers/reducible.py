from __future__ import annotations
def irrep_name(rep): return ""
def through_irreps(*a): return None
