"""The site, made by `make docs` of the same Markdown that the repository shows; its front page is the readme."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

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

FUNCTIONS, CLASSES = ("new", "load", "loads", "study"), ("Sandbox", "Record", "SandboxWarning")


def setup(app: Sphinx) -> None:
    app.connect("source-read", _complete)
    app.connect("build-finished", _begin_with_the_readme)


def _complete(app: Sphinx, page: str, source: list[str]) -> None:
    """Add to a page what only the site can show: to the readme the contents, in the order of its links."""
    if page == root_doc:
        linked = dict.fromkeys(re.findall(r"\]\(([\w/-]+)\.md", source[0].partition("## Read on")[2]))
        source[0] += "\n".join(["\n```{toctree}", ":hidden:", "", *linked, "```"])
    elif page == "docs/python":
        names = [f".. autofunction:: sandbox.{name}" for name in FUNCTIONS]
        names += [f".. autoclass:: sandbox.{name}\n   :members:" for name in CLASSES]
        source[0] += "\n".join(["\n## From docstrings\n", "```{eval-rst}", *names, "```"])


def _begin_with_the_readme(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        shutil.copyfile(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")
