"""The report in a real browser without a network: the mouse finds values, the console stays silent, themes follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from sandbox.extras.studies.pictures import pictures_of
from sandbox.extras.studies.plotting import plot
from tests.extras.studies.browser import CHROMIUM, Browser
from tests.extras.studies.done import RADIUS, SPEED, done, study_file

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")

PLACE = """(() => {
    const panel = document.getElementById("%s"), data = panel._fullData.at(-1), axes = panel._fullLayout;
    const box = panel.querySelector(".nsewdrag").getBoundingClientRect();
    const [x, y] = data.type === "heatmap" ? [1, 0] : [data.x[1], data.y[1]];
    return [box.left + axes.xaxis.l2p(x), box.top + axes.yaxis.l2p(y)];
})()"""
HOVER = "[...document.querySelectorAll('.hoverlayer .hovertext')].map(e => e.textContent).join(' ')"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """By the first panel of each kind of picture: its report, and the second value in the panel."""
    found = {}
    for kind, vary in (("time-0", ""), ("line-0", RADIUS), ("map-0", RADIUS + SPEED)):
        folder = tmp_path_factory.mktemp(kind)
        results = done(study_file(folder, vary))
        *_, path = plot(results, folder / "plots")
        panel: Any = pictures_of(results)[0].panels[0]
        mean, half = (panel.z[0, 1], panel.half[0, 1]) if kind == "map-0" else (panel.mean[1], panel.half[1])
        found[kind] = path, f"{mean:.5g} ± {half:.2g}"
    return found


@pytest.mark.parametrize(("kind", "theme"), [("time-0", "light"), ("line-0", "dark"), ("map-0", "light")])
def test_the_mouse_finds_a_value(browser: Browser, reports: dict[str, tuple[Path, str]], kind: str, theme: str) -> None:
    browser.told.clear()
    browser.asked.clear()
    path, value = reports[kind]
    browser.open(path, theme)
    browser.wait(f"document.querySelector('#{kind} .main-svg')")
    browser.point_at(*browser.value(PLACE % kind))
    assert value in browser.wait(HOVER)
    assert browser.told == []
    assert {address.partition(":")[0] for address in browser.asked} <= {"file", "data"}


def test_the_page_is_light_or_dark_as_its_reader_likes_it(
    browser: Browser, reports: dict[str, tuple[Path, str]], tmp_path: Path
) -> None:
    shades, inks = {}, {}
    for theme in ("light", "dark"):
        browser.open(reports["map-0"][0], theme)
        browser.wait("document.querySelector('#map-0 .main-svg')")
        with Image.open(BytesIO(browser.screenshot(tmp_path / f"{theme}.png"))) as image:
            shades[theme] = np.median(np.asarray(image.convert("L")))
        tick = "getComputedStyle(document.querySelector('#map-0 .xtick text')).fill"
        inks[theme] = [int(part) for part in re.findall(r"\d+", browser.value(tick))[:3]]
    assert shades["light"] > 230
    assert shades["dark"] < 40
    assert max(inks["light"]) < 80
    assert min(inks["dark"]) > 200


@pytest.mark.parametrize("width", [400, 1280, 2000])
def test_it_fits_screens_of_any_width(browser: Browser, reports: dict[str, tuple[Path, str]], width: int) -> None:
    browser.open(reports["line-0"][0], "light", width=width)
    browser.wait("document.querySelector('#line-1 .main-svg')")
    assert browser.value("document.documentElement.scrollWidth") <= width
    boxes = "[...document.querySelectorAll('.panel')].map(e => e.getBoundingClientRect())"
    assert browser.value(f"{boxes}.every(a => a.width > 200 && a.right <= {width})")


def test_it_says_what_was_studied_and_how_to_have_it_again(tmp_path: Path) -> None:
    folder = done(study_file(tmp_path, '"spawn.fish.count" = [0, 5]\n', seeds=1))
    *_, path = plot(folder, tmp_path / "plots")
    text = path.read_text("utf-8")
    for said in ("boids-sandbox", folder.study.identity, "boids study run study.toml", "prefab = &quot;fish&quot;"):
        assert said in text


def test_names_from_files_are_text_and_no_html(tmp_path: Path) -> None:
    file = study_file(tmp_path, seeds=1)
    file.write_text(file.read_text() + "# </script><script>alert(1)</script>\n")
    *_, path = plot(done(file), tmp_path / "plots")
    assert "<script>alert" not in path.read_text("utf-8")
