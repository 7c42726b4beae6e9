"""The page docs/benchmarks/training.md, from the finished runs alone."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.common import table
from benchmarks.training.curves import Curve, cases, difference, is_worse, judged, verdicts
from benchmarks.training.designs import COMMON_RATE, DESIGNS, SETTLED, THREE_RATES, TWO_RATES
from benchmarks.training.runs import Run
from benchmarks.training.setting import Design, Setting

TITLES = {
    "digits": "Digits",
    "size": "3×3 stencils",
    "spacing": "Spacing ¼",
    "narrow": "A third of the fields",
    "wide": "Twice the fields",
    "init": "Initialisation",
    "mnist": "Rotated MNIST, 5×5",
    "mnist3": "Rotated MNIST, 3×3",
    "newcomer": "The default constructor, the example's short schedule",
    "newcomer_before": "The same with the default of before",
    "default": "Digits, the default constructor",
    "mnist_default": "Rotated MNIST, 5×5, the default constructor",
    "smooth": "Rougher and smoother steps: finite differences, digits",
    "smooth_start": "Rougher and smoother steps: smoother first filters, digits",
    "mnist_smooth": "Rougher and smoother steps: finite differences, rotated MNIST",
    "mnist_smooth_start": "Rougher and smoother steps: smoother first filters, rotated MNIST",
    "mnist_init": "Initialisation, rotated MNIST",
    "spectral": "Steps of one length for images with a spectrum: finite differences, digits",
    "mnist_spectral": "Steps of one length for images with a spectrum: finite differences, rotated MNIST",
    "means": "The images or the network: the example's, with means",
    "maxima": "The images or the network: the same with maxima and ELU",
    "maxima_slower": "The images or the network: maxima and ELU, a smaller rate",
    "turned": "Other orthonormal coordinates: finite differences, digits",
    "turned_narrow": "Other orthonormal coordinates: a third of the fields",
    "turned_wide": "Other orthonormal coordinates: twice the fields",
    "turned_others": "Other orthonormal coordinates: other stencils, digits",
    "mnist_turned": "Other orthonormal coordinates: finite differences, rotated MNIST",
    "level": "Orders one after the other, steps of one length: digits",
    "level_size": "Orders one after the other, steps of one length: 3×3 stencils",
    "level_narrow": "Orders one after the other, steps of one length: a third of the fields",
    "level_wide": "Orders one after the other, steps of one length: twice the fields",
    "level_mnist": "Orders one after the other, steps of one length: rotated MNIST",
    "level_again": "Orders one after the other, steps of one length: digits, new seeds",
    "again": "New seeds: digits",
    "again_slower": "New seeds: digits, kernels at a smaller rate",
    "again_size": "New seeds: 3×3 stencils",
    "again_size_slower": "New seeds: 3×3 kernels at a smaller rate",
    "again_spacing": "New seeds: spacing ¼",
    "again_narrow": "New seeds: a third of the fields",
    "again_wide": "New seeds: twice the fields",
    "default_again": "Digits, the default constructor, other seeds",
    "unconstrained_again": "Digits, unconstrained, other seeds",
}
METHODS = {"fd": "FD", "rbffd": "RBF-FD", "gauss": "Gauss", "moments": "Gauss with moments", "kernel": "kernels"}

ISOTROPIC = (
    "What orthonormal layers did first (revision 021a4c4; lines in "
    "[training-isotropic.jsonl](training-isotropic.jsonl), stopped before all were run): all coordinates of one "
    "variance, so that the filters are isotropic in their space. Everything else is as above. Today all "
    "parametrisations start with the same filters for the same seed."
)

NOTES = {
    "smooth": "Why plain is better here, for finite differences. On five points stencils of orders n and n + 2 "
    "are nearly opposite to each other (products of -0.9 for norm 1), and their sums are the smooth filters: a step of "
    "orthonormal weights goes there sooner than one of unit or plain weights. *tempered-k* counts products between "
    "orders by k only (0: unit, 1: orthonormal; none of it depends on the basis), and *halving* gives every order "
    "half the part of the order below at the start, so that the first filters are smoother "
    "(`benchmarks/training/tempered.py`). On the digits (three layers, means between them and at the end) rougher "
    "steps and starts are better; on rotated MNIST (six layers, maxima) smoother ones are, by far. Every change that "
    "helped one harmed the other; so did a start with equal parts for all orders, and steps scaled by order (one or "
    "two seeds each, not shown). Orthonormal weights with He's start lie between the two. These "
    "are looks with seeds of their own, one or two (with which plain at its best rate, 0.03, has 4.3 %); most lines "
    "were made by a draft of `tempered.py` that rounds differently.",
    "means": "Why plain is better on the digits and far worse on rotated MNIST: it is the network, not the images. The "
    "example's network has means between its layers and at the end, the paper's has maxima. On the same images, with "
    "six seeds that nothing was chosen by, orthonormal is worse than plain with means (here), and better in every one "
    "of the seeds with maxima and ELU in the same places (the next tables; plain is about the same at 0.03, with three "
    "of the seeds). As we read it, means take away what rough filters add, and maxima pick it. So which lengths of "
    "steps are better depends on what stands behind a layer, which it does not know.",
    "turned": "Gradient descent is the same in all orthonormal coordinates of the filters; Adam, which sees single "
    "ones, is not. Those of the parametrisation orthonormal are each half smooth and half rough. *principal*: each "
    "belongs to one eigenvalue of the Dirichlet energy, from smooth to rough; *falling*: the elements "
    "orthogonalised from the highest order down (`benchmarks/training/tempered.py`). The six seeds are those "
    "with means above (plain 5.3, orthonormal 6.9); narrow, wide and MNIST networks are below. For finite "
    "differences *falling* is in none of them worse than plain by more than a tenth and two standard errors "
    "(here it is 0.8 points, of which two standard errors are 0.8), and on MNIST like orthonormal, with three "
    "seeds that scatter by two points (a look with a fourth had 24.0 against 15.4). Other stencils, with two "
    "seeds on the digits and none on MNIST, rather lose by it where they smooth. What came of it is *graded* "
    "(below, and in the designs above).",
    "level": "*graded-1*: graded coordinates with steps of one length for all orders (r = 1), and so orthonormal: what "
    "was judged first. They are better than orthonormal for finite differences on the digits and no worse on "
    "MNIST, and worse than plain in one case, wide networks. The library's *graded* has steps of 1.15^n.",
    "again": "Plain and the library's graded, with a rule for the default that was written down before any of these "
    "seeds was seen. (graded-1 had been run with two of them when 1.15 was chosen, by looks with other seeds: "
    "designs.py.) One narrow network of finite differences at 0.1 (seed 402) ends at 90 %: the one field of its "
    "first layer is zero behind ReLU for every image, where the shift of batch norm took it at that rate.",
    "init": "The lines of Gauss with delta were made when delta started it four times as large as today.",
    "spectral": "*spectral-p* measures a step by the response to images with the power |k|^-p at the frequency k, "
    "instead of to white noise (p = 0, orthonormal; natural images have p = 2). Filters that differentiate respond "
    "less, so steps towards them are larger: rougher ones. On the digits this closes the gap to plain (three seeds "
    "that no run before had; with them the gap is 1.4 points); on rotated MNIST it costs more than it gains here "
    "(the next table, two of the seeds that judge). The same split as above, by another measure of length: none that "
    "was tried then served both.",
}


def page(runs: Sequence[Run], earlier: Sequence[Run] = ()) -> str:
    """The runs of today's layers, and those of layers that started isotropically, as orthonormal ones once did."""
    found = {run.setting: run for run in runs}
    parts = [
        "# Training",
        "Written by `python -m benchmarks.training table` from the lines of [training.jsonl](training.jsonl), one for "
        "each run. Test errors in %: mean and standard deviation over the seeds, by the highest learning rate of the "
        "schedule (Adam, one cycle). What was run and how it is judged was written down before, in "
        "`benchmarks/training/designs.py`: all runs of a seed have the same images in the same batches; a *case* is a "
        "stencil with a task, a size, a spacing and a width; a rate is *good* if its mean error is within a tenth of "
        "the best in its row. Rates are judged on the test images, for all alike.",
        "## One rate for all",
        *_answer(runs),
        *_beside_plain(found),
    ]
    for name, title in TITLES.items():
        design = DESIGNS[name]
        made = [found[setting] for setting in design.settings() if setting in found]
        if made:
            notes = [NOTES[name]] if name in NOTES else []
            parts += [f"## {title}", *notes, _described(design, made), _errors(made)]
    if earlier:
        parts += ["## Isotropic filters at the start", ISOTROPIC, _errors(earlier, _place)]
    return "\n\n".join(parts) + "\n"


def isotropic(results: Path) -> Path:
    """The file of the earlier runs, beside that of today's."""
    return results.with_name(f"{results.stem}-isotropic{results.suffix}")


def _answer(runs: Sequence[Run]) -> list[str]:
    rows = []
    for name, verdict in verdicts(cases(judged(runs))).items():
        count = len(verdict.ratios)
        rows.append(
            [
                name,
                f"{verdict.rate:g}",
                f"{verdict.mean_ratio:.2f}",
                f"{verdict.ratios[verdict.worst]:.2f} ({_place(verdict.worst)})",
                f"{len(verdict.good)} of {count}",
                f"{len(verdict.worse)} of {count}" + _listed(verdict.worse),
                f"{statistics.geometric_mean(verdict.own.values()):.2f}",
            ]
        )
    if not rows:
        return ["No case has all parametrisations yet."]
    return [
        "For each parametrisation the one rate that is best over all cases. Ratios are errors divided by the best "
        "error of the case, of any parametrisation at any rate; the mean of ratios is geometric. *Worse than plain*: "
        "than plain at its own best rate in that case, by more than a tenth and by more than twice the standard error.",
        table(
            ["parametrisation", "rate", "mean ratio", "worst ratio", "good in", "worse than plain", "ratio, own rates"],
            rows,
        ),
    ]


def _beside_plain(found: Mapping[Setting, Run]) -> list[str]:
    """The default at one rate beside plain at its best, with the seeds that settle it."""
    names = [part for name in SETTLED for part in (name, f"{name}_graded")]
    wanted = [setting for name in names for setting in DESIGNS[name].settings()]
    made = [found[setting] for setting in wanted if setting in found]
    complete = {case: curves for case, curves in cases(made).items() if {"plain", "graded"} <= curves.keys()}
    if not complete:
        return []
    rows = []
    worse: dict[str, list[Setting]] = {"0.1": [], "0.03": [], "better": []}
    for case, curves in complete.items():
        plain, graded = curves["plain"], curves["graded"]
        cells = [_cell(curve, rate) for curve, rates in ((plain, THREE_RATES), (graded, TWO_RATES)) for rate in rates]
        for name, rate in (("0.1", COMMON_RATE), ("0.03", min(TWO_RATES)), ("better", graded.best_rate)):
            if rate in graded.errors:
                is_bad = is_worse(graded, rate, plain)
                worse[name] += [case] * is_bad
                cells.append(_difference(graded, rate, plain, is_bad))
        rows.append([_place(case), *cells, str(max(len(errors) for errors in graded.errors.values()))])
    count = len(complete)
    told = {name: f"**{len(found)} of {count}**{_listed(found)}" for name, found in worse.items()}
    missing = f" **{len(wanted) - len(made)} of {len(wanted)} runs are missing.**" if len(made) < len(wanted) else ""
    return [
        "Three seeds decide little where errors scatter by a third. So once more, with seeds that nobody had seen when "
        "this was written down (`SETTLED` in designs.py): plain at three rates, of which the best over these seeds "
        "counts, and the default, graded, (a) at its common rate of above, 0.1, and (b) at the better of 0.03 and 0.1; "
        "differences seed by seed, their mean and its standard error, by the same rule. Worse than plain at its best: "
        f"(a) {told['0.1']}; (b) {told['better']}. At 0.03 for all, which was counted when these were known: "
        f"{told['0.03']}.{missing}",
        table(
            [
                "case",
                *(f"plain, {rate:g}" for rate in THREE_RATES),
                *(f"graded, {rate:g}" for rate in TWO_RATES),
                "(a)",
                "at 0.03",
                "(b)",
                "seeds",
            ],
            rows,
        ),
    ]


def _difference(curve: Curve, rate: float, plain: Curve, is_bad: bool) -> str:
    found = difference(curve, rate, plain)
    return f"{100 * found.mean:+.1f} ± {100 * found.error:.1f}" + ", **worse**" * is_bad


def _described(design: Design, made: Sequence[Run]) -> str:
    wanted = design.settings()
    first = wanted[0]
    text = (
        f"{first.images} images, batches of {first.batch}, {first.epochs} epochs, {_seeds(design)}; "
        f"stencils {first.size}×{first.size}, spacing {first.spacing:g}, width {first.width:.3g}. "
        f"Library at {', '.join(sorted({run.revision for run in made}))}."
    )
    if len(made) < len(wanted):
        text += f" **{len(wanted) - len(made)} of {len(wanted)} runs are missing.**"
    return text


def _seeds(design: Design) -> str:
    if len(design.seed) == 1:
        return "1 seed"
    return f"{len(design.seed)} seeds"


def _method(case: Setting) -> str:
    return METHODS.get(case.stencil, case.stencil)


def _errors(runs: Sequence[Run], named: Callable[[Setting], str] = _method) -> str:
    """One row for every curve, one column for every rate."""
    rates = sorted({run.setting.rate for run in runs})
    rows = []
    for case, curves in cases(runs).items():
        for name, curve in curves.items():
            cells = [_cell(curve, rate) for rate in rates]
            good = ", ".join(f"{rate:g}" for rate in curve.good_rates)
            rows.append([named(case), name, case.init, *cells, good])
    return table(["", "parametrisation", "init", *(f"{rate:g}" for rate in rates), "good rates"], rows)


def _cell(curve: Curve, rate: float) -> str:
    if rate not in curve.errors:
        return "–"
    errors = list(curve.errors[rate].values())
    text = f"{100 * curve.mean(rate):.1f}"
    if len(errors) > 1:
        text += f" ± {100 * statistics.stdev(errors):.1f}"
    if rate == curve.best_rate:
        return f"**{text}**"
    return text


def _listed(worse: Sequence[Setting]) -> str:
    if not worse:
        return ""
    return ": " + "; ".join(_place(case) for case in worse)


def _place(case: Setting) -> str:
    """A case by what it has of its own."""
    usual = replace(Setting(), task=case.task)
    parts = [_method(case), case.task]
    if case.size != usual.size:
        parts.append(f"{case.size}×{case.size}")
    if case.spacing != usual.spacing:
        parts.append(f"spacing {case.spacing:g}")
    if case.width not in (1.0, 1 / 8):
        parts.append(f"width {case.width:.2g}")
    return ", ".join(parts)
