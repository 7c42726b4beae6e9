"""Command lines that nobody would type: groups, representations and options from a grammar, with hostile pieces."""

from __future__ import annotations

import random

from tests.fuzz.hostile import NAMES

GROUPS = (
    "C1",
    "C2",
    "C4",
    "D3",
    "D4",
    "SO(2)",
    "O(2)",
    "SO(3)",
    "Oh",
    "trivial(1)",
    "trivial(2)",
    "flip",
    "GL(2)",
    "4mm",
    "SO(1,1)",
)
ATOMS = (
    "trivial",
    "vector",
    "regular",
    "irrep(1)",
    "irrep(1,1)",
    "sym(2,vector)",
    "alt(2,vector)",
    "dual(vector)",
    "density(1/2)",
    "1o",
)
WRAPPERS = (
    "{}",
    "2x{}",
    "{} + {}",
    "{} * {}",
    "tensor({}, {})",
    "dual({})",
    "induced({}, {})",
    "quotient({})",
    "({})",
    "{}^2",
)
NUMBERS = (
    "0",
    "1",
    "2",
    "3",
    "5",
    "-1",
    "1/2",
    "0.5",
    "1e-200",
    "1e200",
    "1e-999999999",
    "nan",
    "inf",
    "9" * 5000,
    "",
    "x",
    "1,2",
    "1e300",
    "²",
)
OPTIONS = (
    *("--sigma", "--spacing", "--dilation", "--size", "--epsilon", "--degree", "--radii", "--widths", "--band-limit"),
    *(
        "--order",
        "--max-unknowns",
        "--partial-order",
        "--max-offset",
        "--max-angular",
        "--frame-order",
        "--frame-angle",
    ),
    *("--in-offsets", "--out-offsets", "--layout", "--phi", "--sigma-paper", "--max-condition", "--dim", "--show"),
)
STENCILS = ("fd", "gauss", "rbffd", "kernel", "none")


OPERATORS = ("d1", "d1, d2", "d1; d2", "d1**2 + d2**2", "d1**99", "sqrt(2)*d1", "1/0", "d9", "(" * 99, "")


def representation(rng: random.Random, depth: int = 2) -> str:
    if depth == 0 or rng.random() < 0.5:
        atoms = (*ATOMS, *ATOMS, rng.choice(NAMES), f"irrep({rng.choice(NUMBERS)[:8]})")
        return rng.choice(atoms)
    made = rng.choice(WRAPPERS)
    return made.format(*(representation(rng, depth - 1) for _ in range(made.count("{}"))))


COMMANDS = (
    *("solve", "export", "export", "export", "table", "groups", "reps", "report"),
    *("terms", "check", "complex", "all orders"),
)


def _further(rng: random.Random, command: str, group: str, question: list[str]) -> list[str]:
    if command == "all orders":
        return ["solve", *question, "--all-orders", *rng.choice([[], ["--json"], ["--latex"]])]
    if command == "check":
        return [command, *question, "--operator", rng.choice((*OPERATORS, *NAMES, *NUMBERS))]
    fields = [f"--field={representation(rng, 1)}" for _ in range(rng.choice([1, 2, 3]))]
    if command == "complex":
        return [command, "--group", group, *fields, "--order", rng.choice(["1", "1", "2", "x", "99"])]
    name = rng.choice(("u", "u", "p", *NAMES))
    line = [command, "--group", group, f"--field={name}={representation(rng, 1)}", "--out", representation(rng, 1)]
    line += ["--degree", rng.choice(["1", "1", "2", "-1", "99"]), "--derivatives", rng.choice(["0", "1", "99"])]
    return [*line, *rng.choice([[], ["--json"], ["--latex"], ["--python"], ["--weight", "u=1,x=-1"]])]


def command_line(rng: random.Random) -> list[str]:
    """One command; the numbers in it are small, or so large that they are refused at once."""
    group = rng.choice((*GROUPS, *GROUPS, rng.choice(NAMES)))
    question = ["--group", group, "--in", representation(rng), "--out", representation(rng)]
    command = rng.choice(COMMANDS)
    if command in ("terms", "check", "complex", "all orders"):
        return [text.replace("\0", "") for text in _further(rng, command, group, question)]
    if command == "groups":
        return [command, *rng.choice([[group], [], [group, "--json"], [group, "--dim", rng.choice(NUMBERS)]])]
    if command == "reps":
        return [command, "--group", group, *rng.choice([[], ["--json"]])]
    if command == "table":
        return [
            command,
            "--group",
            group,
            "--irreps",
            representation(rng, 1),
            "--order",
            rng.choice(["0", "1", "-1", "x"]),
        ]
    line = [command, *question, "--order", rng.choice(["0", "1", "1", "2", "-1", "1000", "x"])]
    if command == "export":
        line += ["--format", rng.choice(["json", "python", "latex"]), "--stencil", rng.choice(STENCILS)]
        line += ["-o", "-"]
    if command == "report":
        line += ["-o", "-", "--size", "3"]
    for _ in range(rng.choice([0, 1, 1, 2])):
        line += [rng.choice(OPTIONS), rng.choice(NUMBERS)]
    if command == "solve":
        line += rng.choice([[], ["--json"], ["--latex"], ["--kernel"], ["--polynomial-kernel"]])
    return [text.replace("\0", "") for text in line]
