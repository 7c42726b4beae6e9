"""Part 7: the direct solver beside the transfer solver, each with its proof."""

from __future__ import annotations

from functools import partial

from benchmarks.common import Answer, Context, Goal, Section, failure, interleaved, median, ratio, seconds

QUESTIONS = [
    ("C16", "regular", "regular", 3), ("D16", "regular", "regular", 3), ("I", "regular", "regular", 2),
    ("D8", "regular", "trivial", 2), ("SO(3)", "vector", "vector", 4), ("SO(1,3)", "vector", "vector", 4),
    ("SO(3)", "irrep(2)", "irrep(2)", 4), ("SO(2)", "vector", "vector", 8), ("D12", "irrep(1,5)", "irrep(1,2)", 8),
    ("Oh", "vector", "vector", 6), ("Ih", "vector", "vector", 4), ("SO(4)", "vector", "vector", 4),
    ("SO(4)", "alt(2, vector)", "alt(2, vector)", 3),
]  # fmt: skip
QUICK = [("D8", "regular", "trivial", 2), ("SO(1,3)", "vector", "vector", 2)]
LIMITS = {("C16", 3): 0.3, ("D16", 3): 2.0, ("I", 2): 5.0}
"""Seconds for regular→regular to an order, by either method."""
TOP, ORDER = 4, 8
PAIRS_LIMIT = 10.0

Question = tuple[str, str, str, int]


def run(context: Context) -> Section:
    section = Section("7. Methods")
    section.add(
        "Solving and proving from the text of the question, with empty caches in a warm interpreter. A group that is "
        "not orthogonal has no transfer solver."
    )
    rows = []
    for question in QUICK if context.quick else QUESTIONS:
        found = measure(context, question)
        row = [name(question), seconds(median(found["direct"])), "–", "–"]
        if not failure(found["transfer"]):
            row[2:] = [seconds(median(found["transfer"])), str(ratio(found["direct"], found["transfer"]))]
        rows.append(row)
        if not context.quick:
            section.goals += goals(question, found)
    section.table(["question", "direct", "transfer", "direct / transfer"], rows)
    pairs(context, section)
    return section


def measure(context: Context, question: Question) -> dict[str, list[Answer]]:
    ours = context.worker("ours")
    if ours is None:
        raise RuntimeError(f"pdobasis does not run: {context.missing['ours']}")
    group, source, target, order = question
    ask = partial(ours.ask, "basis", group=group, source=source, target=target, order=order, whole=True)
    jobs = {method: partial(ask, method=method) for method in ("direct", "transfer")}
    return interleaved(dict(jobs), context.rounds, name(question))


def goals(question: Question, found: dict[str, list[Answer]]) -> list[Goal]:
    group, source, _, order = question
    limit = LIMITS.get((group, order))
    if limit is None or source != "regular":
        return []
    taken = max(median(found[method]) or 0.0 for method in found)
    return [Goal(f"methods: {name(question)} < {limit} s", seconds(taken), taken < limit)]


def pairs(context: Context, section: Section) -> None:
    """All pairs of irreps of O(3)."""
    ours = context.worker("ours")
    if ours is None:
        return
    top, order = (1, 2) if context.quick else (TOP, ORDER)
    taken = ours.ask("pairs", top=top, order=order)["seconds"]
    count = (2 * top + 2) ** 2
    section.add(
        f"All {count} pairs of irreps of O(3) up to l = {top}, order ≤ {order}, with proof, by the transfer solver: "
        f"{seconds(taken)}."
    )
    if not context.quick:
        text = f"methods: {count} pairs of irreps of O(3) < {PAIRS_LIMIT:.0f} s"
        section.goals.append(Goal(text, seconds(taken), taken < PAIRS_LIMIT))


def name(question: Question) -> str:
    group, source, target, order = question
    return f"{group} {source}→{target}, order ≤ {order}"
