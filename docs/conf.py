"""The site, made by `make docs` of the same Markdown that the repository shows; its front page is the readme."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import sandbox

ROOT = Path(__file__).parents[1]

project = "boids-sandbox"
author = "The boids-sandbox authors"
copyright = f"2026 {author}"
release = sandbox.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "README"
include_patterns = ["*.md", "docs/**.md"]
myst_heading_anchors = 4  # as on the host of a repository: links to headings work in both
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings give shapes and dtypes
default_role = "code"  # docstrings are Markdown

html_theme = "furo"
html_title = "boids-sandbox"
html_copy_source = False
html_static_path, html_css_files, html_js_files = ["static"], ["site.css"], ["site.js"]
html_extra_path = ["../build/played"]  # scenes that play, made by `make docs`

CLICK = "Click a picture, and its scene plays; of the three largest scenes with a part of their animals."
FUNCTIONS, CLASSES = ("new", "load", "loads", "study"), ("Sandbox", "Record", "SandboxWarning")


def setup(app: Sphinx) -> None:
    app.add_lexer("mermaid", TextLexer)  # hosts of repositories draw it; here it is text
    app.connect("source-read", _complete)
    app.connect("doctree-read", _lead_to_what_plays)
    app.connect("build-finished", _begin_with_the_readme)


def _complete(app: Sphinx, page: str, source: list[str]) -> None:
    """Add to a page what only the site has: to the readme the contents, in the order of its links."""
    if page == root_doc:
        linked = dict.fromkeys(re.findall(r"\]\(([\w/-]+)\.md", source[0].partition("## Read on")[2]))
        source[0] += "\n".join(["\n```{toctree}", ":hidden:", "", *linked, "```"])
    elif page == "docs/gallery":
        source[0] = source[0].replace("\n## ", f"\n{CLICK}\n\n## ", 1)
    elif page == "docs/python":
        names = [f".. autofunction:: sandbox.{name}" for name in FUNCTIONS]
        names += [f".. autoclass:: sandbox.{name}\n   :members:" for name in CLASSES]
        source[0] += "\n".join(["\n## From docstrings\n", "```{eval-rst}", *names, "```"])


def _lead_to_what_plays(app: Sphinx, document: nodes.document) -> None:
    """Let each picture of the gallery lead to a page in which its scene plays, if that has been made."""
    if app.env.docname != "docs/gallery":
        return
    folder = Path(app.confdir, app.config.html_extra_path[0])
    for image in list(document.findall(nodes.image)):
        page = f"play/{Path(image['uri']).stem}.html"
        if (folder / page).exists():
            link = nodes.reference("", "", refuri=f"../{page}", classes=["plays"])
            image.replace_self(link)
            link += image


def _begin_with_the_readme(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        shutil.copyfile(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")
