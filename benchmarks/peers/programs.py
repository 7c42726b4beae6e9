"""The same question as a short program for Singular, Macaulay2 and GAP.

Each is written as a user of that system would write it: the generators of the group and of both representations are
given as matrices over Q(a); the program builds the linear system order by order and asks for its null space. It repeats
that a few times within one process and prints ``seconds dimension``, so that starting and reading are not timed.
Of several programs for Singular these two were the fastest: sparse columns where both representations are permutations,
and maps of rings elsewhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

import sympy

from pdobasis.answer.solve import ask
from pdobasis.exact.array import ExactArray
from pdobasis.exact.field import Field, join

COMMANDS = {
    "Singular": ["Singular", "-q", "--no-rc"],
    "Macaulay2": ["M2", "--silent", "--stop", "-q"],
    "GAP": ["gap", "-q", "-r"],
}

Matrix = list[list[str]]


@dataclass(frozen=True)
class Given:
    """What the user knows: a field Q(a), and the matrices of the generators as text."""

    dim: int
    order: int
    minimal_polynomial: str
    group: list[Matrix]
    source: list[Matrix]
    target: list[Matrix]
    lie_group: list[Matrix]
    lie_source: list[Matrix]
    lie_target: list[Matrix]
    sizes: tuple[int, int]

    @property
    def permutations(self) -> bool:
        return not self.lie_group and all(
            sorted(row) == ["0"] * (len(row) - 1) + ["1"] for m in (*self.source, *self.target) for row in m
        )


def versions() -> dict[str, str]:
    """Of the systems that are on the PATH, from the first number that they print."""
    ask_for = {"Singular": (["--version"], ""), "Macaulay2": (["--version"], "")}
    ask_for["GAP"] = (["-q", "-r"], "Print(GAPInfo.Version); QUIT;")
    out = {}
    for system, (options, text) in ask_for.items():
        if shutil.which(COMMANDS[system][0]):
            command = [COMMANDS[system][0], *options]
            done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
            found = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
            out[system] = found.group() if found else "unknown version"
    return out


def given(group: str, source: str, target: str, order: int) -> Given:
    problem = ask(group, source, target, order)
    (rep_in,), (rep_out,) = problem.in_type.distinct, problem.out_type.distinct
    g = problem.group
    arrays = (*g.generators, *rep_in.matrices(), *rep_out.matrices(), *g.lie, *rep_in.lie, *rep_out.lie)
    field = arrays[0].field
    for m in arrays[1:]:
        field = join(field, m.field)

    def texts(matrices: Sequence[ExactArray]) -> list[Matrix]:
        return [[[_text(m.over(field), i, j) for j in range(m.shape[1])] for i in range(m.shape[0])] for m in matrices]

    return Given(
        g.dim, order, _minimal_polynomial(field), texts(g.generators), texts(rep_in.matrices()),
        texts(rep_out.matrices()), texts(g.lie), texts(rep_in.lie), texts(rep_out.lie), (rep_in.size, rep_out.size),
    )  # fmt: skip


def _minimal_polynomial(field: Field) -> str:
    a = sympy.Symbol("a")
    if field.is_rational:
        return ""
    if field.conductor == 1:
        (root,) = [r for r in field.radicands if r != 1]
        return f"a^2-{root}"
    number = 2 * sympy.cos(2 * sympy.pi / field.conductor)
    return str(sympy.minimal_polynomial(number, a)).replace("**", "^").replace(" ", "")


def _text(m: ExactArray, i: int, j: int) -> str:
    """An entry as a polynomial in a: the basis element b_k is 2cos(2 pi k/M) = T_k(a), or the square root a itself."""
    a = sympy.Symbol("a")
    cyclotomic = m.field.conductor != 1
    powers = [sympy.Integer(1), a]
    while len(powers) < m.field.degree:
        k = len(powers)
        powers.append(sympy.expand(a * powers[-1] - (2 if k == 2 else powers[-2])) if cyclotomic else a**k)
    value = sum((int(n) * b for n, b in zip(m.numerators[i, j], powers, strict=False)), sympy.Integer(0))
    return _polynomial_text(value / m.denominator)


def _polynomial_text(value: sympy.Expr) -> str:
    """Terms such as (3/2)*a^2, which all three systems read alike."""
    terms = sympy.Poly(value, sympy.Symbol("a")).terms()
    if len(terms) == 1 and terms[0][0] == (0,):
        return str(terms[0][1])
    return "+".join(f"({c})*a^{k}" if k else f"({c})" for (k,), c in terms)


def program(system: str, question: Given, repeats: int) -> str:
    return {"Singular": _singular, "Macaulay2": _macaulay, "GAP": _gap}[system](question, repeats)


def run(system: str, text: str, repeats: int, limit: float = 60.0) -> dict[str, float | str]:
    """Seconds of the computation alone, and of the whole process."""
    if shutil.which(COMMANDS[system][0]) is None:
        return {"error": "not on the PATH"}
    start = time.perf_counter()
    try:
        done = subprocess.run(COMMANDS[system], input=text, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return {"error": f"stopped after {limit:.0f} s"}
    whole = time.perf_counter() - start
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("RESULT")]
    if not lines:
        return {"error": " ".join((done.stdout + done.stderr).split())[-200:] or "no answer"}
    return {"seconds": max(float(lines[-1][1]), 1e-5) / repeats, "dimension": int(lines[-1][2]), "whole": whole}


SINGULAR = """
system("--ticks-per-sec", 10000);
proc answer()
{{ int n, total;
   ring R = {field}, (x(1..{d}), v(1..{ci}), u(1..{co})), (dp, c); {minpoly}
   ideal X = x(1..{d}); ideal V = v(1..{ci}); ideal U = u(1..{co});
   {maps}
   for (n = 0; n <= {order}; n++)
   {{ ideal m = X^n*V*U; int N = ncols(m); degBound = n + 2;
      matrix M[{count}][N] = {rows};
      module K = syz(module(M)); degBound = 0;
      if (size(K) > 0) {{ total = total + ncols(K); }} kill m, N, M, K; }}
   return(total); }}
int r, d; int start = rtimer;
for (r = 1; r <= {repeats}; r++) {{ d = answer(); }}
print("RESULT " + string(rtimer - start) + "e-4 " + string(d));
quit;
"""
"""P is the sum of P_ij(x) u_i v_j, so that a group element acts by a map of rings and a Lie generator by a derivation;
the null space is the syzygies of degree 0."""


def _singular(q: Given, repeats: int) -> str:
    if q.permutations and q.sizes[0] * q.sizes[1] > 32:
        return _singular_permutations(q, repeats)
    sizes = {"x": q.dim, "v": q.sizes[0], "u": q.sizes[1]}

    def images(name: str, m: Matrix | None) -> list[str]:
        """Where each variable goes: x to g^-T x, basis vectors to the columns of rho."""
        one = [[("1" if i == j else "0") for j in range(sizes[name])] for i in range(sizes[name])]
        m = m or one
        forms = m if name == "x" else [list(column) for column in zip(*m, strict=True)]
        return ["+".join(f"({e})*{name}({j + 1})" for j, e in enumerate(f) if e != "0") or "0" for f in forms]

    maps, rows = [], []
    for k, (g, a, b) in enumerate(zip(q.group, q.source, q.target, strict=True)):
        field = q.minimal_polynomial
        moved = images("x", _inverse_transposed(g, field)) + images("v", None) + images("u", None)
        turned = images("x", None) + images("v", _inverse_transposed(a, field)) + images("u", b)
        maps += [f"map f{k} = R, {','.join(moved)}; map h{k} = R, {','.join(turned)};"]
        rows += [f"matrix(f{k}(m)) - matrix(h{k}(m))"]
    for g, a, b in zip(q.lie_group, q.lie_source, q.lie_target, strict=True):
        # (X^T x).grad P + d rho_out(X) P - P d rho_in(X) = 0
        transposed = [[g[j][i] for j in range(q.dim)] for i in range(q.dim)]
        dual = [[f"-({a[j][i]})" if a[j][i] != "0" else "0" for j in range(len(a))] for i in range(len(a))]
        parts = [("x", images("x", transposed)), ("v", images("v", dual)), ("u", images("u", b))]
        terms = [f"({e})*matrix(diff(m, {name}({i + 1})))" for name, v in parts for i, e in enumerate(v) if e != "0"]
        rows += [" + ".join(terms)]
    return SINGULAR.format(
        field="(0,a)" if q.minimal_polynomial else "0", d=q.dim, order=q.order, repeats=repeats, count=len(rows),
        minpoly=f"minpoly = {q.minimal_polynomial};" if q.minimal_polynomial else "", maps="\n   ".join(maps),
        rows=",\n         ".join(rows), ci=q.sizes[0], co=q.sizes[1],
    )  # fmt: skip


SINGULAR_PERMUTATIONS = """
system("--ticks-per-sec", 10000);
proc answer()
{{ int n, k, i, j, al, be, c, m, rows, total;
   ring R = {field}, (x(1..{d})), dp; {minpoly}
   list A = {source}; list B = {target}; vector w;
   {maps}
   for (n = 0; n <= {order}; n++)
   {{ ideal mon = maxideal(n); if (n == 0) {{ mon = ideal(1); }} m = ncols(mon); rows = {ci}*{co}*m;
      module C; C[rows] = [0];
      for (k = 1; k <= size(A); k++)
      {{ if (k == 1) {{ matrix S = lift(mon, f1(mon)); }} else {{ matrix S = lift(mon, f2(mon)); }}
         for (i = 1; i <= {co}; i++) {{ for (j = 1; j <= {ci}; j++) {{ for (al = 1; al <= m; al++)
         {{ c = ((i-1)*{ci} + j-1)*m;
            w = gen((k-1)*rows + ((B[k][i]-1)*{ci} + A[k][j]-1)*m + al);
            for (be = 1; be <= m; be++) {{ w = w - S[be,al]*gen((k-1)*rows + c + be); }}
            C[c+al] = C[c+al] + w; }} }} }} kill S; }}
      module K = syz(C); if (size(K) > 0) {{ total = total + ncols(K); }} kill K, C, mon; }}
   return(total); }}
int r, d; int start = rtimer;
for (r = 1; r <= {repeats}; r++) {{ d = answer(); }}
print("RESULT " + string(rtimer - start) + "e-4 " + string(d));
quit;
"""
"""Column (i, j, alpha) is what the constraint makes of E_ij x^alpha; syz is the null space over the constants."""


def _singular_permutations(q: Given, repeats: int) -> str:
    def places(matrices: list[Matrix]) -> str:
        """Where each basis vector goes."""
        return "list(" + ",".join(
            "intvec(" + ",".join(str([row[j] for row in m].index("1") + 1) for j in range(len(m))) + ")"
            for m in matrices
        ) + ")"  # fmt: skip

    maps = []
    for k, g in enumerate(_inverse_transposed(g, q.minimal_polynomial) for g in q.group):
        forms = ["+".join(f"({e})*x({j + 1})" for j, e in enumerate(row) if e != "0") for row in g]
        maps.append(f"map f{k + 1} = R, {','.join(forms)};")
    if len(maps) == 1:
        maps.append("map f2 = f1;")
    return SINGULAR_PERMUTATIONS.format(
        field="(0,a)" if q.minimal_polynomial else "0", d=q.dim, order=q.order, repeats=repeats,
        minpoly=f"minpoly = {q.minimal_polynomial};" if q.minimal_polynomial else "", maps=" ".join(maps),
        source=places(q.source), target=places(q.target), ci=q.sizes[0], co=q.sizes[1],
    )  # fmt: skip


def _inverse_transposed(m: Matrix, minimal_polynomial: str) -> Matrix:
    """By hand for orthogonal matrices; in general by SymPy over Q(a)."""
    a = sympy.Symbol("a")
    exact = sympy.Matrix([[sympy.sympify(e.replace("^", "**")) for e in row] for row in m])
    modulus = sympy.sympify(minimal_polynomial.replace("^", "**")) if minimal_polynomial else None

    def reduce(e: sympy.Expr) -> sympy.Expr:
        return sympy.expand(sympy.rem(sympy.expand(e), modulus, a) if modulus is not None else e)

    if (exact * exact.T).applyfunc(reduce) == sympy.eye(len(m)):
        return m
    return [[_polynomial_text(e) for e in row] for row in exact.inv().T.tolist()]


MACAULAY = """
K = {field};
R = K[x_1..x_{d}];
G = {group}; A = {source}; B = {target}; LG = {lie_group}; LA = {lie_source}; LB = {lie_target};
answer = () -> sum(0..{order}, n -> (
    mon := basis(n, R); m := numcols mon;
    S := g -> lift((coefficients(sub(mon, (vars R) * transpose(sub(g, R))), Monomials => mon))_1, K);
    D := X -> lift((coefficients(sum(flatten table({d}, {d}, (s, t) ->
        (sub(X_(t,s), R)) * x_(t+1) * diff(x_(s+1), mon))), Monomials => mon))_1, K);
    one := k -> id_(K^k);
    blocks := apply(#G, k -> B#k ** A#k ** one m - one {size} ** S(G#k))
        | apply(#LG, k -> LB#k ** one {ci} ** one m - one {co} ** transpose(LA#k) ** one m
            + one {size} ** D(LG#k));
    numcols gens kernel fold((a, b) -> a || b, blocks)));
t = elapsedTiming for r from 1 to {repeats} do total = answer();
print("RESULT " | toString(t#0) | " " | toString total);
exit 0
"""


def _macaulay(q: Given, repeats: int) -> str:
    def lists(matrices: list[Matrix]) -> str:
        rows = ["{" + ",".join("{" + ",".join(row) + "}" for row in m) + "}" for m in matrices]
        return "{" + ",".join(f"map(K^{len(m)}, K^{len(m)}, {r})" for m, r in zip(matrices, rows, strict=True)) + "}"

    field = f"toField(QQ[a]/({q.minimal_polynomial}))" if q.minimal_polynomial else "QQ"
    contra = [_inverse_transposed(m, q.minimal_polynomial) for m in q.source]
    group = [_inverse_transposed(m, q.minimal_polynomial) for m in q.group]
    return MACAULAY.format(
        field=field, d=q.dim, order=q.order, repeats=repeats, size=q.sizes[0] * q.sizes[1], ci=q.sizes[0],
        co=q.sizes[1], group=lists(group), source=lists(contra), target=lists(q.target), lie_group=lists(q.lie_group),
        lie_source=lists(q.lie_source), lie_target=lists(q.lie_target),
    )  # fmt: skip


GAP = """
x := Indeterminate(Rationals, "x");;
{field}
d := {d};;
G := {group};; A := {source};; B := {target};; LG := {lie_group};; LA := {lie_source};; LB := {lie_target};;
one := k -> IdentityMat(k);;
exponents := n -> Filtered(Tuples([0..n], d), e -> Sum(e) = n);;
times := function(p, q) local r, s, t, k;
  r := rec(); for s in RecNames(p) do for t in RecNames(q) do
    k := String(EvalString(s) + EvalString(t));
    if not IsBound(r.(k)) then r.(k) := 0; fi; r.(k) := r.(k) + p.(s)*q.(t); od; od; return r; end;;
unit := k -> List([1..d], function(i) if i = k then return 1; fi; return 0; end);;
S := function(g, E) local forms, one, e, i, k, p, out;
  forms := List([1..d], function(i) local f, j; f := rec();
    for j in [1..d] do if g[i][j] <> 0 then f.(String(unit(j))) := g[i][j]; fi; od; return f; end);
  out := NullMat(Length(E), Length(E));
  for k in [1..Length(E)] do p := rec(); p.(String(0*unit(1))) := 1;
    for i in [1..d] do for e in [1..E[k][i]] do p := times(p, forms[i]); od; od;
    for e in RecNames(p) do out[Position(E, EvalString(e))][k] := p.(e); od; od; return out; end;;
D := function(X, E) local k, s, t, e, out; out := NullMat(Length(E), Length(E));
  for k in [1..Length(E)] do for s in [1..d] do for t in [1..d] do
    if E[k][s] > 0 and X[t][s] <> 0 then e := E[k] - unit(s) + unit(t);
      out[Position(E, e)][k] := out[Position(E, e)][k] + E[k][s]*X[t][s]; fi; od; od; od; return out; end;;
answer := function() local n, dim, E, m, blocks; dim := 0;
  for n in [0..{order}] do E := exponents(n); m := Length(E);
    blocks := Concatenation(
      List([1..Length(G)], k -> KroneckerProduct(KroneckerProduct(B[k], A[k]), one(m))
        - KroneckerProduct(one({size}), S(G[k], E))),
      List([1..Length(LG)], k -> KroneckerProduct(LB[k], one({ci}*m))
        - KroneckerProduct(KroneckerProduct(one({co}), TransposedMat(LA[k])), one(m))
        + KroneckerProduct(one({size}), D(LG[k], E))));
    dim := dim + Length(NullspaceMat(TransposedMat(Concatenation(blocks)))); od; return dim; end;;
t := NanosecondsSinceEpoch();; for r in [1..{repeats}] do dim := answer();; od;;
Print("\\nRESULT ", QuoInt(NanosecondsSinceEpoch() - t, 1000), "e-6 ", dim, "\\n");
QUIT;
"""


def _gap(q: Given, repeats: int) -> str:
    def lists(matrices: list[Matrix]) -> str:
        return "[" + ",".join("[" + ",".join("[" + ",".join(row) + "]" for row in m) + "]" for m in matrices) + "]"

    contra = [_inverse_transposed(m, q.minimal_polynomial) for m in q.source]
    group = [_inverse_transposed(m, q.minimal_polynomial) for m in q.group]
    return GAP.format(
        field=f"a := {_gap_number(q.minimal_polynomial)};;" if q.minimal_polynomial else "", d=q.dim, order=q.order,
        repeats=repeats, size=q.sizes[0] * q.sizes[1], ci=q.sizes[0], co=q.sizes[1], group=lists(group),
        source=lists(contra), target=lists(q.target), lie_group=lists(q.lie_group), lie_source=lists(q.lie_source),
        lie_target=lists(q.lie_target),
    )  # fmt: skip


def _gap_number(minimal_polynomial: str) -> str:
    """GAP has the cyclotomic numbers built in: 2cos(2 pi/M) = E(M) + E(M)^-1, or a square root."""
    a = sympy.Symbol("a")
    wanted = sympy.Poly(sympy.sympify(minimal_polynomial.replace("^", "**")), a)
    for m in range(5, 129):
        if sympy.totient(m) == 2 * wanted.degree() and wanted == sympy.Poly(
            sympy.minimal_polynomial(2 * sympy.cos(2 * sympy.pi / m), a), a
        ):
            return f"E({m}) + E({m})^-1"
    return f"Sqrt({-wanted.eval(0)})"
