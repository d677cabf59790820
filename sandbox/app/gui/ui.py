"""What panels draw with: widgets that are translated, scaled and named, and blocks that always end.

Panels of the program, of extras and of mods get the same object, a thin layer over Dear ImGui, and nothing else of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn

from imgui_bundle import imgui

from sandbox.app.gui.blocks import Size
from sandbox.app.gui.layout import Layout
from sandbox.app.gui.pen import Pen
from sandbox.app.gui.plots import Plot, draw_scale
from sandbox.app.gui.theme import Rgba, Theme
from sandbox.files import as_text
from sandbox.language import translate, translate_label

GAP = 6.0  # pixels between a panel and a tooltip beside it
WIDTH, WIDER = 18.0, 24.0  # of the lines of tooltips beside a panel and beside the mouse, times the font size
TIPS = imgui.HoveredFlags_.for_tooltip | imgui.HoveredFlags_.allow_when_disabled
AFTER = "ui is there for the `draw` of a panel alone: overlays and tools draw on their canvas"
HAS_WIDTH = imgui.internal.NextItemDataFlags_.has_width


class Ui(Layout):
    """The widgets of a panel, one below the other.

    Words are translated, and values in braces are filled in: `ui.text("{count:,} live here", count=3)`. What follows
    "##" in a label is not shown: it tells widgets with the same words apart. Colours are (red, green, blue, opacity),
    each 0 to 1.

    Attributes:
        theme: the colours of panels: `ink`, `faint`, `accent`, `good`, `wrong` and others.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._given: list[Plot | Pen] | None = None  # what ends with this drawing, if it is lent

    # ---- widgets

    def button(self, label: str, about: str = "", size: Size = (0, 0), *, enabled: bool = True) -> bool:
        """Draw a button and return whether it was pressed.

        Args:
            about: its tooltip.
            size: width and height, pixels; 0 fits the words, -1 fills the width.
        """
        with self.disabled(not enabled):
            pressed = imgui.button(translate_label(label), size)
        if about:
            self.tip(about)
        return pressed

    def buttons(self, count: int) -> Buttons:
        """Return a line of `count` buttons of equal width."""
        return Buttons(self, count)

    def area(self, name: str, size: Size, *, keys: bool = True) -> bool:
        """Add an area that is still empty, and return whether it was clicked; `pen` draws on it.

        Args:
            keys: it can be reached and pressed by keys, too.
        """
        return imgui.invisible_button(f"##{name}", size, imgui.ButtonFlags_.enable_nav if keys else 0)

    def check_box(self, label: str, on: bool) -> bool:
        """Draw a check box and return whether it is ticked now."""
        with self.styled(frame_border_size=1):  # otherwise an empty one would be invisible
            return bool(imgui.checkbox(translate_label(label), on)[1])

    def drag(self, label: str, value: float, pace: float, low: float, high: float, form: str = "%.3g") -> float:
        """Draw a number that a drag changes; return what it is now.

        Args:
            pace: the change per pixel.
        """
        changed, new = imgui.drag_float(translate_label(label), value, pace, low, high, form)
        return float(new) if changed else value

    def slider(
        self,
        label: str,
        value: float,
        low: float,
        high: float,
        form: str | None = None,
        *,
        logarithmic: bool = False,
        typed: bool = True,
    ) -> float:
        """Draw a slider and return the number that it stands at now: an int if `value` is one.

        Args:
            form: how the number is written: "%.2f s", "%d", "" not at all.
            logarithmic: the larger the numbers, the nearer they stand together.
            typed: a number can be typed after Ctrl+click.
        """
        flags = imgui.SliderFlags_.always_clamp
        flags |= imgui.SliderFlags_.logarithmic if logarithmic else 0
        flags |= 0 if typed else imgui.SliderFlags_.no_input
        if isinstance(value, int):
            form = "%d" if form is None else form
            return int(imgui.slider_int(translate_label(label), value, int(low), int(high), form, flags)[1])
        form = "%.3g" if form is None else form
        changed, new = imgui.slider_float(translate_label(label), value, low, high, form, flags)
        return float(new) if changed else value

    def text_box(self, label: str, text: str, hint: str = "", *, live: bool = True, whole: bool = False) -> str:
        """Draw a box for a line of text, which shows `hint` while it is empty; return its text now.

        Args:
            live: return what is typed at once, not only when typing has ended.
            whole: all of the text is selected when typing begins.
        """
        self._fill()
        flags = imgui.InputTextFlags_.auto_select_all if whole else 0
        imgui.push_item_flag(imgui.ItemFlags_.live_edit_on_input_text, live)
        new = imgui.input_text_with_hint(translate_label(label), translate(hint), text, flags)[1]
        imgui.pop_item_flag()
        return new

    def choice(
        self,
        label: str,
        options: Iterable[str],
        chosen: str,
        barred: Mapping[str, str] | None = None,
        tips: Mapping[str, str] | None = None,
    ) -> str:
        """Draw a list that opens, and return the option that is chosen now.

        Args:
            barred: by disabled option, the reason, which is shown in its tooltip.
            tips: by option, what it does, which is shown in its tooltip.
        """
        self._fill()
        with self.combo(label, translate(as_label(chosen.removeprefix(".")))) as on:
            for option in options if on else ():
                why = (barred or {}).get(option, "")
                with self.disabled(bool(why)):
                    if self.entry(translate_label(as_label(option.removeprefix("."))), option == chosen):
                        chosen = option
                for words in filter(None, ((tips or {}).get(option), why)):
                    self.tip(words)
        return chosen

    def entry(self, text: str, chosen: bool, height: float = 0.0, *, across: bool = False) -> bool:
        """Draw an entry of a list, which is not translated, and return whether it was clicked.

        Args:
            height: pixels; 0: that of a line. `across`: it is as wide as the whole table.
        """
        flags = imgui.SelectableFlags_.span_all_columns if across else 0
        with self.styled(selectable_text_align=(0, 0.5)):
            return bool(imgui.selectable(text, chosen, flags, (0, height))[0])

    def progress(self, share: float | None, words: str = "", **values: object) -> None:
        """Draw a bar that is full at a share of 1; None: it moves, because nobody knows how far it is."""
        with self.coloured(plot_histogram=self.theme.tinted(0.5)):  # pale, because the words are drawn over it
            imgui.progress_bar(-imgui.get_time() if share is None else share, (-1, 0), translate(words, **values))

    def _fill(self) -> None:
        """Let the next widget take the whole width, if it was given none."""
        if not imgui.get_current_context().next_item_data.has_flags & HAS_WIDTH:
            imgui.set_next_item_width(-1)

    # ---- the last widget

    @property
    def hovered(self) -> bool:
        """Whether the mouse is on the last widget."""
        return bool(imgui.is_item_hovered())

    @property
    def taken(self) -> bool:
        """Whether the mouse button went down on the last widget in this frame: a drag may begin."""
        return bool(imgui.is_item_activated())

    @property
    def held(self) -> bool:
        """Whether the mouse button is down since it went down on the last widget."""
        return bool(imgui.is_item_active())

    @property
    def dragged(self) -> bool:
        """Whether the last widget is held and the mouse has moved."""
        return self.held and bool(imgui.is_mouse_dragging(imgui.MouseButton_.left))

    @property
    def ended(self) -> bool:
        """Whether typing into the last widget, or a drag of it, has ended in this frame."""
        return bool(imgui.is_item_deactivated())

    @property
    def entered(self) -> bool:
        """Whether typing into the last widget has ended with Enter in this frame."""
        return self.ended and self.pressed("enter", repeats=False)

    @property
    def edges(self) -> tuple[Size, Size]:
        """The upper left and the lower right corner of the last widget, pixels of the screen."""
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        return (low.x, low.y), (high.x, high.y)

    def double_clicked(self) -> bool:
        """Return whether the last widget is double-clicked, and if so, let go of it."""
        if not (self.hovered and self.twice):
            return False
        imgui.internal.clear_active_id()
        return True

    def tip(self, words: str, **values: object) -> None:
        """Explain the last widget while the mouse rests on it."""
        if imgui.is_item_hovered(TIPS):
            with self.tooltip():
                self.verbatim(translate(words, **values), wraps=imgui.get_font_size() * WIDER)

    def tip_beside(self, text: str, more: str = "") -> None:
        """Show a tooltip for the last widget beside its window; `more` is drawn fainter below the text."""
        if not imgui.is_item_hovered(TIPS) or self.busy:
            return
        corner, wide, middle = imgui.get_window_pos(), imgui.get_window_width(), imgui.get_io().display_size.x / 2
        at_the_left = corner.x + wide / 2 > middle
        x = corner.x - GAP if at_the_left else corner.x + wide + GAP
        imgui.set_next_window_pos((x, imgui.get_item_rect_min().y), imgui.Cond_.always, (float(at_the_left), 0))
        with self.tooltip():
            self.verbatim(translate(text), wraps=imgui.get_font_size() * WIDTH)
            if more:
                self.verbatim(translate(more), self.theme.faint, wraps=imgui.get_font_size() * WIDTH)

    # ---- mouse, keys and time

    @property
    def appears(self) -> bool:
        """Whether the panel was not shown in the last frame."""
        return bool(imgui.is_window_appearing())

    @property
    def focused(self) -> bool:
        """Whether keys belong to this panel, and nobody types."""
        here = imgui.is_window_focused(imgui.FocusedFlags_.root_and_child_windows)
        return here and not imgui.get_io().want_text_input

    @property
    def busy(self) -> bool:
        """Whether any widget is held or typed into."""
        return bool(imgui.is_any_item_active())

    @property
    def mouse(self) -> Size:
        """Where the mouse is, pixels of the screen."""
        place = imgui.get_mouse_pos()
        return place.x, place.y

    @property
    def twice(self) -> bool:
        """Whether the mouse is double-clicked in this frame."""
        return bool(imgui.is_mouse_double_clicked(0))

    @property
    def seconds(self) -> float:
        """The time of the window, s."""
        return float(imgui.get_time())

    def pressed(self, key: str, *, repeats: bool = True) -> bool:
        """Return whether a key goes down in this frame, or repeats, by Dear ImGui's name of it: "left_arrow"."""
        return bool(imgui.is_key_pressed(imgui.Key[key], repeats))

    def focus(self) -> None:
        """Let the next text box be typed into; while a question waits, only its dialog can have the keyboard."""
        if imgui.internal.find_blocking_modal(imgui.internal.get_current_window()) is None:
            imgui.set_keyboard_focus_here()

    def copy(self, text: str) -> None:
        """Put a text on the clipboard."""
        imgui.set_clipboard_text(text)

    # ---- pictures

    @property
    def pen(self) -> Pen:
        """What draws on the panel, at pixels of the screen: `here` is where the next widget begins."""
        pen = Pen()
        if self._given is not None:
            self._given.append(pen)
        return pen

    @property
    def ratio(self) -> float:
        """The number of pixels of the display for a pixel of the window."""
        return float(imgui.get_io().display_framebuffer_scale.x)

    def plot(self, name: str, size: Size) -> Plot:
        """Begin a plot; `size`: pixels, less than 0 leaves so much of the room."""
        plot = Plot(name, self.theme, self.scale, size)
        if self._given is not None:
            self._given.append(plot)
        return plot

    def colour_scale(self, low: float, high: float, size: Size, decimals: int) -> None:
        """Draw the scale of a map's colours."""
        draw_scale(low, high, size, decimals, self.theme, self.scale)

    def ring(self, colour: Rgba) -> None:
        """Draw an empty circle as high as a line, beside which text follows."""
        (x, y), line = self.here, self.line
        self.pen.circle((x + 0.43 * line, y + 0.5 * line), 0.38 * line, colour, 0.1 * line)
        self.space((0.86 * line, line))
        self.beside()

    def bars(self, colours: Sequence[Rgba], height: float) -> None:
        """Draw bars side by side over the whole width; `height`: pixels at the usual text size."""
        (x, y), wide, gap, tall = self.here, self.room[0], 3 * self.scale, height * self.scale
        part = (wide - (len(colours) - 1) * gap) / max(len(colours), 1)
        for number, colour in enumerate(colours):
            begin = x + number * (part + gap)
            self.pen.box((begin, y), (begin + part, y + tall), colour, tall / 2)
        self.space((wide, tall + 2 * self.scale))

    def keys(self, keys: Sequence[str]) -> None:
        """Draw key caps in a row. They are slightly higher than a line of text: leave space above and below."""
        (x, y), scale, line, begin = self.here, self.scale, self.line, self.here[0]
        for key in keys:
            text, _ = self.size(key)
            width = max(text + 10 * scale, line + 2 * scale)
            low, high = (x, y - scale), (x + width, y + line + 2 * scale)
            self.pen.box(low, high, self.theme.raised, 4 * scale)
            self.pen.border(low, high, self.theme.line, 4 * scale)
            self.pen.text((x + (width - text) / 2, y), self.theme.ink, key)
            x += width + 4 * scale
        self.space((max(x - begin, 1), line))


@contextmanager
def lent(theme: Theme) -> Iterator[Ui]:
    """Lend an object for one drawing of a mod's panel: what is left open is ended, and later uses are refused."""
    before, ui, io = imgui.internal.ErrorRecoveryState(), Ui(theme), imgui.get_io()
    ui._given = given = list[Plot | Pen]()
    imgui.internal.error_recovery_store_state(before)
    try:
        yield ui
    finally:
        for each in given:
            each.end()
        vars(ui).clear()
        ui.__class__ = _Returned  # type: ignore[assignment]
        io.config_error_recovery_enable_assert = False
        imgui.internal.error_recovery_try_to_recover_state(before)
        io.config_error_recovery_enable_assert = True


class _Returned:
    """A lent object after the drawing: between two frames Dear ImGui would crash the program."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(AFTER)


class Buttons:
    """A line of buttons of equal width; where there is no room for an icon before the words, it is left out."""

    def __init__(self, ui: Ui, count: int) -> None:
        gaps = (count - 1) * imgui.get_style().item_spacing.x
        self._ui, self._size, self._first = ui, ((ui.room[0] - gaps) / count, 0.0), True

    def button(self, label: str, about: str = "", *, enabled: bool = True) -> bool:
        """Draw the next button and return whether it was pressed."""
        if not self._first:
            self._ui.beside()
        self._first = False
        _, gap, words = label.partition("  ")
        room = self._size[0] - 2 * imgui.get_style().frame_padding.x
        if gap and self._ui.size(translate_label(label).partition("##")[0])[0] > room:
            label = words
        return self._ui.button(label, about, self._size, enabled=enabled)


def as_label(text: str) -> str:
    """Return a name that a person chose as a label; "##" is split because Dear ImGui hides what follows it."""
    return re.sub("#(?=#)", "# ", as_text(text))
