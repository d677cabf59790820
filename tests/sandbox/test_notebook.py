"""The view in a notebook: what its messages do to the simulation, and what it shows of it in a real browser."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

import sandbox
from sandbox.app.drawing.picture import graphics
from sandbox.script.sandbox import Sandbox
from tests.browser import CHROMIUM, Browser
from tests.command_line import ROOT

VIEW = "application/vnd.jupyter.widget-view+json"
HOST = """<!DOCTYPE html><meta charset="utf-8"><style>{style}</style><div id="cell"></div>
<script type="module">
{script}
window.sent = [];
let hear = null;
const model = {{ on: (_, does) => (hear = does), send: (message) => window.sent.push(message) }};
window.tell = (message, buffers) => hear(message, buffers.map((text) => new DataView(bytesOf(text).buffer)));
render({{ model, el: document.getElementById("cell") }});
</script>"""


def test_messages_play_step_and_place_and_undo_takes_it_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a real kernel, as Jupyter starts one."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    texts = [
        "import sandbox\nsim = sandbox.new(size=(400, 300))\nfish = sim.spawn('fish', 20)\nbefore = sim.digest()",
        "sim",
        "print(sim.tick, len(sim.serials))",
        "print(sim.tick, len(sim.serials))",
        "print(sim.undo(), len(sim.serials))",
    ]
    cells = [nbformat.v4.new_code_cell(text) for text in texts]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}})

    def send(**content: Any) -> None:
        data = {"comm_id": view["model_id"], "data": {"method": "custom", "content": content}}
        client.kc.shell_channel.send(client.kc.session.msg("comm_msg", data))

    def printed(number: int) -> str:
        client.execute_cell(cells[number], number)
        return str(cells[number].outputs[0]["text"]).strip()

    with client.setup_kernel():
        client.execute_cell(cells[0], 0)
        client.execute_cell(cells[1], 1)
        shown = cells[1].outputs[0].data
        assert {"image/png", VIEW} <= set(shown)
        view = shown[VIEW]
        send(do="begin")
        send(do="step", ticks=3)
        send(do="step", ticks=1)
        assert printed(2) == "4 20"
        send(do="place", prefab="fish", at=[100, 50])
        send(do="place", prefab="no such", at=[100, 50])
        assert printed(3) == "4 21"
        assert printed(4).endswith(" 20")


@contextmanager
def shown_in(browser: Browser, sim: Sandbox, folder: Path) -> Iterator[Any]:
    """Show a simulation's view in a page that hosts it as a notebook does; yields a function that passes messages."""
    graphics()
    from sandbox.share.notebook import Live

    class Hosted(Live):  # its messages go to the page
        def send(self, content: Any, buffers: Any = None) -> None:
            texts = [base64.b64encode(bytes(buffer)).decode() for buffer in buffers or []]
            browser.value(f"tell({json.dumps(content)}, {json.dumps(texts)})")

    live = Hosted(sim)
    page = folder / "host.html"
    page.write_text(HOST.format(style=live._css, script=live._esm), encoding="utf-8")
    browser.told.clear()
    browser.open(page, "light", 500, 600)

    def passes() -> None:
        for message in browser.value("sent.splice(0)"):
            live._do(None, message, [])

    browser.wait("window.sent.length")
    passes()
    browser.wait("document.getElementById('cell').viewer?.shown.count")
    yield passes
    assert [text for text in browser.told if '"warning"' not in text] == []


def click(browser: Browser, x: float, y: float) -> None:
    for kind in ("mousePressed", "mouseReleased"):
        browser.do("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    browser.wait("sent.length")


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")
def test_the_view_shows_the_simulation_and_a_click_places(tmp_path: Path) -> None:
    viewer = "document.getElementById('cell').viewer"
    with sandbox.new(size=(400, 300)) as sim, Browser(tmp_path / "profile") as browser:
        sim.spawn("fish", 20)
        with shown_in(browser, sim, tmp_path) as passes:
            assert browser.value(f"{viewer}.shown.count") == 20
            browser.value("document.querySelector('button.step').click()")
            passes()
            browser.wait(f"{viewer}.time === 1")
            assert sim.tick == 1
            browser.value("document.querySelector('button.play').click()")
            for _ in range(6):
                browser.wait("sent.length")
                passes()
            browser.value(f"{viewer}.play(false)")
            passes()
            assert sim.tick > 10
            browser.value(f"{viewer}.seek({viewer}.film.first)")  # it looks back, and the simulation stays
            ticks = sim.tick
            browser.wait(f"{viewer}.time === 0 && !{viewer}.asked")
            left, top, wide, high = browser.value(
                "(({x, y, width, height}) => [x, y, width, height])("
                "document.querySelector('canvas').getBoundingClientRect())"
            )
            click(browser, left + wide / 4, top + high / 2)
            passes()
            browser.value(f"{viewer}.seek({viewer}.film.last)")
            browser.wait(f"{viewer}.shown.count === 21")
            place = sim.column("Position", [sim.serials[-1]])[0]
            assert np.abs(place - (100, 150)).max() < 2
            browser.value("document.querySelector('select[title=\"A click places\"]').value = 'obstacle'")
            click(browser, left + wide / 2, top + high / 4)
            passes()
            browser.wait(f"{viewer}.painter.sorts.some(([sort, rocks]) => sort === 'rock' && rocks.count)")
            assert sim.tick == ticks
        sim.undo()
        sim.undo()
        assert len(sim.serials) == 20


def test_what_goes_wrong_is_told_in_the_view() -> None:
    graphics()
    from sandbox.share.notebook import Live

    told: list[Any] = []

    class Heard(Live):
        def send(self, content: Any, buffers: Any = None) -> None:
            told.append(content)

    with sandbox.new() as sim:
        live = Heard(sim)
        for message in ({"do": "place", "prefab": "fihs", "at": [1, 2]}, {"do": "place"}, {"do": "jump"}, "step"):
            live._do(None, message, [])
        assert "fish" in told[0]["told"]
        assert [one["is"] for one in told] == ["told"] * 4


def test_without_the_extra_it_is_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.script.sandbox.find_spec", lambda _: None)
    with sandbox.new() as sim:
        assert sim._repr_mimebundle_() == {}
        assert sim._repr_png_()
