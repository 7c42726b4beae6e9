"""The site, from these pages and from the docstrings: ``python -m sphinx -W docs docs/_build`` needs no network."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import pdobasis  # noqa: E402

project = "pdobasis"
author = copyright = "The pdobasis developers"
version = release = pdobasis.__version__
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "formulas",
    "docstrings",
    "commands",
    "outside",
    "everything",
]
root_doc = "index"
# README.md lists the same pages for readers of the repository
exclude_patterns = ["README.md", "_build", "_ext", "jupyter_execute", "**.ipynb_checkpoints"]
suppress_warnings = ["config.cache"]

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 4
# notebooks are saved with their outputs, and run by the tests
nb_execution_mode = "off"
nb_merge_streams = True

# --order stays --order
smartquotes = False
default_role = "py:obj"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_default_options = {"show-inheritance": False}
add_module_names = False
python_maximum_signature_line_length = 60
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = "pdobasis"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["atlas.html"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_math_renderer = "mathml"
html_theme_options = {
    # no request to anywhere when a page is read
    "footer_icons": [],
    "light_css_variables": {"color-brand-primary": "#1f5f9e", "color-brand-content": "#1f5f9e"},
    "dark_css_variables": {"color-brand-primary": "#7db4ea", "color-brand-content": "#7db4ea"},
}
