"""The site that `make docs` builds of the Markdown: every link leads somewhere, and words are found."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parents[1]


class Page(HTMLParser):
    """What a page links to and shows, and the places in it to which others can link."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.places, self.leads = path, set[str](), list[str]()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for key, value in attributes:
            if key == "id" and value:
                self.places.add(value)
            elif key in ("href", "src") and value:
                self.leads.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Page]:
    """The pages by path."""
    made = tmp_path_factory.mktemp("site")
    build = ["-m", "sphinx", "-W", "-q", "-c", "docs", "-d", str(made / "doctrees"), ".", str(made / "site")]
    done = subprocess.run([sys.executable, *build], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return {path: Page(path) for path in (made / "site").rglob("*.html")}


def test_every_page_of_the_repository_is_in_it(site: dict[Path, Page]) -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    (top,) = (path.parent for path in site if path.name == "index.html")
    assert [page for page in pages if top / page.relative_to(ROOT).with_suffix(".html") not in site] == []


def test_every_link_within_it_leads_somewhere(site: dict[Path, Page]) -> None:
    lost = []
    for page in site.values():
        for lead in page.leads:
            url = urlsplit(lead)
            target = (page.path.parent / unquote(url.path)).resolve() if url.path else page.path
            if url.scheme or lead == "#":
                continue
            if not target.exists() or (url.fragment and target in site and url.fragment not in site[target].places):
                lost.append((page.path.name, lead))
    assert lost == []


def test_a_field_is_found(site: dict[Path, Page]) -> None:
    (top,) = (path.parent for path in site if path.name == "index.html")
    index = json.loads(re.sub(r"^Search\.setIndex\(|\)$", "", (top / "searchindex.js").read_text("utf-8")))
    assert "docs/scenes" in [index["docnames"][number] for number in index["terms"]["cohesion_strength"]]


def test_the_names_of_sandbox_are_described_from_their_docstrings(site: dict[Path, Page]) -> None:
    (python,) = (page for path, page in site.items() if path.name == "python.html")
    assert {"sandbox.load", "sandbox.Sandbox.spawn", "sandbox.Record.to_pandas"} <= python.places
