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
from sandbox.edit import NewPrefab
from sandbox.script.sandbox import Sandbox
from tests.browser import CHROMIUM, Browser
from tests.command_line import ROOT

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed")
VIEW = "application/vnd.jupyter.widget-view+json"
VIEWER = "document.getElementById('cell').viewer"
SIZES = f"""Object.fromEntries([...{VIEWER}.shown.ids.subarray(0, {VIEWER}.shown.count)].map((id, n) =>
  [{VIEWER}.film.serial[id], {VIEWER}.painter.sizes[{VIEWER}.shown.look[n]]]))"""
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


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@contextmanager
def shown_in(browser: Browser, sim: Sandbox, folder: Path) -> Iterator[Any]:
    """Show a simulation's view in a page that hosts it as a notebook does.

    Yields the view, whose `passes` passes the page's messages, and whose `runs_a_cell` follows each cell.
    """
    graphics()
    from sandbox.share.notebook import Live

    class Hosted(Live):  # its messages go to the page
        def send(self, content: Any, buffers: Any = None) -> None:
            texts = [base64.b64encode(bytes(buffer)).decode() for buffer in buffers or []]
            browser.value(f"tell({json.dumps(content)}, {json.dumps(texts)})")

        def passes(self) -> None:
            for message in browser.value("sent.splice(0)"):
                self._do(None, message, [])

        runs_a_cell = Live._after_cell

    live = Hosted(sim)
    page = folder / "host.html"
    page.write_text(HOST.format(style=live._css, script=live._esm), encoding="utf-8")
    browser.told.clear()
    browser.open(page, "light", 500, 600)

    browser.wait("window.sent.length")
    live.passes()
    browser.wait(f"{VIEWER}?.shown.count >= 0")
    yield live
    assert [text for text in browser.told if '"warning"' not in text] == []


def click(browser: Browser, x: float, y: float) -> None:
    for kind in ("mousePressed", "mouseReleased"):
        browser.do("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    browser.wait("sent.length")


@needs_chromium
def test_the_view_shows_the_simulation_and_a_click_places(browser: Browser, tmp_path: Path) -> None:
    with sandbox.new(size=(400, 300)) as sim:
        sim.spawn("fish", 20)
        with shown_in(browser, sim, tmp_path) as live:
            assert browser.value(f"{VIEWER}.shown.count") == 20
            browser.value("document.querySelector('button.step').click()")
            live.passes()
            browser.wait(f"{VIEWER}.time === 1")
            assert sim.tick == 1
            browser.value("document.querySelector('button.play').click()")
            for _ in range(6):
                browser.wait("sent.length")
                live.passes()
            browser.value(f"{VIEWER}.play(false)")
            live.passes()
            assert sim.tick > 10
            browser.value(f"{VIEWER}.seek({VIEWER}.film.first)")  # it looks back, and the simulation stays
            ticks = sim.tick
            browser.wait(f"{VIEWER}.time === 0 && !{VIEWER}.asked")
            left, top, wide, high = browser.value(
                "(({x, y, width, height}) => [x, y, width, height])("
                "document.querySelector('canvas').getBoundingClientRect())"
            )
            click(browser, left + wide / 4, top + high / 2)
            live.passes()
            browser.value(f"{VIEWER}.seek({VIEWER}.film.last)")
            browser.wait(f"{VIEWER}.shown.count === 21")
            place = sim.column("Position", [sim.serials[-1]])[0]
            assert np.abs(place - (100, 150)).max() < 2
            browser.value("document.querySelector('select[title=\"A click places\"]').value = 'obstacle'")
            click(browser, left + wide / 2, top + high / 4)
            live.passes()
            browser.wait(f"{VIEWER}.painter.sorts.some(([sort, rocks]) => sort === 'rock' && rocks.count)")
            assert sim.tick == ticks
        sim.undo()
        sim.undo()
        assert len(sim.serials) == 20


@needs_chromium
def test_each_keeps_its_own_look_when_a_second_cell_shows_the_same_world(browser: Browser, tmp_path: Path) -> None:
    with sandbox.new(size=(400, 300)) as sim, shown_in(browser, sim, tmp_path) as live:
        sim.spawn("fish", 5)
        sim.spawn("boid", 5, Look={"size": 3})
        live.runs_a_cell()
        live._do(None, {"do": "begin"}, [])  # as the view of the second cell does
        sim.step()
        live.runs_a_cell()
        browser.wait(f"{VIEWER}.shown.count === 10 && {VIEWER}.time === 1")
        sizes = sim.column("Look.size").tolist()
        assert browser.value(SIZES) == dict(zip(map(str, sim.serials), sizes, strict=True))


@needs_chromium
def test_the_view_follows_what_cells_change_of_the_world(browser: Browser, tmp_path: Path) -> None:
    with sandbox.new(size=(400, 300)) as sim:
        sim.spawn("fish", 20)
        with shown_in(browser, sim, tmp_path) as live:
            browser.value(f"{VIEWER}.pace.value = 4, {VIEWER}.pace.onchange(), {VIEWER}.play(true)")
            for depth, axes in ((200, 3), (0, 2)):
                sim.set("world.depth", depth)
                live.runs_a_cell()
                browser.wait(f"{VIEWER}.film.axes === {axes} && {VIEWER}.shown.place.length === {axes}")
                assert browser.value(f"{VIEWER}.shown.count") == 20
            assert browser.value(f"[{VIEWER}.playing, {VIEWER}.speed, {VIEWER}.pace.value]") == [True, 4, "4"]
            browser.value(f"{VIEWER}.play(false)")
            sim.set("world.backdrop", "meadow")
            live.runs_a_cell()
            browser.wait(f"{VIEWER}.about.backdrop.kind === 'ground'")
            sim.set("render.colour", "speed")
            live.runs_a_cell()
            browser.wait(f"{VIEWER}.about.ramp.length === 256 && {VIEWER}.about.legend.name === 'speed'")


@needs_chromium
def test_the_mouse_tells_the_kind_of_an_animal_that_a_cell_has_thought_up(browser: Browser, tmp_path: Path) -> None:
    with sandbox.new(size=(400, 300)) as sim, shown_in(browser, sim, tmp_path) as live:
        sim.submit(NewPrefab("minnow", "fish"))
        sim.settle_commands()
        sim.spawn("minnow", at=(200, 150))
        live.runs_a_cell()
        browser.wait(f"{VIEWER}.shown.count === 1")
        browser.value(f"{VIEWER}.point(...{VIEWER}.camera.screen.map((side) => side / 2))")
        assert "minnow" in browser.value(f"{VIEWER}.tip.textContent")


@needs_chromium
def test_of_too_many_animals_the_same_are_left_out_and_none_of_a_few_and_it_says_so_and_plays_on(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphics()
    monkeypatch.setattr("sandbox.share.notebook.MOST_ANIMALS", 200)
    shown, told = f"[...{VIEWER}.shown.ids.subarray(0, {VIEWER}.shown.count)]", f"{VIEWER}.root.innerText"
    with sandbox.new(size=(400, 300)) as sim:
        boids, predators = sim.spawn("boid", 250), sim.spawn("predator", 30)
        with shown_in(browser, sim, tmp_path) as live:
            before = browser.value(shown)
            assert set(predators.tolist()) < set(before)
            assert len(before) <= 200
            assert "too many animals for a notebook: of the kinds with many, only 64% are shown" in browser.value(told)
            browser.value(f"{VIEWER}.play(true)")
            sim.despawn(boids[::2])
            live.runs_a_cell()
            browser.wait(f"{VIEWER}.shown.count < {len(before)}")
            assert set(browser.value(shown)) == set(before) - set(boids[::2].tolist())
            assert browser.value(f"{VIEWER}.playing")


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
