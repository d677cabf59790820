"""Figures are legible: nothing is cut off, colours stand out from the background, and every eye tells them apart."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from PIL import Image

from sandbox.extras.studies.draw import COLOURS, THEMES, draw, png_of
from sandbox.extras.studies.panels import Bars, Cloud, Heat, Line, Panel, Picture

LONG = "starling.Flocker.cohesion_strength\n1/s² (direct) or 1/s (desired)"
SOME = np.array([1.0, 3.0, 2.0])
WORDS = ("population.hunter, mean", LONG)
PLANE = (*WORDS, LONG, (1.0, 5.0))
NO_BAND = np.full((2, 3), np.nan)
PANELS: dict[str, Panel] = {
    "line": Line(*WORDS, [10, 20, 40], SOME, SOME / 9, (), ([10, 20, 20, 40], np.arange(4.0))),
    "words": Line(*WORDS, ["wrap", "turn", "bounce"], SOME, SOME / 9, (), (["turn", "wrap"], np.arange(2.0))),
    "time": Line(*WORDS, [10, 20, 40], SOME, np.full(3, np.nan), [(SOME, SOME)]),
    "map": Heat(*PLANE, [1, 2, 4], [True, False], np.array([[1, 2, 3.5], [4, np.nan, 5]]), NO_BAND),
    "one colour": Heat(*WORDS, LONG, (7.0, 7.0), [1, 2], [3], np.array([[7.0, 7.0]]), NO_BAND[:1, :2]),
    "cloud": Cloud(*PLANE, [1.5, 2.5, 9.0], ["a", "b", "a"], SOME),
    "bars": Bars("mean_speed, last", "share", ["starling.Flocker.cohesion_strength", "b", "c"], SOME / 4, SOME / 9),
}


def luminance(colour: str) -> float:
    """Relative luminance after WCAG 2."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot(parts, (0.2126, 0.7152, 0.0722)))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", PANELS)
def test_all_words_are_inside_the_picture(kind: str, theme: str) -> None:
    figure = draw(Picture("name", f"By {LONG.splitlines()[0]}", "The band.", 3, [PANELS[kind]] * 4), theme)
    figure.draw_without_rendering()
    assert any(LONG.split(".")[1] in text.get_text() for text in figure.findobj(Text))
    drawn, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
    assert drawn.x0 >= 0
    assert drawn.y0 >= 0
    assert drawn.x1 <= width
    assert drawn.y1 <= height


@pytest.mark.parametrize("kind", PANELS)
def test_a_picture_is_the_same_every_time_and_not_empty(kind: str) -> None:
    picture = Picture("name", "Title", "Note.", 1, [PANELS[kind]])
    first, again = png_of(draw(picture)), png_of(draw(picture))
    assert first == again
    assert draw(picture)._repr_png_() == first
    with Image.open(BytesIO(first)) as image:
        assert len(image.convert("RGB").getcolors(1 << 20) or ()) > 20


@pytest.mark.parametrize("look", THEMES.values())
def test_text_and_lines_stand_out_from_the_background(look: dict[str, str]) -> None:
    assert contrast(look["ink"], look["back"]) >= 7
    assert contrast(look["line"], look["back"]) >= 4.5


def test_a_cell_of_a_map_shows_small_means_and_their_spread() -> None:
    means, half = np.array([[0.25, 25.0, 1234.5]]), np.array([[0.03, np.nan, 120.0]])
    heat = Heat(*WORDS, LONG, (0.25, 1234.5), [1, 2, 3], [1], means, half)
    figure = draw(Picture("name", "Title", "Note.", 1, [heat]), "light")
    texts = {text.get_text() for text in figure.findobj(Text)}
    assert {"0.25\n±0.03", "25", "1234\n±120"} <= texts


def test_a_map_is_told_by_lightness_alone() -> None:
    """So who sees no red, or no colour at all, reads the same order."""
    shades = [luminance(mpl.colors.to_hex(mpl.colormaps[COLOURS](share))) for share in np.linspace(0, 1, 50)]
    assert all(low < high for low, high in pairwise(shades))


def test_nothing_of_a_persons_own_settings_changes() -> None:
    before = dict(mpl.rcParams)
    png_of(draw(Picture("name", "Title", "Note.", 1, [PANELS["map"]]), "dark"))
    assert dict(mpl.rcParams) == before
