"""All orders of trivial → trivial beside Singular's finvar.lib: primary and secondary invariants, processor time.

python -m benchmarks.invariants [--rounds 3]

Groups whose matrices are rational, so that Singular works over Q. Its `invariant_ring` finds what we find: the orders
of both are printed. Both start warm (libraries loaded); ours includes the proof, with all caches emptied.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import time

import pdobasis
from pdobasis.bounds.caches import trim
from pdobasis.groups.group import Group

GROUPS = ("D4", "D2h", "C4v", "D4h", "T", "Td", "Th", "O", "Oh")
PATIENCE = 300


def ours(name: str) -> tuple[float, str]:
    trim(0)
    start = time.process_time()
    found = pdobasis.all_orders(name, "trivial", "trivial")
    seconds = time.process_time() - start
    secondary = [g.order for g in found.generators]
    return seconds, f"{list(found.hilbert.degrees)}, {secondary}"


def singular(group: Group) -> tuple[float | None, str]:
    """(seconds, orders) by Singular; None when it did not finish."""
    try:
        run = subprocess.run(
            ["Singular", "-q", "--no-rc"],
            input=_program(group),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"not within {PATIENCE} s"
    words = [line for line in run.stdout.splitlines() if line.startswith("@")]
    if len(words) != 3:
        return None, run.stdout.strip().splitlines()[-1][:60]
    primary, secondary, milliseconds = (line[1:] for line in words)
    orders = [sorted(map(int, part.split())) for part in (primary, secondary)]
    return int(milliseconds) / 1000, f"{orders[0]}, {orders[1]}"


def _program(group: Group) -> str:
    names = ",".join(f"x{i + 1}" for i in range(group.dim))
    lines = ['LIB "finvar.lib";', 'system("--ticks-per-sec",1000);', f"ring R=0,({names}),dp;"]
    labels = []
    for k, g in enumerate(group.generators):
        entries = ",".join(str(g[i, j].fraction()) for i in range(group.dim) for j in range(group.dim))
        lines.append(f"matrix A{k}[{group.dim}][{group.dim}]={entries};")
        labels.append(f"A{k}")
    lines += [
        "int start=timer;",
        f"matrix P,S,I=invariant_ring({','.join(labels)},intvec(0,0,0));",
        "int end=timer;",
        'string p="@"; string s="@"; int i;',
        'for(i=1;i<=ncols(P);i++){p=p+" "+string(deg(P[1,i]));}',
        'for(i=1;i<=ncols(S);i++){s=s+" "+string(deg(S[1,i]));}',
        'print(p); print(s); print("@"+string(end-start));',
        "quit;",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    for name in GROUPS:
        group = pdobasis.group(name)
        mine: list[float] = []
        theirs: list[float] = []
        words = {"ours": "", "finvar": ""}
        for _ in range(rounds):
            seconds, words["ours"] = ours(name)
            mine.append(seconds)
            other, words["finvar"] = singular(group)
            if other is None:
                break
            theirs.append(other)
        text = f"{name}: ours {1e3 * statistics.median(mine):.0f} ms {words['ours']}"
        if theirs:
            ratio = statistics.median(theirs) / statistics.median(mine)
            text += f"; finvar {1e3 * statistics.median(theirs):.0f} ms, {ratio:.2g} times ours"
        print(f"{text} ({words['finvar']})")


if __name__ == "__main__":
    main()
