"""The keys of films."""

from __future__ import annotations

import pytest
from arcade import key

from tests.app.conftest import OpenWindow, at, drifting, send

from .test_filming import filming


@pytest.mark.parametrize(("pressed", "said"), [(key.F3, "no GIF"), (key.F4, "The film starts here")])
def test_a_key_films(open_on: OpenWindow, pressed: int, said: str) -> None:
    window = open_on(drifting(at(300, 200)))
    window.session.clock.paused = True
    send(window, ("on_key_press", pressed, 0))
    window.on_update(0)
    assert said in window.session.messages.newest
    assert (filming(window).begin == 0) == (pressed == key.F4)
