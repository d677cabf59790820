"""Toasts: each is as large as its text, from its first frame on."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.messages import Messages

from .conftest import OpenWindow, drifting

LONG = "A sentence that is much longer than the one before it, and that takes a wider window."


def test_a_toast_has_its_size_in_its_first_frame(open_on: OpenWindow) -> None:
    window = open_on(drifting(), (1000, 600))
    for text in ("Short.", LONG, "Short again.", LONG * 3):
        window.session.messages.say(text)
        sizes = []
        for _ in range(3):
            window.on_update(0.05)
            window.on_draw()
            toast = imgui.internal.find_window_by_name("##toast0")
            sizes.append((toast.size.x, toast.size.y))
            assert toast.size.x >= min(imgui.calc_text_size(text).x, 500)
            assert not toast.hidden
        assert len(set(sizes)) == 1


def test_a_message_of_the_same_thing_takes_the_place_of_the_one_before() -> None:
    messages = Messages()
    for words in ("coloured by species", "coloured by speed"):
        messages.say(words, about="colours")
    assert [message.text for message in messages.shown] == ["coloured by speed"]
    messages.say("saved")
    messages.say("coloured by flock", about="colours")
    assert [message.text for message in messages.shown] == ["saved", "coloured by flock"]
    assert len(messages.log) == 4
