"""The Everybody tab of the inspector: six sliders for all animals at once, a surprise, and presets."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from imgui_bundle import icons_fontawesome_6 as icons

from components.life import Energy
from sandbox.app.gui.ring import action_button, spot
from sandbox.app.gui.theme import GRAB
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

    def factor(self, share: float) -> float:
        """Return the factor at a share of the slider, from 0 (left end) to 1; near the middle it snaps to 1."""
        found = self.low + (FARTHEST - self.low) * share**self._bend
        return round(found, 2) if abs(found - 1) > NEAR else 1.0

    def share(self, factor: float) -> float:
        """Return the share of the slider at a factor, 0 to 1; factors beyond the ends are clamped."""
        straight = (min(max(factor, self.low), FARTHEST) - self.low) / (FARTHEST - self.low)
        return float(straight ** (1 / self._bend))


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
            if not ui.busy and ui.seconds - self._changed_at > JUMP:
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
        with ui.disabled(not found), ui.group():
            ui.text(slider.title)
            ui.text_at_the_right(words, ui.theme.faint if not found or words == "100%" else ui.theme.accent)
            ui.leave()
            now = slider.share(factor)
            with ui.styled(frame_padding=SLIM):
                share = ui.slider(f"##everybody/{name}", now, 0, 1, "", typed=False)
            _mark(ui, now)
        spot(session, name)
        if ui.double_clicked():
            _set(session, {name: 1.0}, f"{name} as the scene has it", joins=self._held == name)
            self._held = ""
        elif share != now:
            joins = self._held == name
            if _set(session, {name: slider.factor(share)}, f"{name} of everybody", joins=joins):
                self._held, self._changed_at = name, ui.seconds
        more = "100% is the value of the scene; double-click to reset."
        ui.tip_beside(slider.about, more if found else "No animal here has this: see Prefabs.")
        return factor

    def _buttons(self, session: Session, ui: Ui, factors: Factors) -> bool:
        surprise = f"{icons.ICON_FA_DICE}  Surprise me##everybody"
        action_button(session, ui.buttons(1), surprise, SURPRISE, SURPRISING.help)
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
        square, gap = ui.button_height, ui.small_gap
        for name, factors in kept.items():
            wide = ui.room[0] - 2 * (square + gap)
            if self._typed and self._typed[0] == name:
                self._rename(session, ui, name, wide)
            elif ui.button(f"{as_label(name)}##preset", told(factors), (wide, 0)):
                _set(session, {**USUAL, **factors}, f"preset {name}")
            ui.beside(gap)
            if ui.button(f"{icons.ICON_FA_PEN}##{name}", "Rename this preset", (square, 0)):
                self._typed, self._begins = (name, name), True
            ui.beside(gap)
            if ui.button(f"{icons.ICON_FA_XMARK}##{name}", "Remove this preset", (square, 0)):
                session.submit(SetTables("presets", {n: own for n, own in kept.items() if n != name}, f"remove {name}"))

    def _rename(self, session: Session, ui: Ui, name: str, wide: float) -> None:
        assert self._typed is not None
        if self._begins:
            ui.focus()
        ui.wide(wide)
        text = ui.text_box("##rename preset", self._typed[1], whole=True)
        self._typed, self._begins = (name, text), False
        if not ui.ended:
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


def _mark(ui: Ui, share: float) -> None:
    """Draw on the last slider: a line at 100%, the scene's value, and a band from there to the current value."""
    ((left, top), (right, low)), grab = ui.edges, GRAB * ui.scale
    middle, knob = (left + right) / 2, left + grab / 2 + 2 + share * (right - left - grab - 4)
    y, band = (top + low) / 2, 0.12 * (low - top)
    if abs(knob - middle) > grab / 2:
        end = knob - math.copysign(grab / 2, knob - middle)
        ui.pen.box((min(middle, end), y - band), (max(middle, end), y + band), ui.theme.tinted(0.5))
    ui.pen.line((middle, top + 3), (middle, low - 3), ui.theme.faint)


def told(factors: Factors) -> str:
    """Return the factors that are not 1 in words: "cohesion 180%, sight 70%"."""
    return ", ".join(
        f"{translate(name)} {factors.get(name, 1.0):.0%}" for name in QUANTITIES if factors.get(name, 1.0) != 1
    ) or (translate("all as the scene has it"))
