"""README and the pages for readers of the code are true: their Python runs, their systems are the real ones."""

from __future__ import annotations

import re
import runpy
import sys
import types
from pathlib import Path

import pytest

import sandbox
from sandbox.meanings import MEASURES
from sandbox.parts import BUILT_IN
from systems.engine.app import installed
from systems.engine.run_order import resolve
from systems.engine.system import System

ROOT = Path(__file__).parents[1]


def python_blocks(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/architecture.md", "docs/time.md"])
def test_the_python_of_a_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    monkeypatch.chdir(tmp_path)
    module = types.ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", module)
    blocks = python_blocks(page)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), module.__dict__)
    own = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == "page"]
    resolve([*installed(BUILT_IN).systems, *(kind for kind in own if issubclass(kind, System))])
    if page == "README.md":
        assert len(capsys.readouterr().out.strip()) == 64
        assert (tmp_path / "dusk.boids").exists()


def test_the_table_of_systems_is_the_resolved_order() -> None:
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| ([A-Z]+) \|[^|]*\|([^|]*)\|$", page, re.MULTILINE)
    told = [(phase, name) for phase, names in rows for name in re.findall(r"`(\w+)`", names)]
    assert told == [(system.phase.name, system.name) for system in resolve(installed(BUILT_IN).systems)]


def test_the_architecture_names_every_file_of_components_and_systems_before_anything_else() -> None:
    """A system's file may be named by the system alone."""
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    first = page[: page.index("\n## A click")]
    named = set(re.findall(r"`(?:\w+/)*(\w+(?:\.py)?)`", first))
    files = [path for layer in ("components", "systems") for path in (ROOT / layer).rglob("[!_]*.py")]
    assert [path for path in files if not named & {path.name, path.stem}] == []
    assert {name for name in named if name.endswith(".py")} - {path.name for path in files} == set()


def test_a_click_takes_at_most_ten_files_which_have_what_the_page_names() -> None:
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| \d+ \| `([\w/]+\.py)` \|(.*)\|$", page[page.index("\n## A click") :], re.MULTILINE)
    assert 5 < len(rows) <= 10
    for file, told in rows:
        have = set(re.findall(r"\w+", (ROOT / file).read_text("utf-8")))
        assert set(re.findall(r"`(\w+)`", told)) - have == set(), file


PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target, _, anchor in re.findall(r"\]\(([^)#:]*)(#([^)]*))?\)", (ROOT / page).read_text("utf-8")):
        place = (ROOT / page).parent / target if target else ROOT / page
        assert place.exists(), f"{page} links to {target}"
        assert not anchor or anchor in anchors(place), f"{page} links to {target}#{anchor}"


@pytest.mark.parametrize("mod", sorted(path.parent.name for path in ROOT.glob("mods/*/mod.toml")))
def test_the_page_of_models_names_all_that_a_bundled_mod_declares(mod: str) -> None:
    (line,) = re.findall(rf"^\| `{mod}` \|.*$", (ROOT / "docs/models.md").read_text("utf-8"), re.MULTILINE)
    scene = min((ROOT / "mods" / mod / "scenes").glob("*.toml"))
    with sandbox.new() as plain, sandbox.load(scene, mods=[ROOT / "mods" / mod]) as sim:
        sim.step()
        own = sim.mods.parts[mod]
        known = [*plain.world.table.components.values()]
        holders = [*own.systems, *own.resources, *(each for each in own.components if each not in known)]
        fields = [*(each.parameters if hasattr(each, "parameters") else each.fields for each in holders)]
        owners = [each.name if hasattr(each, "parameters") else each.__name__ for each in holders]
        names = {f"{owner}.{name}" for owner, some in zip(owners, fields, strict=True) for name in some}
        names |= {name for name in sim.measures() if name not in MEASURES and "." not in name}
    assert {name for name in names if f"`{name}`" not in line} == set()


def test_the_gallery_shows_every_bundled_scene() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "gallery.py"))
    assert tool["page"]() == (ROOT / "docs" / "gallery.md").read_text("utf-8"), "run python tools/gallery.py"
