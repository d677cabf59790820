"""The Messages panel: the log of all messages, newest last."""

from __future__ import annotations

import time

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.ui import Ui
from sandbox.app.messages import Message
from sandbox.app.session.session import Session
from sandbox.language import translate


class Log(Panel):
    """Lists all messages that are kept, with the time of day."""

    name = "log"
    title = "Messages"
    help = "all messages so far"
    menu = "Help"
    side = Side.LOWER_RIGHT
    size = 520.0, 300.0

    def __init__(self) -> None:
        self.only_wrong = False

    def draw(self, session: Session, ui: Ui) -> None:
        kept = session.messages.log
        wrong = sum(message.wrong for message in kept)
        self.only_wrong = ui.tick_box(f"{translate('Problems only')} ({wrong})###only wrong", self.only_wrong)
        messages = [message for message in kept if message.wrong] if self.only_wrong else kept
        copy, clear = f"{icons.ICON_FA_COPY}  Copy##log", f"{icons.ICON_FA_TRASH_CAN}  Clear##log"
        ui.at_the_right(copy, clear)
        with ui.disabled(not messages):
            if ui.button(copy):
                imgui.set_clipboard_text("".join(f"{_in_words(message)}\n" for message in messages))
            ui.beside()
            if ui.button(clear):
                session.messages.clear()
        ui.rule()
        with ui.child("messages") as shown:
            if shown:
                if not kept:
                    ui.faint("No messages yet.")
                else:
                    _list(messages, ui)


def _list(messages: list[Message], ui: Ui) -> None:
    """Draw the messages with wrapped text; skip drawing those outside the visible part."""
    scale = ui.scale
    symbol = imgui.calc_text_size("00:00:00").x + 12 * scale
    begin = symbol + 26 * scale
    width = max(ui.room[0] - begin, 60.0)
    at_end = imgui.get_scroll_y() >= imgui.get_scroll_max_y() - 1
    for message in messages:
        size = imgui.calc_text_size(message.sentence, wrap_width=width)
        if imgui.is_rect_visible(size):
            ui.verbatim(_clock(message), ui.theme.faint)
            imgui.same_line(symbol)
            icon = icons.ICON_FA_TRIANGLE_EXCLAMATION if message.wrong else icons.ICON_FA_CIRCLE_INFO
            ui.verbatim(icon, ui.theme.wrong if message.wrong else ui.theme.faint)
            imgui.same_line(begin)
            ui.verbatim(message.sentence, ui.theme.ink, wraps=width)
        else:
            imgui.dummy(size)
    if at_end:
        imgui.set_scroll_here_y(1.0)


def _clock(message: Message) -> str:
    return time.strftime("%H:%M:%S", time.localtime(message.at))


def _in_words(message: Message) -> str:
    return f"{_clock(message)}  {'! ' if message.wrong else ''}{message.sentence}"
