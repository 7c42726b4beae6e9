r"""The reference engine: the paper in SymPy, written to be read beside it.

It answers the same questions as the fast engine, slowly, and shares no mathematics with it. In the order of the paper:

* :mod:`.question`: a group, $\rho_{in}$ and $\rho_{out}$ as SymPy matrices over the smallest field that holds them;
* :mod:`.constraint`: $P(g^{-T}x)\,\rho_{in}(g) - \rho_{out}(g)\,P(x) = 0$ and its derivative, as a linear system;
* :mod:`.null_space`: its solutions of one order, in reduced echelon form;
* :mod:`.transfer`: angular solutions times powers of $|x|^2$, for $G \le O(d)$;
* :mod:`.functors`, :mod:`.harmonics`: representations as formulas in a matrix over any ring;
* :mod:`.group_elements`, :mod:`.one_parameter`, :mod:`.cyclic`: group elements with symbols in them;
* :mod:`.verify`: the constraint by substitution of such elements;
* :mod:`.transcript`: all of it written down, step by step (:mod:`.writing`, :mod:`.document`).

All but the last know nothing of the rest of the library. Its values come in and go out at :mod:`.border`,
:mod:`.numbers` and :mod:`.terms`; :mod:`.judge` asks all of the above about a basis that somebody else found, and
:mod:`.estimate` refuses what would take too long.

:mod:`.check_pdobasis` stands by itself: a checker of files without SymPy, to be copied and read.
"""
