"""What a right click on a field's line offers: to vary it in a study."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from components.store.fields import Field
from sandbox.app.fields.subjects import Reading, Subject, is_number
from sandbox.language import labelled, said

VARY = f"{icons.ICON_FA_TABLE_CELLS}  Vary in a study"


def offer_to_vary(label: str, over: bool, field: Field, reading: Reading, subject: Subject) -> None:
    """Offer it, right after the widget of a field; `over`: the mouse is on its caption."""
    is_clicked = (over or imgui.is_item_hovered()) and imgui.is_mouse_released(1)
    if is_clicked and is_number(field) and subject.study_key(field):
        imgui.open_popup(label)
    if imgui.begin_popup(label):
        if imgui.menu_item(labelled(VARY), "", False)[0]:
            key = subject.study_key(field)
            words = f"{key.split('.')[0]} {said(field.name.replace('_', ' '))}"
            subject.session.services.studying.vary(subject.session, key, words, field, reading.value)
        imgui.end_popup()
