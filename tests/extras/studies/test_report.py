"""The report in a real browser without a network: tables are sorted, the console stays silent, themes follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sandbox.extras.studies.report import plot
from tests.browser import CHROMIUM, Browser
from tests.extras.studies.done import RADIUS, SPEED, done, study_file

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report for each kind of picture."""
    found = {}
    for kind, vary in (("time", ""), ("line", RADIUS), ("map", RADIUS + SPEED)):
        folder = tmp_path_factory.mktemp(kind)
        *_, found[kind] = plot(done(study_file(folder, vary)), folder / "plots")
    return found


@pytest.mark.parametrize("kind", ["time", "line", "map"])
def test_pictures_have_the_words_of_their_axes_and_nothing_is_asked_of_a_network(
    browser: Browser, reports: dict[str, Path], kind: str
) -> None:
    browser.told.clear()
    browser.asked.clear()
    browser.open(reports[kind], "light")
    words = browser.value("[...document.querySelectorAll('.panels svg text')].map(e => e.textContent).join(' ')")
    assert {"time": "time (ticks)", "line": "fish.Perception.radius (u)", "map": "fish.Motion.max_speed (u/s)"}[
        kind
    ] in words
    assert "mean_speed" in words
    assert browser.told == []
    assert {address.partition(":")[0] for address in browser.asked} <= {"file", "data"}


def test_the_page_is_light_or_dark_as_its_reader_likes_it(
    browser: Browser, reports: dict[str, Path], tmp_path: Path
) -> None:
    shades, inks = {}, {}
    for theme in ("light", "dark"):
        browser.open(reports["map"], theme)
        with Image.open(BytesIO(browser.screenshot(tmp_path / f"{theme}.png"))) as image:
            shades[theme] = np.median(np.asarray(image.convert("L")))
        title = "getComputedStyle(document.querySelector('.panels svg text')).fill"
        inks[theme] = [int(part) for part in re.findall(r"\d+", browser.value(title))[:3]]
    assert shades["light"] > 230
    assert shades["dark"] < 40
    assert max(inks["light"]) < 80
    assert min(inks["dark"]) > 200


@pytest.mark.parametrize("width", [400, 1280, 2000])
def test_it_fits_screens_of_any_width(browser: Browser, reports: dict[str, Path], width: int) -> None:
    browser.open(reports["line"], "light", width=width)
    assert browser.value("document.documentElement.scrollWidth") <= width
    boxes = "[...document.querySelectorAll('.panels svg')].map(e => e.getBoundingClientRect())"
    assert browser.value(f"{boxes}.every(a => a.width > 200 && a.right <= {width})")


def test_a_heading_sorts_its_table_by_numbers_and_what_is_not_known_comes_last(
    browser: Browser, tmp_path: Path
) -> None:
    folder = done(study_file(tmp_path, '"fish.Perception.radius" = [5, 200, 40, 9]\n', seeds=1), 3)
    *_, path = plot(folder, tmp_path / "plots")
    browser.open(path, "light")
    table = "[...document.querySelectorAll('table')].find(e => e.textContent.includes('polarization'))"

    def column(number: int) -> list[str]:
        cells: list[str] = browser.value(f"[...{table}.tBodies[0].rows].map(e => e.cells[{number}].textContent)")
        return cells

    assert column(0) == ["5", "200", "40", "9"]
    browser.value(f"{table}.tHead.rows[0].cells[0].click()")
    assert column(0) == ["5", "9", "40", "200"]
    browser.value(f"{table}.tHead.rows[0].cells[2].click()")
    assert column(2)[-1] == "–"
    assert [*map(float, column(2)[:-1])] == sorted(map(float, column(2)[:-1]))
    browser.value(f"{table}.tHead.rows[0].cells[2].click()")
    assert column(2)[-1] == "–"
    assert [*map(float, column(2)[:-1])] == sorted(map(float, column(2)[:-1]), reverse=True)


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
