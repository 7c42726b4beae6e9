"""What work may cost: budgets that are watched, estimates, caches with a size.

Comes in: limits, and what a stage says of itself. Knows nothing of groups or operators, so that every room can ask it.
"""
