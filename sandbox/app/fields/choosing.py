"""A combo box with a caption, aligned with the widgets of fields."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from imgui_bundle import imgui

from sandbox.app.fields.widgets import FieldWidgets
from sandbox.app.gui.small_widgets import as_label
from sandbox.language import translate, translate_label


def choice(
    widgets: FieldWidgets,
    panel: str,
    caption: str,
    about: str,
    options: Iterable[str],
    chosen: str,
    barred: Mapping[str, str] | None = None,
) -> str:
    """Draw the combo box and return the option that is now chosen.

    Args:
        panel: the name of the panel, which makes the widget's id unique.
        barred: by disabled option, the reason, which is shown as its tooltip.
    """
    widgets.caption(caption, about)
    imgui.set_next_item_width(-1)
    if imgui.begin_combo(f"##{panel} {caption}", translate(as_label(chosen.removeprefix(".")))):
        for option in options:
            why = (barred or {}).get(option, "")
            imgui.begin_disabled(bool(why))
            if imgui.selectable(translate_label(as_label(option.removeprefix("."))), option == chosen)[0]:
                chosen = option
            imgui.end_disabled()
            if why:
                imgui.set_item_tooltip(translate(why))
        imgui.end_combo()
    return chosen
