"""The log keeps everything the program said."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.window import FlockWindow

from .conftest import OpenWindow, drifting
from .widgets import click, look

BENEATH = "World###world"


def button(window: FlockWindow, words: str) -> str:
    return next(label for label in look(window).places if words in label and label.endswith("##log"))


def test_every_message_stands_there_after_its_toast_is_gone(open_on: OpenWindow) -> None:
    window = open_on(drifting(), (1280, 720), panels=["log"])
    assert "No messages yet." in look(window).texts
    window.session.messages.say("restarted")
    window.session.messages.warn("that is outside the world")
    window.session.messages.warn("my.toml:3:1: there is no such key")
    for _ in range(3):
        window.on_update(10)
    assert not window.session.messages.shown
    texts = look(window).texts
    assert "Restarted" in texts
    assert "That is outside the world" in texts
    assert "my.toml:3:1: there is no such key" in texts
    click(window, "Problems only (2)###only wrong")
    assert "Restarted" not in look(window).texts


def test_of_hundreds_the_newest_are_seen_and_long_ones_are_wrapped(open_on: OpenWindow) -> None:
    window = open_on(drifting(), (1280, 720), panels=["log"])
    for n in range(400):
        window.session.messages.say(f"message {n} " + "of many words " * (n % 20))
    for _ in range(3):
        window.on_update(10)
        window.on_draw()
    seen = [text for text in look(window).texts if text.startswith("Message")]
    assert seen[-1].startswith("Message 399")
    assert len(seen) < 40


def test_it_is_copied_and_cleared(open_on: OpenWindow) -> None:
    window = open_on(drifting(), (1280, 720), panels=["log"])
    window.session.messages.say("restarted")
    window.session.messages.warn("that is outside the world")
    click(window, button(window, "Copy"))
    lines = imgui.get_clipboard_text().splitlines()
    assert [line[10:] for line in lines] == ["Restarted", "! That is outside the world"]
    click(window, button(window, "Clear"))
    assert window.session.messages.log == []


def test_a_message_is_seen_over_a_panel_but_not_over_an_open_list(open_on: OpenWindow) -> None:
    window = open_on(drifting(), (640, 360), panels=["world"])
    window.session.messages.warn("that is outside the world")
    look(window)
    click(window, "##Settings/Settings.backdrop")
    assert "Combo" in in_front(window)[-1]
    click(window, "##Settings/Settings.backdrop")
    assert in_front(window).index(BENEATH) < in_front(window).index("##toast0")


def in_front(window: FlockWindow) -> list[str]:
    """The names of all windows of Dear ImGui that are seen, the foremost last."""
    look(window)
    return [shown.name for shown in imgui.get_current_context().windows if shown.active and not shown.hidden]
