r"""Where a rectifier of lengths starts: at the length t that keeps half of the second moment.

A field of d independent standard normal numbers has a length r with density proportional to
$r^{d-1} e^{-r^2/2}$. Of its second moment, d, the rectifier $r \mapsto \max(r - t, 0)$ keeps

$$E(r - t)_+^2 = d\, Q_{d+2} - 2 t \sqrt 2\, \frac{\Gamma((d+1)/2)}{\Gamma(d/2)}\, Q_{d+1} + t^2 Q_d,$$

where $Q_k = \Gamma(k/2, t^2/2) / \Gamma(k/2)$ is the chance that the square of k such numbers exceeds $t^2$. It falls
from d at t = 0 to zero, so it is d/2 at one t. Half is what ReLU keeps of a number, so that the same gain, $\sqrt 2$,
carries the variance through the layers.
"""

from __future__ import annotations

from math import exp, lgamma, sqrt

from pdobasis.bounds.caches import remembered


@remembered
def half_threshold(size: int) -> float:
    """The t of a field of this size; about 0.29 sqrt(size) for large ones.

    >>> [round(half_threshold(d), 3) for d in (1, 2, 8)]
    [0.405, 0.495, 0.866]
    """
    from scipy.optimize import brentq

    # Beyond sqrt(size) less than half is left: E(r - t)_+^2 <= Var r < 1/2 for t >= E r, and size >= 1.
    return float(brentq(lambda t: kept(size, t) - 0.5, 0.0, sqrt(size), xtol=1e-14))


def kept(size: int, t: float) -> float:
    """The share of the second moment of a normal field that is left of it."""
    from scipy.special import gammaincc

    beyond = [float(gammaincc((size + k) / 2, t * t / 2)) for k in range(3)]
    mean = sqrt(2) * exp(lgamma((size + 1) / 2) - lgamma(size / 2))
    return beyond[2] - (2 * t * mean * beyond[1] - t * t * beyond[0]) / size
