"""sandbox.api: every name of it is there and told of, and none needs a graphics library before something is drawn."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import api

ROOT = Path(__file__).parents[2]
NOT_OURS = {"AMOUNT_SCALE", "prange"}
LIGHT = set(api.__all__) - {"Canvas", "Pen", "Plot", "Session", "Theme", "Ui", "icons"}


def test_every_name_stands_in_one_group_of_the_docstring() -> None:
    _, groups, *_ = inspect.cleandoc(api.__doc__ or "").split("\n\n")
    told = [word for line in groups.splitlines() for word in line.split()[0 if line.startswith("     ") else 1 :]]
    assert sorted(told) == sorted(api.__all__)


@pytest.mark.parametrize("name", sorted(LIGHT - NOT_OURS))
def test_every_name_has_a_docstring(name: str) -> None:
    assert (getattr(api, name).__doc__ or "").strip()


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match=r"sandbox\.api has no 'Canvass'"):
        api.Canvass  # noqa: B018


def test_without_a_window_no_graphics_library_is_loaded() -> None:
    script = (
        f"import sys; from sandbox.api import {', '.join(sorted(LIGHT))}\n"
        "print({'arcade', 'imgui_bundle', 'OpenGL'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"measures": {}}, "measures must give"),
        ({"measures": ["mean"]}, "measures must give"),
        ({"measures": {"mean": 1}}, "measures must give"),
        ({"top": 0}, "top = 0: must be a number above 0"),
        ({"top": float("nan")}, "must be a number above 0"),
        ({"unit": None}, "must be texts"),
    ],
)
def test_a_chart_that_could_not_be_drawn_is_refused(wrong: dict[str, object], words: str) -> None:
    right: dict[str, object] = {"title": "Speed", "system": "speeds", "measures": {"mean": "mean"}}
    api.MeasureChart(**right)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=f"chart 'Speed': .*{words}"):
        api.MeasureChart(**{**right, **wrong})  # type: ignore[arg-type]
