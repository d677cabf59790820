"""Blocks of a panel: whatever their places and sizes, a frame ends well."""

from __future__ import annotations

from random import Random

import pytest
from imgui_bundle import imgui

from .conftest import OpenWindow, at, drifting

SIZES = [(0.0, 0.0), (0.0, 84.0), (136.0, 150.0), (0.0, -20.0), (1.0, 1.0)]  # pixels


@pytest.mark.parametrize("scrolls", [True, False])
def test_a_table_may_be_anywhere_also_where_nothing_of_it_is_seen(open_on: OpenWindow, scrolls: bool) -> None:
    window, dice = open_on(drifting(at(100, 100))), Random(1)
    window.on_draw()
    ui, filled = window.gui.ui, 0
    for _ in range(3_000):
        imgui.new_frame()
        imgui.set_next_window_pos((dice.randrange(-300, 1400), dice.randrange(-300, 900)))
        imgui.set_next_window_size((dice.randrange(1, 500), dice.randrange(1, 400)))
        if imgui.begin(f"anywhere {dice.randrange(3)}")[0]:
            imgui.set_cursor_pos((dice.randrange(-50, 400), dice.randrange(-50, 400)))
            with ui.table("rows", [20, None, 0], dice.choice(SIZES), scrolls=scrolls) as shown:
                for row in range(3 if shown else 0):
                    ui.next_row()
                    ui.button(f"{row}")
                    filled += 1
        imgui.end()
        imgui.render()
    assert filled > 0
