"""The keys of films, and the button of the time bar."""

from __future__ import annotations

import pytest
from arcade import key

from tests.app.conftest import OpenWindow, at, drifting, send
from tests.app.widgets import click, look

from .test_filming import filming


@pytest.mark.parametrize(("pressed", "said"), [(key.F3, "no GIF"), (key.F4, "The film starts here")])
def test_a_key_films(open_on: OpenWindow, pressed: int, said: str) -> None:
    window = open_on(drifting(at(300, 200)))
    window.session.clock.paused = True
    send(window, ("on_key_press", pressed, 0))
    window.on_update(0)
    assert said in window.session.messages.newest
    assert (filming(window).begin == 0) == (pressed == key.F4)


def test_the_time_bar_has_a_button_that_begins_a_film_and_then_ends_it(open_on: OpenWindow) -> None:
    window = open_on(drifting(at(300, 200)), (1200, 700), panels=["time bar"])
    button = next(label for label in look(window).places if "##record" in label)
    click(window, button)
    assert filming(window).begin is not None
    click(window, button)
    assert filming(window).begin is None
    assert filming(window).span is not None
