"""The panel Mods: every mod with what became of it, a switch, and all that there is to know about it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from sandbox.app.window import FlockWindow
from sandbox.mods.find.content import read_content
from sandbox.mods.find.trust import Trust
from sandbox.mods.load.library import Library
from systems.engine.kernel_cache import cache_folder, warm_mark

from .conftest import OpenWindow, at, drifting
from .modded import SYSTEM, frames, said, with_overlay, with_panel, write_mod
from .panels import panel
from .widgets import click, look

INSTALL = "\n\ndef install(app):\n    app.add_system(Drift)\n"


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the person's own mods; there are no others but the bundled ones."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "data" / "boids-sandbox" / "mods"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(Trust(tmp_path / "mods.toml"))


def opened(open_on: OpenWindow, library: Library, size: tuple[int, int] = (1100, 760)) -> FlockWindow:
    window = open_on(drifting(at(300, 180)), size, panels=["mods"], library=library)
    window.session.clock.paused = True
    frames(window)
    return window


def row(window: FlockWindow, id: str) -> tuple[str, bool]:
    """What the list says of a mod: its state in words, and whether its switch is on."""
    texts = look(window).texts
    status = next(one for one in panel(window, "mods")._statuses if one.listed.id == id)
    assert status.words in texts
    return status.words, status.on


def test_what_a_person_enables_comes_into_the_running_world(open_on: OpenWindow, own: Path, library: Library) -> None:
    write_mod(own, with_panel() + SYSTEM + "\ninstall_panel = install\n" + INSTALL + "    install_panel(app)\n")
    window = opened(open_on, library)
    assert row(window, "lode") == ("off", False)
    click(window, "##on lode")
    text = look(window).text
    assert "Enable Lodes?" in text
    assert str(own / "lode") in text
    assert "with all the rights that you have on this computer" in text
    assert "drift" not in window.simulation.pipeline.by_name
    click(window, "Enable")
    frames(window)
    assert "lodes are here" in look(window).texts  # it shows what it does
    window.session.front("mods")
    assert row(window, "lode") == ("on", True)
    assert "drift" in window.simulation.pipeline.by_name
    assert "1 system: drift" in look(window).texts
    assert "1 panel: Lodes" in look(window).texts


def test_who_does_not_trust_it_leaves_it_off(open_on: OpenWindow, own: Path, library: Library, tmp_path: Path) -> None:
    write_mod(own, f"open({str(tmp_path / 'ran')!r}, 'w')\n{INSTALL}")
    window = opened(open_on, library)
    click(window, "##on lode")
    click(window, "Leave it off")
    frames(window)
    assert row(window, "lode") == ("off", False)
    assert not library.trust.enabled
    assert not (tmp_path / "ran").exists()


def test_enter_does_not_enable(open_on: OpenWindow, own: Path, library: Library) -> None:
    write_mod(own, with_panel())
    window = opened(open_on, library)
    click(window, "##on lode")
    assert window.session.asking.question is not None
    assert not window.session.asking.question.by_enter


def test_a_mod_is_switched_off_with_those_that_need_it(open_on: OpenWindow, own: Path, library: Library) -> None:
    write_mod(own, SYSTEM + INSTALL)
    write_mod(own, with_overlay(), "iron", 'depends = ["lode"]\n')
    for id in ("lode", "iron"):
        library.enable(id)
    window = opened(open_on, library)
    assert [row(window, id) for id in ("lode", "iron")] == [("on", True)] * 2
    click(window, "##on lode")
    frames(window)
    assert row(window, "lode") == ("off", False)
    assert row(window, "iron")[0] == "can't load"
    assert not window.simulation.pipeline.by_name["drift"].enabled
    assert "lode.lines" not in [overlay.name for overlay in window.session.app.overlays]


def test_each_state_is_told_with_its_reason_in_full(open_on: OpenWindow, own: Path, library: Library) -> None:
    write_mod(own, "def install(app):\n    raise ValueError('no iron')\n", "broken")
    write_mod(own, with_overlay("1 / 0"), "weather")
    write_mod(own, with_panel(), "changing")
    write_mod(own, with_panel(), "storm", 'depends = ["wind_tunnel"]\n')
    (own / "odd").mkdir()
    (own / "odd" / "mod.toml").write_text('id = "odd"\ntitel = "Odd"\n')
    for id in ("broken", "weather", "changing", "storm"):
        library.trust.enable(id, read_content(own / id).digest)
    (own / "changing" / "changing.py").write_text("# something else\n")
    window = opened(open_on, library)
    frames(window)
    expected = {
        "broken": (("failed", True), "broken.py:3: ValueError: no iron"),
        "weather": (("stopped", False), "weather.py:9: ZeroDivisionError: division by zero (overlay Lines)"),
        "changing": (("changed", False), "Its files have changed since it was enabled"),
        "storm": (("can't load", True), "needs wind_tunnel, which is missing"),
        "odd": (("can't load", False), 'titel: unknown key; did you mean "title"?'),
    }
    for id, (state, reason) in expected.items():
        assert row(window, id) == state, id
        shown = next(one for one in panel(window, "mods")._statuses if one.listed.id == id)
        click(window, f"{shown.title}##mod {id}")
        assert reason in look(window).text, id
    copied: list[str] = []
    window.gui.use_clipboard(lambda: "", copied.append)
    click(window, "Brokens##mod broken")
    click(window, next(label for label in look(window).places if label.endswith("##copy reason")))
    assert copied == ["broken: broken.py:3: ValueError: no iron (install)"]


def test_one_that_was_stopped_can_be_tried_again(open_on: OpenWindow, own: Path, library: Library) -> None:
    write_mod(own, with_overlay("if session.clock.speed == 100: 1 / 0"), "weather")
    library.enable("weather")
    window = opened(open_on, library)
    frames(window)
    assert row(window, "weather")[0] == "stopped"
    window.session.clock.go_at(200)
    click(window, "##on weather")
    frames(window)
    assert row(window, "weather") == ("on", True)
    assert window.session.asking.question is None  # its content was enabled before


def test_a_new_mod_is_written_chosen_and_runs_once_it_is_enabled(
    open_on: OpenWindow, own: Path, library: Library
) -> None:
    window = opened(open_on, library)
    click(window, next(label for label in look(window).places if label.endswith("New mod##mods")))
    click(window, "##id")
    window.gui.events.text("whirl")
    frames(window)
    click(window, next(label for label in look(window).places if label.endswith("Write it##new mod")))
    assert (own / "whirl" / "whirl.py").is_file()
    assert panel(window, "mods").chosen == str(own / "whirl")
    click(window, "##on whirl")
    click(window, "Enable")
    frames(window)
    assert row(window, "whirl") == ("on", True)
    assert "whirl" in window.simulation.world.prefabs


def test_an_id_that_cannot_be_is_refused_with_what_would_be_right(
    open_on: OpenWindow, own: Path, library: Library
) -> None:
    window = opened(open_on, library)
    mods = panel(window, "mods")
    mods._new = ""
    mods._make(window.session, "9 lives")
    assert "9 lives" in look(window).text
    assert not (own / "9 lives").exists()


def test_a_mod_that_is_dropped_into_the_folder_is_seen(open_on: OpenWindow, own: Path, library: Library) -> None:
    own.mkdir(parents=True)
    window = opened(open_on, library)
    write_mod(own, with_panel())
    assert row(window, "lode") == ("off", False)


def test_checking_runs_beside_the_window_and_tells_what_it_found(
    open_on: OpenWindow, own: Path, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernels = cache_folder()
    assert kernels is not None
    monkeypatch.setenv("BOIDS_CACHE_DIR", str(tmp_path))
    warm = warm_mark(tmp_path / "kernels" / kernels.name)  # what fails at install needs no kernel
    warm.parent.mkdir(parents=True)
    warm.touch()
    Path("numpy.py").write_text("raise SystemExit('from the working folder nothing is imported')")
    write_mod(own, "def install(app):\n    raise ValueError('no iron')\n")
    window = opened(open_on, library)
    click(window, "Lodes##mod lode")
    check = next(label for label in look(window).places if "Check##mod" in label)
    click(window, check)
    end = time.monotonic() + 60
    while "lode.py:3: ValueError: no iron" not in look(window).text and time.monotonic() < end:
        time.sleep(0.1)
        window.on_update(0.0)
    assert "lode.py:3: ValueError: no iron" in look(window).text
    assert window.simulation.mods.mods == {}


@pytest.mark.parametrize("size", [(320, 240), (480, 400), (640, 360), (1600, 1000)])
def test_it_fits_any_window(open_on: OpenWindow, own: Path, library: Library, size: tuple[int, int]) -> None:
    write_mod(own, with_panel())
    window = opened(open_on, library, size)
    seen = look(window)
    left, low, right, top = seen.boxes["##on lode"]
    assert 0 <= left < right <= size[0]
    assert 0 <= low < top <= size[1]


def test_messages_name_what_a_person_wants_and_cannot_have(open_on: OpenWindow, own: Path, library: Library) -> None:
    write_mod(own, "import nothing_like_this\n", "broken")
    library.trust.enable("broken", read_content(own / "broken").digest)
    window = opened(open_on, library)
    assert any("broken.py:2: ModuleNotFoundError" in text for text in said(window))


def test_a_mod_that_is_switched_on_offers_its_scene(open_on: OpenWindow, library: Library) -> None:
    window = opened(open_on, library)
    click(window, "##on ink")
    frames(window)
    assert "Its scene “Ink” shows what it does." in look(window).text
    click(window, "Open the scene")
    frames(window)
    assert window.simulation.scene.name == "Ink"
    assert "##on ink" not in look(window).places  # nothing lies over it


def test_one_that_does_not_run_in_this_world_says_why_and_offers_its_scene(
    open_on: OpenWindow, library: Library
) -> None:
    window = opened(open_on, library)
    click(window, "##on stardisplay")
    frames(window)
    assert "it runs only in worlds with depth: give this one some" in said(window)[-1]
    click(window, "Open the scene")
    frames(window)
    assert window.simulation.scene.name == "Starlings"
    assert "stardisplay" in window.simulation.mods.mods


def test_the_tool_of_one_without_a_scene_comes_into_the_hand(open_on: OpenWindow, library: Library) -> None:
    window = opened(open_on, library)
    click(window, "##on magnet")
    frames(window)
    assert window.session.hand.tool.title == "Magnet"
    click(window, "##on magnet")
    frames(window)
    window.session.act("tool_1")
    click(window, "##on magnet")  # once more
    frames(window)
    assert window.session.hand.tool.title == "Magnet"


def test_a_kind_of_one_without_scene_and_tool_comes_into_the_hand(
    open_on: OpenWindow, own: Path, library: Library
) -> None:
    toml = "[prefabs.heron]\nextends = 'boid'\n"
    write_mod(own, f"def install(app):\n    app.add_prefabs({toml!r})\n")
    window = opened(open_on, library)
    click(window, "##on lode")
    click(window, "Enable")
    frames(window)
    hand = window.session.hand
    assert (hand.tool.name, hand.prefab(window.session, hand.tool)) == ("boid", "heron")


def listed(window: FlockWindow) -> list[str]:
    """The titles in the list, as they stand below each other."""
    heights = {label: box[1] for label, box in look(window).boxes.items() if "##mod " in label}
    return [label.split("##")[0] for label in sorted(heights, key=lambda label: -heights[label])]


def test_mods_stand_by_name_whatever_is_switched_on_or_off_and_when_the_list_is_opened_again(
    open_on: OpenWindow, library: Library
) -> None:
    window = opened(open_on, library)
    before = listed(window)
    assert len(before) > 3
    assert before == sorted(before, key=str.casefold)
    for id in ("magnet", "ink", "magnet"):
        click(window, f"##on {id}")
        frames(window)
        assert library.trust.enabled
        assert listed(window) == before
        for _ in range(2):
            window.session.toggle_panel("mods")
            frames(window)
        assert listed(window) == before


def test_what_a_mod_brings_is_named_once(open_on: OpenWindow, library: Library) -> None:
    window = opened(open_on, library)
    click(window, "##on magnet")
    frames(window)
    texts = look(window).texts
    assert "1 component: Magnet" in texts
    assert "as the only mod in this world" in texts
