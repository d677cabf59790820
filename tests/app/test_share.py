"""The panel Share makes a page, and the page dropped on the window leads back to its moment."""

from __future__ import annotations

import time
from pathlib import Path

from arcade.key import ESCAPE
from imgui_bundle import icons_fontawesome_6 as icons

from sandbox.app.window import FlockWindow
from sandbox.design.scene import Entry
from sandbox.edit import Spawn
from tests.app.conftest import OpenWindow, at, drifting, send
from tests.app.panels import panel
from tests.app.playing import arrive, run
from tests.app.widgets import click, look
from tests.sandbox.test_share import bundle_in


def make(window: FlockWindow) -> None:
    """Press the button, and wait until the page is there."""
    sharing = panel(window, "share").sharing
    click(window, f"{icons.ICON_FA_SHARE_NODES}  Make the page")
    until = time.monotonic() + 60
    while sharing.job and time.monotonic() < until:
        window.on_update(0.0)
        time.sleep(0.01)


def test_a_page_of_the_window_leads_back_into_the_exact_world(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200, (50, 0)), size=14), (900, 600), panels=["share", "time bar"])
    sharing = panel(window, "share").sharing
    sharing.folder = tmp_path / "pages"
    run(window, 10)
    window.session.submit(Spawn(Entry("green", 5)))
    run(window, 10)
    digests = {}
    for tick in (20, 12):
        window.session.playback.go(tick)
        arrive(window)
        digests[tick] = window.simulation.digest()
    click(window, "Here##from")
    assert "0.8 s. You can play on while it is made." in look(window).texts
    make(window)
    path = tmp_path / "pages" / "drifting-12.html"
    assert window.session.messages.newest == f"saved page {path}"
    assert f"{icons.ICON_FA_FOLDER_OPEN}  Show in folder##share" in look(window).places
    window.session.document.unsaved.saved()
    send(window, ("on_file_drop", 5, 5, [str(path)]))
    arrive(window)
    assert window.simulation.tick == 12
    assert window.session.document.file is None  # Save asks for a name, and never writes over the page
    for tick, digest in digests.items():
        window.session.playback.go(tick)
        arrive(window)
        assert window.simulation.digest() == digest
    assert len(window.session.document.timeline.branch.commands) == 1


def test_the_measures_that_are_ticked_are_drawn_over_time(open_on: OpenWindow, tmp_path: Path) -> None:
    window = open_on(drifting(at(100, 200, (50, 0)), at(300, 200)), (900, 700), panels=["share", "time bar"])
    panel(window, "share").sharing.folder = tmp_path
    run(window, 10)
    assert "polarization" in look(window).texts
    click(window, "##share measures")
    assert {"population.red##share", "mean_speed##share", "flocks##share"} <= look(window).places.keys()
    assert "population.green##share" not in look(window).places  # nobody was green
    click(window, "polarization##share")  # the only one stays
    for name in ("flocks", "population.red", "polarization"):
        click(window, f"{name}##share")
    send(window, ("on_key_press", ESCAPE, 0), ("on_key_release", ESCAPE, 0))
    assert "flocks, population.red" in look(window).texts
    make(window)
    about, _ = bundle_in(tmp_path / "drifting-10.html")
    assert list(about["measures"]) == ["flocks", "population.red"]
    assert set(about["measures"]["population.red"]) == {2}
