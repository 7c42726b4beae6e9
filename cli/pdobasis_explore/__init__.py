"""The explorer: a page in the browser, for this machine alone, to ask questions and look at answers.

    Asked (texts, bounded) ──► Answer (basis, series) ──► sections of HTML ──► page
                                   └──► Stencils ──► stencil pictures, polar plot, turned image, files

`question` and `own_group` read what was typed, `answer` computes within a budget, `symmetry_picture`, `polar`,
`turning` and `sections` draw as SVG, PNG and MathML on the server, `exports` writes files and code; all of them are
plain functions without a browser. `page` arranges them with NiceGUI, `guard` keeps strangers out, `serve` starts it.

What comes in: texts that anybody may have typed; none is executed, none names a file. This room may call the tables
and the library, and is called by the command line alone.
"""
