"""A shared page in a real browser: opened from a folder, it plays what the window would show, and asks for nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from sandbox.app.drawing.any_camera import camera_for
from sandbox.app.drawing.places import places
from sandbox.extras.film.cameras import read_view
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from sandbox.mods.load.loaded_mods import NO_MODS
from sandbox.opening import opened_to_run
from sandbox.past.timeline import Timeline
from sandbox.render.animals import animals
from tests.browser import CHROMIUM, Browser
from tests.bundled import MODS
from tests.command_line import boids

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")

POND = """
format = 1
name = "Pond <script>alert(1)</script>"
seed = 4
description = "</script><b>loud</b>"

[world]
size = [400, 240]
edges = "{edges}"
backdrop = "lagoon"

[labels."</script><i>a & b"]
x = 200
y = 40

[prefabs.minnow]
extends = "fish"
Energy = {{ level = 90, capacity = 120, rest_burn = 20, hunger = 60 }}
Life = {{ birth_level = 80, max_age = 3 }}
Look = {{ shape = "fish", colour = "#ffd070", size = 6 }}

[[spawn]]
prefab = "minnow"
count = 60
[[spawn]]
prefab = "predator"
count = 1
[[spawn]]
prefab = "obstacle"
at = [120, 120]
[[spawn]]
prefab = "wall"
points = [[260, 60], [300, 180]]
[[spawn]]
prefab = "wind"
at = [320, 60]
[[spawn]]
prefab = "food"
count = 6
"""
FLAT, BOXED, DEEP = POND.format(edges="wrap"), POND.format(edges="turn"), POND.format(edges="bounce")
DEEP = DEEP.replace("[400, 240]", "[400, 240, 300]")
VIEWER = "document.getElementById('boids').viewer"
DRAWN = f"{VIEWER} && document.getElementById('boids').dataset.animals"
SEEN = f"""(() => {{
  const {{shown, camera, film}} = {VIEWER};
  return [...Array(shown.count).keys()].map((n) =>
    [film.serial[shown.ids[n]], ...camera.project(shown.place.map((along) => along[n]))]);
}})()"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages of a torus, of a world with edges, and of one with depth."""
    folder, found = tmp_path_factory.mktemp("pages"), {}
    for name, text in (("torus", FLAT), ("edges", BOXED), ("deep", DEEP)):
        (folder / f"{name}.toml").write_text(text)
        found[name] = folder / f"{name}.html"
        ran = boids("share", folder / f"{name}.toml", "--to", "2s", "--out", found[name])
        assert ran.returncode == 0, ran.stderr
    return found


def opened(browser: Browser, page: Path, theme: str = "dark", width: int = 400, height: int = 600) -> None:
    """Open a page, wait until it is drawn, and stop it."""
    browser.told.clear()
    browser.asked.clear()
    browser.open(page, theme, width, height)
    browser.wait(DRAWN)
    browser.value(f"{VIEWER}.play(false)")


def shown_at(browser: Browser, tick: float) -> dict[int, tuple[float, float]]:
    """Let the page show a time; where it draws whom, in pixels."""
    browser.value(f"{VIEWER}.seek({tick})")
    browser.wait(f"!{VIEWER}.asked && {VIEWER}.time === {tick}")
    return {serial: (x, y) for serial, x, y in browser.value(SEEN)}


def drawn_at(timeline: Timeline, tick: int, alpha: float, size: tuple[int, int]) -> dict[int, tuple[float, float]]:
    """Where the window draws whom at a share of the way to a tick, in pixels."""
    timeline.seek(tick)
    world = timeline.simulation.world
    rows = animals(world.table)
    pixels = camera_for(world, size).project(places(world, rows, alpha))
    return dict(zip(world.table.serial[rows].tolist(), map(tuple, pixels.tolist()), strict=True))


@pytest.mark.parametrize("name", ["torus", "edges", "deep"])
def test_in_five_frames_everybody_is_within_two_pixels_of_where_the_window_draws_them(
    browser: Browser, pages: dict[str, Path], name: str
) -> None:
    opened(browser, pages[name])
    size = tuple(browser.value(f"{VIEWER}.camera.screen"))
    counts = set()
    with closing(opened_to_run(pages[name].with_suffix(".toml"), NO_MODS)) as timeline:
        while timeline.tick < 120:
            timeline.step()
        for tick, alpha in ((1, 1.0), (31, 1.0), (60, 0.5), (88, 0.25), (120, 1.0)):
            there, here = drawn_at(timeline, tick, alpha, size), shown_at(browser, tick - 1 + alpha)
            assert here.keys() == there.keys()
            off = np.array([np.subtract(here[serial], there[serial]) for serial in here])
            if name == "torus":  # one that crosses an edge may be drawn on either side of it
                off -= np.round(off / size) * size
            assert np.abs(off).max() < 2
            counts.add(len(here))
    assert len(counts) > 1  # some were born, or died


@pytest.mark.verify
@pytest.mark.parametrize("mod", ["", "stardisplay"], ids=["reef", "starlings"])
def test_a_page_of_ten_seconds_is_small_and_shows_everybody_where_a_film_does(
    browser: Browser, tmp_path: Path, mod: str
) -> None:
    mods = [MODS / mod] if mod else []
    scene = str(MODS / mod / "scenes" / "starlings.toml") if mod else "reef"
    named = [word for folder in mods for word in ("--mod", folder)]
    page, library = tmp_path / "page.html", Library(Trust(tmp_path / "mods.toml"), mods)
    ran = boids("share", scene, "--to", "10s", *named, "--out", page)
    assert ran.returncode == 0, ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    assert page.stat().st_size <= 2_500_000
    opened(browser, page, width=960, height=1000)
    size, film = tuple(browser.value(f"{VIEWER}.camera.screen")), read_view("fit")
    frames = {1: 1.0, 151: 0.5, 302: 1.0, 453: 0.25, 600: 1.0}
    with closing(opened_to_run(scene, library)) as timeline:
        for tick in range(1, 601):
            timeline.step()
            if tick in frames:
                world, alpha = timeline.simulation.world, frames[tick]
                rows = animals(world.table)
                here, serials = shown_at(browser, tick - 1 + alpha), world.table.serial[rows].tolist()
                there = film.camera(timeline, size, alpha).project(places(world, rows, alpha))
                assert here.keys() == set(serials)
                assert np.abs([here[serial] for serial in serials] - there).max() < 2


def test_it_asks_for_nothing_and_its_console_is_silent(browser: Browser, pages: dict[str, Path]) -> None:
    for page in pages.values():
        opened(browser, page)
        shown_at(browser, 50)
        assert [text for text in browser.told if '"warning"' not in text] == []
        assert {address.partition(":")[0] for address in browser.asked} <= {"file", "data"}
        assert sum(address.startswith("file:") for address in browser.asked) == 1


def test_the_texts_of_a_scene_are_texts(browser: Browser, pages: dict[str, Path]) -> None:
    opened(browser, pages["torus"])
    assert browser.value("document.querySelector('h1').textContent") == "Pond <script>alert(1)</script>"
    assert browser.value("document.querySelector('figcaption').textContent") == "</script><b>loud</b>"
    assert browser.value("document.querySelectorAll('b, main i:not([style]), iframe').length") == 0
    content = pages["torus"].read_text()
    assert content.count("<script") == content.count("</script>") == 3


def press(browser: Browser, key: str) -> None:
    words = {"key": key, "text": key} if len(key) == 1 else {"key": key}
    browser.do("Input.dispatchKeyEvent", type="keyDown", **words)
    browser.do("Input.dispatchKeyEvent", type="keyUp", key=key)


def mouse(browser: Browser, kind: str, x: float, y: float, **more: Any) -> None:
    browser.do("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, **more)


def test_it_plays_and_stops_and_is_scrubbed(browser: Browser, pages: dict[str, Path]) -> None:
    opened(browser, pages["edges"])
    shown_at(browser, 10)
    press(browser, " ")
    browser.wait(f"{VIEWER}.time > 12")
    press(browser, " ")
    assert browser.value(f"{VIEWER}.playing") is False
    press(browser, "Home")
    assert browser.value(f"{VIEWER}.time") == 0
    press(browser, ".")
    assert browser.value(f"{VIEWER}.time") == 1
    left, top, width, height = browser.value(
        "(({x, y, width, height}) => [x, y, width, height])(document.querySelector('input').getBoundingClientRect())"
    )
    mouse(browser, "Pressed", left + 4, top + height / 2, button="left", clickCount=1, buttons=1)
    mouse(browser, "Moved", left + width / 2, top + height / 2, button="left", buttons=1)
    mouse(browser, "Released", left + width / 2, top + height / 2, button="left", clickCount=1)
    assert browser.value(f"{VIEWER}.time") == pytest.approx(60, abs=8)


@pytest.mark.parametrize("name", ["edges", "deep"])
def test_the_wheel_zooms_and_a_drag_moves_the_view(browser: Browser, pages: dict[str, Path], name: str) -> None:
    opened(browser, pages[name])
    x, y = browser.value("(({x, y}) => [x, y])(document.querySelector('canvas').getBoundingClientRect())")
    before = browser.value(f"{VIEWER}.camera.zoom")
    assert browser.value(f"{VIEWER}.camera.fitted")
    mouse(browser, "Wheel", x + 100, y + 80, deltaX=0, deltaY=-400)
    browser.wait(f"{VIEWER}.camera.zoom > {1.3 * before}")
    looked = browser.value(f"[{VIEWER}.camera.x, {VIEWER}.camera.yaw]")
    mouse(browser, "Pressed", x + 200, y + 100, button="left", clickCount=1, buttons=1)
    mouse(browser, "Moved", x + 140, y + 100, button="left", buttons=1)
    mouse(browser, "Released", x + 140, y + 100, button="left", clickCount=1)
    assert browser.value(f"[{VIEWER}.camera.x, {VIEWER}.camera.yaw]") != looked
    press(browser, "0")
    assert browser.value(f"{VIEWER}.camera.fitted")


def test_the_mouse_over_an_animal_tells_its_kind_and_speed(browser: Browser, pages: dict[str, Path]) -> None:
    opened(browser, pages["edges"])
    shown = shown_at(browser, 30)
    left, top, high = browser.value(
        "(({x, y, height}) => [x, y, height])(document.querySelector('canvas').getBoundingClientRect())"
    )
    x, y = next(place for place in shown.values() if 0 < place[0] < 340 and 0 < place[1] < high)
    mouse(browser, "Moved", left + x, top + high - y)
    browser.wait("!document.querySelector('.tip').hidden")
    assert browser.value("document.querySelector('.tip').textContent").split(" ")[-1] == "u/s"


@pytest.mark.parametrize("name", ["edges", "deep"])
def test_in_a_frame_of_another_page_there_is_only_what_plays(
    browser: Browser, pages: dict[str, Path], tmp_path: Path, name: str
) -> None:
    host = tmp_path / "host.html"
    host.write_text(f'<body style="margin: 0"><iframe src="{pages[name].as_uri()}" width=600 height=500>')
    browser.told.clear()
    browser.open(host, "light", 640, 520)
    time.sleep(1)
    before = colours(browser.screenshot(tmp_path / "framed.png"))
    assert before[10:200, 10:590].reshape(-1, 3).std(axis=0).max() > 5  # no heading: the world is at the top
    end = time.monotonic() + 30
    while np.array_equal(before, colours(browser.screenshot(tmp_path / "framed.png"))):
        assert time.monotonic() < end, "it does not play"
    assert [text for text in browser.told if '"warning"' not in text] == []


def colours(png: bytes) -> np.ndarray:
    with Image.open(BytesIO(png)) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def test_the_page_is_light_or_dark_as_its_reader_likes_it_and_can_be_turned(
    browser: Browser, pages: dict[str, Path], tmp_path: Path
) -> None:
    margins = {}
    for theme in ("light", "dark"):
        opened(browser, pages["edges"], theme)
        margins[theme] = colours(browser.screenshot(tmp_path / "page.png"))[2, 2].mean()
    assert margins["dark"] < 60 < 200 < margins["light"]
    press(browser, "t")
    assert colours(browser.screenshot(tmp_path / "page.png"))[2, 2].mean() > 200


def test_animals_are_drawn_where_they_are(browser: Browser, pages: dict[str, Path], tmp_path: Path) -> None:
    """Pixels differ from those at another time where animals are, in their colours."""
    opened(browser, pages["edges"])
    shown = shown_at(browser, 30)
    left, top, high = browser.value(
        "(({x, y, height}) => [x, y, height])(document.querySelector('canvas').getBoundingClientRect())"
    )
    time.sleep(0.1)
    seen = colours(browser.screenshot(tmp_path / "page.png"))
    lit = 0
    for x, y in shown.values():
        column, row = round(left + x), round(top + high - y)
        around = seen[max(row - 3, 0) : row + 4, max(column - 3, 0) : column + 4].reshape(-1, 3)
        lit += bool(len(around) and (around[:, 0] > around[:, 2] + 30).any())  # yellow, on blue water
    assert lit > 0.8 * len(shown)


@pytest.mark.parametrize("depth", ["", ", 300"])
def test_a_page_of_nobody_plays_and_a_measure_of_nobody_is_none(browser: Browser, tmp_path: Path, depth: str) -> None:
    text = POND.format(edges="wrap").replace("[400, 240]", f"[400, 240{depth}]")
    text = text.replace("count = 60", "count = 0").replace("count = 1", "count = 0")
    (tmp_path / "empty.toml").write_text(text)
    ran = boids("share", tmp_path / "empty.toml", "--to", "1s", "--out", tmp_path / "empty.html")
    assert ran.returncode == 0, ran.stderr
    opened(browser, tmp_path / "empty.html")
    assert browser.value(f"{VIEWER}.shown.count") == 0
    assert "polarization none" in browser.value("document.body.innerText")
    assert [text for text in browser.told if '"warning"' not in text] == []


def test_without_webgl_there_is_a_still_picture(pages: dict[str, Path], tmp_path: Path) -> None:
    with Browser(tmp_path / "profile", "--disable-3d-apis") as browser:
        browser.open(pages["edges"], "light", 500, 700)
        browser.wait("document.querySelector('#boids p') !== null")
        assert "no WebGL 2" in browser.value("document.querySelector('#boids p').textContent")
        assert browser.value("document.querySelector('#boids img').naturalWidth") == 960
        assert json.dumps(browser.told) == "[]"
