"""Links to files of the repository that are no pages: in the repository they lead there, on the site they are words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_post_transform(Outside)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Outside(SphinxPostTransform):
    """What is neither outside and there nor a page stays as it is: a broken link, which fails the build."""

    default_priority = 5  # before those who warn of what they cannot find

    def run(self, **options: Any) -> None:
        pages = Path(self.env.srcdir)
        for node in list(self.document.findall(pending_xref)):
            if node.get("reftype") != "myst" and node.get("refdomain") != "doc":
                continue
            target = str(node["reftarget"]).partition("#")[0]
            page = Path(self.env.doc2path(node["refdoc"]))
            # MyST cuts the ending of what it takes for a page
            for name in (target, f"{target}.md"):
                path = (page.parent / name).resolve()
                if target and path.exists() and not path.is_relative_to(pages):
                    words = [child.deepcopy() for child in node.children]
                    node.replace_self(nodes.inline("", "", *words, classes=["outside"]))
                    break
