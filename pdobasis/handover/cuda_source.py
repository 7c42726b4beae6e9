"""CUDA: one thread a point, with the tables of the C source."""

from __future__ import annotations

from pdobasis.handover.c_tables import head, tables
from pdobasis.handover.stencil_set import StencilSet
from pdobasis.handover.target import Target

APPLY = """
struct pdobasis_shape {
    ptrdiff_t n[DIM];
};

/* out = sum_k weights[k] * (element k) of field, by cross-correlation: one thread for each value of out.
 *
 * field is (C_IN, n[0], ..., n[DIM - 1]), out (C_OUT, n[0], ..., n[DIM - 1]); both contiguous, without overlap.
 * weights are ELEMENTS numbers on the device; NULL stands for ones.
 * periodic: the array goes round. Otherwise only points where the whole stencil fits are written.
 */
__global__ void pdobasis_kernel(const REAL *field, REAL *out, pdobasis_shape shape, const double *weights, int periodic)
{
    ptrdiff_t points = 1;
    for (int a = 0; a < DIM; a++)
        points *= shape.n[a];
    const ptrdiff_t here = blockIdx.x * (ptrdiff_t)blockDim.x + threadIdx.x;
    if (here >= C_OUT * points)
        return;
    ptrdiff_t at[DIM], rest = here % points;
    for (int a = DIM - 1; a >= 0; a--) {
        at[a] = rest % shape.n[a];
        rest /= shape.n[a];
        if (!periodic && (at[a] < LOW[a] || at[a] >= shape.n[a] - HIGH[a]))
            return;
    }
    const int o = (int)(here / points);
    REAL total = 0;
    for (int t = START[o]; t < START[o + 1]; t++) {
        ptrdiff_t near = 0;
        for (int a = 0; a < DIM; a++)
            near = near * shape.n[a] + (at[a] + TERM[t][2 + a] + shape.n[a]) % shape.n[a];
        double sum = 0;
        for (int k = 0; k < ELEMENTS; k++)
            sum += (weights ? weights[k] : 1.0) * WEIGHT[k][t];
        total += (REAL)sum * field[TERM[t][1] * points + near];
    }
    out[here] = total;
}

#ifdef __CUDACC__
#ifndef PDOBASIS_APPLY
#define PDOBASIS_APPLY pdobasis_apply /* the name, if several stencils are linked together */
#endif

/* Starts the kernel; pointers are those of the device, n is on the host. cudaErrorInvalidValue: too small an array. */
extern "C" cudaError_t PDOBASIS_APPLY(const REAL *field, REAL *out, const ptrdiff_t n[DIM], const double *weights,
                                      int periodic, cudaStream_t stream)
{
    const ptrdiff_t low[DIM] = LOW_VALUES, high[DIM] = HIGH_VALUES;
    pdobasis_shape shape;
    ptrdiff_t values = C_OUT;
    for (int a = 0; a < DIM; a++) {
        if (n[a] < low[a] + high[a] + 1)
            return cudaErrorInvalidValue;
        shape.n[a] = n[a];
        values *= n[a];
    }
    const unsigned threads = 128;
    const unsigned blocks = (unsigned)((values + threads - 1) / threads);
    pdobasis_kernel<<<blocks, threads, 0, stream>>>(field, out, shape, weights, periodic);
    return cudaGetLastError();
}
#endif
"""


def source(stencils: StencilSet) -> str:
    # Constants of the device cannot be read on the host, which needs the reach too.
    text = tables(stencils, "static __device__ const")
    reach = {
        name: text.split(f"{name}[DIM] = ")[1].split(";")[0] for name in ("LOW", "HIGH")
    }
    body = APPLY
    for name, values in reach.items():
        body = body.replace(f"{name}_VALUES", values)
    return head(stencils) + text + body


TARGET = Target("cuda", "a kernel in CUDA", source=source, suffixes=(".cu",))
