"""The site that `make docs` builds of the Markdown: every link leads somewhere, words are found, scenes play in it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from sandbox.scenes.bundled import bundled_scenes
from tests.browser import CHROMIUM, Browser
from tests.command_line import ROOT, boids

PLAYER = "document.querySelector('iframe.playing')?.contentDocument.getElementById('boids')"
INKS = {"light": "rgb(34, 37, 43)", "dark": "rgb(230, 228, 222)"}


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


def built(made: Path) -> Path:
    """Build the site in a folder; in `made / "played"` are the scenes that play in it."""
    options = ["-W", "-q", "-c", "docs", "-D", f"html_extra_path={made / 'played'}", "-d", str(made / "doctrees")]
    build = [sys.executable, "-m", "sphinx", *options, ".", str(made / "site")]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return made / "site"


def share(scene: str, made: Path) -> None:
    """Let a scene play for a second in the site."""
    page = made / "played" / "play" / f"{scene}.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    assert boids("share", scene, "--to", "1s", "--out", page).returncode == 0


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, in which one scene plays."""
    made = tmp_path_factory.mktemp("site")
    share("ronan", made)
    return built(made)


@pytest.fixture(scope="module")
def site(top: Path) -> dict[Path, Page]:
    """The pages by path."""
    return {path: Page(path) for path in top.rglob("*.html")}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile"), "--allow-file-access-from-files") as browser:
        yield browser


def test_every_page_of_the_repository_is_in_it(top: Path, site: dict[Path, Page]) -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
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


def test_a_field_is_in_the_index_of_words(top: Path) -> None:
    index = json.loads(re.sub(r"^Search\.setIndex\(|\)$", "", (top / "searchindex.js").read_text("utf-8")))
    assert "docs/scenes" in [index["docnames"][number] for number in index["terms"]["cohesion_strength"]]


def test_the_names_of_sandbox_are_described_from_their_docstrings(site: dict[Path, Page]) -> None:
    (python,) = (page for path, page in site.items() if path.name == "python.html")
    assert {"sandbox.load", "sandbox.Sandbox.spawn", "sandbox.Record.to_pandas"} <= python.places


needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")


@needs_browser
def test_a_search_finds_a_field(browser: Browser, top: Path) -> None:
    browser.open(top / "search.html", "light")
    browser.value("location.search = '?q=cohesion_strength'")
    browser.wait("document.querySelector('#search-results a[href*=\"docs/scenes.html\"]') !== null")


def play(browser: Browser, scene: str) -> None:
    """Click on the picture of a scene, and wait until it plays."""
    browser.value(f"document.querySelector('a.plays[href$=\"/{scene}.html\"]').click()")
    browser.wait(
        f"document.querySelector('iframe.playing')?.src.includes('/{scene}.html') && {PLAYER}?.viewer?.time > 3"
    )


@needs_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_scene_plays_in_place_of_its_picture(browser: Browser, top: Path, theme: str) -> None:
    browser.told.clear()
    browser.open(top / "docs" / "gallery.html", theme)
    play(browser, "ronan")
    assert browser.value(f"{PLAYER}.dataset.animals") == "100"
    assert browser.value("document.querySelectorAll('a.plays').length") == 0  # it took the picture's place
    page = f"{PLAYER}.ownerDocument.documentElement"
    assert browser.value(f"{page}.scrollHeight === {page}.clientHeight")  # nothing is cut off
    assert browser.value(f"getComputedStyle({PLAYER}).color") == INKS[theme]
    assert [text for text in browser.told if '"warning"' not in text] == []


@needs_browser
@pytest.mark.verify
def test_every_scene_of_the_gallery_plays(browser: Browser, tmp_path: Path) -> None:
    for path in bundled_scenes():
        share(path.stem, tmp_path)
    browser.told.clear()
    browser.open(built(tmp_path) / "docs" / "gallery.html", "light")
    for path in bundled_scenes():
        play(browser, path.stem)
        assert int(browser.value(f"{PLAYER}.dataset.animals")) > 50
    assert [text for text in browser.told if '"warning"' not in text] == []
