r"""What infinitesimal rotations, and changes of signs, do to harmonics: in closed form.

With $u = x + iy$ and $Z_m = \Pi_{lm}(z, r^2)\,u^m = C_m + iS_m$ the derivations $L_\pm = R_1 \pm iR_2$, where
$R_1 = z\partial_x - x\partial_z$ and $R_2 = z\partial_y - y\partial_z$, leave $r^2$ as it is. $L_+$ takes u to 0 and z
to $-u$, and $\partial_z\Pi_{lm} = \Pi_{l,m+1}$ for a fixed $r^2$: so $L_+ Z_m = -Z_{m+1}$, and from the commutator of
both $L_- Z_m = c_m Z_{m-1}$ with $c_m = (l + m)(l - m + 1)$ for $m \ge 1$. Real and imaginary parts are

$$2R_1 C_m = c_m C_{m-1} - C_{m+1}, \quad 2R_1 S_m = c_m S_{m-1} - S_{m+1},$$
$$2R_2 C_m = -c_m S_{m-1} - S_{m+1}, \quad 2R_2 S_m = c_m C_{m-1} + C_{m+1},$$

and $R_1 C_0 = -C_1$, $R_2 C_0 = -S_1$; $R_3 = x\partial_y - y\partial_x$ takes $C_m$ to $-mS_m$ and $S_m$ to $mC_m$.
"""

from __future__ import annotations

import numpy as np

from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import RATIONALS

Axes = tuple[int, int, int]


def turned(degree: int, x: ExactArray, axes: Axes) -> ExactArray | None:
    r"""D with $\frac{d}{dt} Y(x + tXx) = D\,Y$ for skew X; None where X is not, or has roots.

    Rows are $S_l, \dots, S_1, C_0, C_1, \dots, C_l$. For l = 1 these are y, z, x, as in X itself:

    >>> from pdobasis.exact.array import integers
    >>> turned(1, integers([[0, -1, 0], [1, 0, 0], [0, 0, 0]]), (0, 1, 2))
    <ExactArray [[0, 0, 1], [0, 0, 0], [-1, 0, 0]]>
    """
    if not x.field.is_rational:
        return None
    entries: list[list[int]] = x.numerators[..., 0].tolist()
    every = range(3)
    if any(entries[i][j] + entries[j][i] for i in every for j in every):
        return None
    a, b, c = axes
    # sum_ij X_ij x_j d_i, twice, since halves occur
    first, second, third = entries[a][c], entries[b][c], 2 * entries[b][a]
    table = [[0] * (2 * degree + 1) for _ in range(2 * degree + 1)]
    for m in range(degree + 1):
        lower = (degree + m) * (degree - m + 1)
        cosine, sine = table[degree + m], table[degree - m]
        if not m:
            if degree:
                cosine[degree + 1], cosine[degree - 1] = -2 * first, -2 * second
            continue
        # S_0 is zero, and stands nowhere
        if m > 1:
            sine[degree - m + 1] = lower * first
            cosine[degree - m + 1] = -lower * second
        cosine[degree + m - 1] = lower * first
        sine[degree + m - 1] = lower * second
        if m < degree:
            cosine[degree + m + 1], sine[degree - m - 1] = -first, -first
            cosine[degree - m - 1], sine[degree + m + 1] = -second, second
        cosine[degree - m], sine[degree + m] = -m * third, m * third
    numbers = np.array(table, dtype=object)[..., None]
    return exact(numbers, 2 * x.denominator, RATIONALS)


def mirrored(degree: int, g: ExactArray, axes: Axes) -> ExactArray | None:
    r"""D with $Y(gx) = D\,Y(x)$ for $g = \mathrm{diag}(\pm1, \pm1, \pm1)$; None for others.

    $\Pi_{lm}$ has the parity of l - m in z, Re u^m that of m in x, and Im u^m those of m - 1 in x and of 1 in y.

    >>> from pdobasis.exact.array import integers
    >>> mirrored(1, integers([[1, 0, 0], [0, -1, 0], [0, 0, 1]]), (0, 1, 2))
    <ExactArray [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]>
    """
    if not g.field.is_rational or g.denominator != 1:
        return None
    entries: list[list[int]] = g.numerators[..., 0].tolist()
    signs = [entries[i][i] for i in range(3)]
    # three entries that are not zero, all of them on the diagonal
    if np.count_nonzero(g.numerators) > 3 or any(s not in (1, -1) for s in signs):
        return None
    x, y, z = (signs[axis] for axis in axes)
    sines = [z ** (degree - m) * x ** (m - 1) * y for m in range(degree, 0, -1)]
    cosines = [z ** (degree - m) * x**m for m in range(degree + 1)]
    diagonal = np.diag(np.array([*sines, *cosines], dtype=np.int64))
    return exact(diagonal[..., None], 1, RATIONALS)
