"""The Everybody tab of the inspector: six sliders for all animals at once, a surprise, and presets."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from components.life import Energy
from sandbox.app.gui.ring import spot
from sandbox.app.gui.theme import u32
from sandbox.app.gui.ui import Ui, as_label
from sandbox.app.session.action import EDIT, Action
from sandbox.app.session.session import Session
from sandbox.design.presets import QUANTITIES, Factors, Presets, factors_now, mean_and_mixed, values_at
from sandbox.design.surprise import SURPRISE, surprise
from sandbox.edit import SetPrefabs, SetTables
from sandbox.language import translate
from sandbox.toml.schemas import LONGEST_NAME

FARTHEST = 4.0  # the right end of a slider; 1 is in its middle
NEAR = 0.025  # a factor within this distance of 1 snaps to 1
JUMP = 0.6  # s: within it, a click that moved the slider and the reset by a double click are one undo step
SLIM = 8, 2  # pixels around a slider's text
FLAGS = imgui.SliderFlags_.always_clamp | imgui.SliderFlags_.no_input
USUAL: Factors = dict.fromkeys(QUANTITIES, 1.0)


@dataclass(frozen=True)
class Slider:
    """The slider of a quantity: a curved scale with the factor 1 in the middle; `low`: the factor at the left end."""

    title: str
    about: str
    low: float = 0.0

    @property
    def _bend(self) -> float:
        return math.log2((FARTHEST - self.low) / (1 - self.low))

    def factor(self, place: float) -> float:
        """Return the factor at a place between 0 (left end) and 1; near the middle it snaps to 1."""
        found = self.low + (FARTHEST - self.low) * place**self._bend
        return round(found, 2) if abs(found - 1) > NEAR else 1.0

    def place(self, factor: float) -> float:
        """Return the place of a factor, 0 to 1; factors beyond the ends are clamped."""
        share = (min(max(factor, self.low), FARTHEST) - self.low) / (FARTHEST - self.low)
        return float(share ** (1 / self._bend))


SLIDERS = {
    "separation": Slider("Separation", "How hard each animal moves away from neighbours that are too near."),
    "alignment": Slider("Alignment", "How fast each animal turns to the course of its neighbours."),
    "cohesion": Slider("Cohesion", "How hard each animal steers to the middle of its neighbours."),
    "sight": Slider("Sight", "How far each animal sees; it follows only those it sees.", 0.1),
    "speed": Slider("Speed", "The lowest and highest speed of each animal; its acceleration grows with them.", 0.1),
    "size": Slider("Size", "How large each animal is drawn.", 0.1),
}


class EverybodyView:
    """The tab; it remembers which slider is held, so that a whole drag is one undo step."""

    def __init__(self) -> None:
        self._held, self._changed_at = "", -JUMP
        self._typed: tuple[str, str] | None = None  # the preset that is being renamed, and the text typed so far
        self._begins = False

    def reset(self) -> None:
        """Stop dragging and renaming because another world is shown."""
        self._held, self._typed = "", None

    def draw(self, session: Session, ui: Ui) -> bool:
        """Draw the tab; return whether the button "More" was pressed."""
        with ui.child("everybody"):
            if not imgui.is_any_item_active() and imgui.get_time() - self._changed_at > JUMP:
                self._held = ""
            factors = {name: self._slider(session, ui, name, slider) for name, slider in SLIDERS.items()}
            ui.space()
            wants_more = self._buttons(session, ui, factors)
            self._presets(session, ui)
        return wants_more

    def _slider(self, session: Session, ui: Ui, name: str, slider: Slider) -> float:
        found = factors_now(session.simulation.world, name)
        factor, mixed = mean_and_mixed(found)
        words = f"{translate('mixed, ') if mixed else ''}{factor:.0%}" if found else translate("none")
        with ui.disabled(not found):
            end = imgui.get_cursor_pos_x() + ui.room[0]
            with ui.group():
                ui.text(slider.title)
                imgui.same_line(end - imgui.calc_text_size(words).x)
                ui.verbatim(words, ui.theme.faint if not found or words == "100%" else ui.theme.accent)
                imgui.set_next_item_width(-1)
                with ui.styled(frame_padding=SLIM):
                    moved, place = imgui.slider_float(f"##everybody/{name}", slider.place(factor), 0, 1, "", FLAGS)
                _mark(ui, slider.place(factor))
        spot(session, name)
        over = ui.hovered
        if over and imgui.is_mouse_double_clicked(0):
            imgui.internal.clear_active_id()
            _set(session, {name: 1.0}, f"{name} as the scene has it", joins=self._held == name)
            self._held = ""
        elif moved and _set(session, {name: slider.factor(place)}, f"{name} of everybody", joins=self._held == name):
            self._held, self._changed_at = name, imgui.get_time()
        more = "100% is the value of the scene; double-click to reset."
        ui.tip_beside(slider.about, more if found else "No animal here has this: see Prefabs.")
        return factor

    def _buttons(self, session: Session, ui: Ui, factors: Factors) -> bool:
        if ui.button(f"{icons.ICON_FA_DICE}  Surprise me##everybody", SURPRISING.help, (-1, 0)):
            session.act(SURPRISE)
        spot(session, SURPRISE)
        row = ui.buttons(3)
        if row.button(f"{icons.ICON_FA_HEART}  Keep##everybody", "Save these six as a preset of the scene"):
            kept = session.simulation.world.resource(Presets).kept
            new = next(name for n in range(1, len(kept) + 2) if (name := f"Preset {n}") not in kept)
            values = {name: round(factor, 4) for name, factor in factors.items()}
            if session.submit(SetTables("presets", {**kept, new: values}, f"keep {new}")):
                session.messages.say(translate("Kept as “{new}”: it is saved with the scene.", new=new))
        if row.button(f"{icons.ICON_FA_ROTATE_LEFT}  Reset##everybody", "Reset all six to the values of the scene"):
            _set(session, USUAL, "everybody as the scene has it")
        return row.button("More##everybody", "Every field of each kind of animal")

    def _presets(self, session: Session, ui: Ui) -> None:
        kept = session.simulation.world.resource(Presets).kept
        square, gap = imgui.get_frame_height(), imgui.get_style().item_inner_spacing.x
        for name, factors in kept.items():
            wide = ui.room[0] - 2 * (square + gap)
            if self._typed and self._typed[0] == name:
                self._rename(session, name, wide)
            elif ui.button(f"{as_label(name)}##preset", told(factors), (wide, 0)):
                _set(session, {**USUAL, **factors}, f"preset {name}")
            ui.beside(gap)
            if ui.button(f"{icons.ICON_FA_PEN}##{name}", "Rename this preset", (square, 0)):
                self._typed, self._begins = (name, name), True
            ui.beside(gap)
            if ui.button(f"{icons.ICON_FA_XMARK}##{name}", "Remove this preset", (square, 0)):
                session.submit(SetTables("presets", {n: own for n, own in kept.items() if n != name}, f"remove {name}"))

    def _rename(self, session: Session, name: str, wide: float) -> None:
        assert self._typed is not None
        if self._begins:
            imgui.set_keyboard_focus_here()
        imgui.set_next_item_width(wide)
        text = imgui.input_text("##rename preset", self._typed[1], imgui.InputTextFlags_.auto_select_all)[1]
        self._typed, self._begins = (name, text), False
        if not imgui.is_item_deactivated():
            return
        self._typed, new = None, text.strip()[:LONGEST_NAME]
        kept = session.simulation.world.resource(Presets).kept
        if new in ("", name):
            return
        if new in kept:
            session.messages.warn(translate("There is already a preset “{new}”.", new=new))
        else:
            session.submit(
                SetTables("presets", {new if n == name else n: own for n, own in kept.items()}, f"rename {name}")
            )


def _set(session: Session, factors: Factors, words: str, joins: bool = False) -> bool:
    """Apply the factors to all animals; return whether the command was accepted."""
    values = values_at(session.simulation.world, factors)
    return not values or session.submit(SetPrefabs(values, words), joins=joins)


def _surprise(session: Session) -> None:
    drawn = surprise(random.Random(), starving=bool(len(session.simulation.world.table.rows(Energy))))
    if _set(session, drawn, "surprise"):
        session.messages.say(translate("Surprise: {told}.", told=told(drawn)))


SURPRISING = Action(
    SURPRISE,
    "Surprise me",
    _surprise,
    menu=EDIT,
    section=2,
    help="Set all six rules of everybody at random, to values that make good flocks",
)


def _mark(ui: Ui, place: float) -> None:
    """Draw on the last slider: a line at 100%, the scene's value, and a band from there to the current value."""
    low, high, grab = imgui.get_item_rect_min(), imgui.get_item_rect_max(), imgui.get_style().grab_min_size
    middle, knob = (low.x + high.x) / 2, low.x + grab / 2 + 2 + place * (high.x - low.x - grab - 4)
    draw, y, band = imgui.get_window_draw_list(), (low.y + high.y) / 2, 0.12 * (high.y - low.y)
    if abs(knob - middle) > grab / 2:
        end = knob - math.copysign(grab / 2, knob - middle)
        corners = (min(middle, end), y - band), (max(middle, end), y + band)
        draw.add_rect_filled(*corners, u32(ui.theme.tinted(0.5)))
    draw.add_line((middle, low.y + 3), (middle, high.y - 3), u32(ui.theme.faint))


def told(factors: Factors) -> str:
    """Return the factors that are not 1 in words: "cohesion 180%, sight 70%"."""
    return ", ".join(
        f"{translate(name)} {factors.get(name, 1.0):.0%}" for name in QUANTITIES if factors.get(name, 1.0) != 1
    ) or (translate("all as the scene has it"))
