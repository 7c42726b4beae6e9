"""What a notebook shows of an object: tables with MathML and small pictures, which every browser draws without scripts.

`parts` has tables and matrices, `groups` shows groups, fields and proofs, `bases` bases, elements and operators,
`families` modules, kernels and terms, `weights` stencils.

What comes in: finished objects of any room below, which import this one when a notebook asks for their ``_repr_html_``.
What goes out: HTML of a bounded size that takes the colours of the page around it.
"""
