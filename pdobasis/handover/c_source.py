"""C: one function in one file, for any array shape, periodic or where the whole stencil fits."""

from __future__ import annotations

from pdobasis.handover.c_tables import head, tables
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target

APPLY = """
#ifndef PDOBASIS_APPLY
#define PDOBASIS_APPLY pdobasis_apply /* the name, if several stencils are linked together */
#endif

/* out = sum_k weights[k] * (element k) of field, by cross-correlation.
 *
 * field is (C_IN, n[0], ..., n[DIM - 1]), out (C_OUT, n[0], ..., n[DIM - 1]); both contiguous, without overlap.
 * weights are ELEMENTS numbers; NULL stands for ones.
 * periodic: the array goes round. Otherwise only points where the whole stencil fits are written, and the others stay
 * as they are (ghost cells). Returns 0, or -1 and writes nothing where the stencil is larger than the array.
 */
int PDOBASIS_APPLY(const REAL *field, REAL *out, const ptrdiff_t n[DIM], const double *weights, int periodic)
{
    ptrdiff_t rows = 1;
    const ptrdiff_t length = n[DIM - 1];
    for (int a = 0; a < DIM; a++) {
        if (n[a] < LOW[a] + HIGH[a] + 1)
            return -1;
        if (a < DIM - 1)
            rows *= n[a];
    }
    const ptrdiff_t first = periodic ? 0 : LOW[DIM - 1], last = periodic ? length : length - HIGH[DIM - 1];
    for (ptrdiff_t row = 0; row < rows; row++) {
        ptrdiff_t at[DIM] = {0}, rest = row;
        int fits = 1;
        for (int a = DIM - 2; a >= 0; a--) {
            at[a] = rest % n[a];
            rest /= n[a];
            fits = fits && (periodic || (at[a] >= LOW[a] && at[a] < n[a] - HIGH[a]));
        }
        if (!fits)
            continue;
        for (int o = 0; o < C_OUT; o++) {
            REAL *to = out + (o * rows + row) * length;
            for (ptrdiff_t x = first; x < last; x++)
                to[x] = 0;
            for (int t = START[o]; t < START[o + 1]; t++) {
                ptrdiff_t near = 0;
                for (int a = 0; a < DIM - 1; a++)
                    near = near * n[a] + (at[a] + TERM[t][2 + a] + n[a]) % n[a];
                const REAL *from = field + (TERM[t][1] * rows + near) * length;
                const ptrdiff_t s = TERM[t][1 + DIM];
                /* the part of the line that does not go round, which compilers vectorise */
                const ptrdiff_t low = first > -s ? first : -s, high = last < length - s ? last : length - s;
                double sum = 0;
                for (int k = 0; k < ELEMENTS; k++)
                    sum += (weights ? weights[k] : 1.0) * WEIGHT[k][t];
                const REAL w = (REAL)sum;
                for (ptrdiff_t x = low; x < high; x++)
                    to[x] += w * from[x + s];
                for (ptrdiff_t x = first; x < low; x++)
                    to[x] += w * from[x + s + length];
                for (ptrdiff_t x = high; x < last; x++)
                    to[x] += w * from[x + s - length];
            }
        }
    }
    return 0;
}
"""


def source(stencils: StencilSet) -> str:
    return head(stencils) + tables(stencils, "static const") + APPLY


TARGET = Target("c", "a function in C", source=source, suffixes=(".c",))
