"""What a unit of each feature costs, in seconds and in bytes; written by ``python -m benchmarks.estimates --refit``."""

from __future__ import annotations

CONSTANTS: dict[str, dict[str, dict[str, float]]] = {
    "solve": {
        "seconds": {
            "closure": 4.06e-07,
            "deep": 1.64e-08,
            "denser": 2.81e-15,
            "one": 0.0987,
            "orders": 1.44e-07,
            "system": 2.55e-10,
            "unknowns": 5.07e-08,
            "heights": 1.6e-08,
            "lifted": 1.7e-06,
        },
        "memory": {
            "closure": 82.2,
            "deep": 0.339,
            "dense": 0.00959,
            "irreducible": 7.05e-05,
            "one": 19800000.0,
            "orders": 6.02,
            "places": 0.00189,
            "highest": 1.2,
            "widest": 57,
        },
    },
    "sample": {
        "seconds": {
            "numbers": 1.8e-08,
            "atoms": 2e-06,
            "squares": 2e-06,
            "cubes": 5.5e-09,
        },
        "memory": {"numbers": 8.2, "atoms": 335, "squares": 55},
    },
    "text": {"seconds": {"numbers": 3.2e-07}, "memory": {"numbers": 55}},
    "binary": {"seconds": {"numbers": 3e-08}, "memory": {"numbers": 18}},
    "matrices": {"seconds": {"cells": 3e-06}, "memory": {"cells": 200}},
    "draw": {"seconds": {"panels": 0.026}, "memory": {"panels": 550000.0}},
    "page": {
        "seconds": {"cells": 5e-06, "weights": 5e-07},
        "memory": {"cells": 500, "weights": 64},
    },
    "cells": {"seconds": {"cells": 0.0018}, "memory": {"cells": 10000}},
    "counts": {
        "seconds": {"cells": 0.0006, "characters": 1e-06},
        "memory": {"cells": 10000},
    },
    "terms": {"seconds": {"cubes": 1.2e-07}, "memory": {"squares": 200}},
    "finite terms": {
        "seconds": {"products": 1.5e-05, "cubes": 1e-06},
        "memory": {"places": 1000},
    },
    "turns": {
        "seconds": {"turned": 1.1e-07, "products": 6e-11, "mixed": 1.2e-10},
        "memory": {"held": 40},
    },
    "layer": {"seconds": {"weights": 1.5e-08}, "memory": {"weights": 9}},
    "contractions": {
        "seconds": {"values": 0.0001, "exchanges": 7e-06},
        "memory": {"values": 900},
    },
    "generators": {
        "seconds": {"numbers": 4.5e-07, "products": 3.5e-10},
        "memory": {"largest": 75},
    },
    "irreps": {"seconds": {"irreps": 0.0012}, "memory": {"irreps": 40000}},
    "parameters": {
        "seconds": {"entries": 6e-07, "eliminated": 3e-10},
        "memory": {"entries": 60},
    },
    "alternant": {"seconds": {"products": 1.8e-06}, "memory": {"terms": 700}},
    "cosines": {"seconds": {"numbers": 2.6e-07}, "memory": {"numbers": 24}},
    "multidegrees": {
        "seconds": {"factors": 0.0009},
        "memory": {"one": 20000000.0, "factors": 20000},
    },
    "discover": {
        "seconds": {"candidates": 0.11, "values": 1.25e-08},
        "memory": {"one": 20000000.0, "candidates": 500000.0, "points": 60},
    },
}
