"""The menu bar, every action by its title, with its key; and the command palette, any action by words of its title."""

from __future__ import annotations

from imgui_bundle import imgui

from sandbox.app.gui.panel import GAP, Box
from sandbox.app.gui.ring import spot
from sandbox.app.gui.theme import OVER_WORLD, Theme
from sandbox.app.session.action import MENUS, PANELS, Action, keys_of
from sandbox.app.session.session import Session
from sandbox.language import labelled, said

SPELT = {",": "Comma", ".": "Full stop", "/": "Slash", "[": "Left bracket", "]": "Right bracket", "-": "Minus"}
WIDE = 420.0  # pixels, of the command palette
MOST = 12  # actions listed


def draw_menu(session: Session) -> None:
    """Draw it at the window's upper edge."""
    if not imgui.begin_main_menu_bar():
        return
    for menu in MENUS:
        opened = imgui.begin_menu(labelled(menu))
        spot(session, f"menu {menu}")
        if opened:
            _draw(menu, session)
            imgui.end_menu()
    imgui.end_main_menu_bar()


def _draw(menu: str, session: Session) -> None:
    """The menu's actions, section by section; the menu Panels has every panel, also those of other menus."""
    found = [(action.section if action.menu == menu else 0, action) for action in session.actions.values()]
    found = [each for each in found if each[1].menu == menu or each[1].group == menu == PANELS]
    found.sort(key=lambda each: each[0])
    before = found[0][0] if found else 0
    for section, action in found:
        if section != before:
            imgui.separator()
        before = section
        chosen = action.is_on is not None and action.is_on(session)
        possible = action.possible is None or action.possible(session)
        imgui.push_id(action.name)
        if imgui.menu_item(labelled(action.title), _key(action, session), chosen, possible)[0]:
            session.act(action.name)
        spot(session, f"item {action.name}")
        imgui.pop_id()
        if action.help:
            imgui.set_item_tooltip(said(action.help))


def _key(action: Action, session: Session) -> str:
    """What to press for it; a lone comma or full stop would hardly be seen."""
    return "".join(said(SPELT[key]) if key in SPELT else key for key in keys_of(action, session.preferences)[:1])


class CommandPalette:
    """A field to type in, and below it what was found: Enter does the chosen one, a click any."""

    def __init__(self) -> None:
        self._sought = ""
        self._chosen = 0

    def draw(self, session: Session, theme: Theme, middle: Box) -> None:
        """Draw it over the world while it is open; `middle`: what panels leave free."""
        if not session.view.seeks_action:
            self._sought, self._chosen = "", 0
            return
        scale = imgui.get_style().font_scale_main
        corner = middle.x + middle.width / 2, middle.y + GAP * scale
        imgui.set_next_window_pos(corner, imgui.Cond_.always, (0.5, 0))
        imgui.begin("###commands", None, OVER_WORLD)
        if imgui.is_window_appearing():
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(min(WIDE * scale, middle.width - 4 * GAP * scale))
        changed, self._sought = imgui.input_text_with_hint("##commands", said("Find a command"), self._sought)
        entered = imgui.is_key_pressed(imgui.Key.enter, False) or imgui.is_key_pressed(imgui.Key.keypad_enter, False)
        leaves = imgui.is_item_deactivated()  # by a click elsewhere, or by Escape
        found = matching(self._sought, session)[:MOST]
        step = imgui.is_key_pressed(imgui.Key.down_arrow) - imgui.is_key_pressed(imgui.Key.up_arrow)
        self._chosen = 0 if changed else min(max(self._chosen + step, 0), max(len(found) - 1, 0))
        done = None
        for place, action in enumerate(found):
            if imgui.selectable(labelled(f"{action.title}##command"), place == self._chosen)[0]:
                done = action
            keys = keys_of(action, session.preferences)[:1]
            if keys:
                imgui.same_line(imgui.get_content_region_avail().x - imgui.calc_text_size(keys[0]).x)
                imgui.text_colored(theme.faint, keys[0])
        if not found:
            imgui.text_disabled(said("No matches."))
        is_over = imgui.is_window_hovered(imgui.HoveredFlags_.allow_when_blocked_by_active_item)
        imgui.end()
        if entered and found:
            done = found[self._chosen]
        if done is not None or (leaves and not is_over):
            session.view.seeks_action = False
        if done is not None:
            session.act(done.name)


def matching(sought: str, session: Session) -> list[Action]:
    """Actions that can be done now whose titles have all words that are sought; those that begin so come first."""
    words = sought.lower().split()
    every = [action for action in session.actions.values() if action.pans is None and action.name != "commands"]
    possible = [action for action in every if action.possible is None or action.possible(session)]
    found = [action for action in possible if all(word in said(action.title).lower() for word in words)]
    return sorted(found, key=lambda action: not said(action.title).lower().startswith(sought.lower().strip()))
