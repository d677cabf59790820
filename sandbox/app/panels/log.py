"""The Messages panel: the log of all messages, newest last."""

from __future__ import annotations

import time

from imgui_bundle import icons_fontawesome_6 as icons

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
        self.only_wrong = ui.check_box(f"{translate('Problems only')} ({wrong})###only wrong", self.only_wrong)
        messages = [message for message in kept if message.wrong] if self.only_wrong else kept
        copy, clear = f"{icons.ICON_FA_COPY}  Copy##log", f"{icons.ICON_FA_TRASH_CAN}  Clear##log"
        ui.at_the_right(copy, clear)
        with ui.disabled(not messages):
            if ui.button(copy):
                ui.copy("".join(f"{_in_words(message)}\n" for message in messages))
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
    symbol = ui.size("00:00:00")[0] + 12 * scale
    begin = symbol + 26 * scale
    width = max(ui.room[0] - begin, 60.0)
    at_end = ui.at_end
    for message in messages:
        size = ui.size(message.sentence, width)
        if ui.in_sight(size):
            ui.verbatim(_clock(message), ui.theme.faint)
            ui.beside_at(symbol)
            icon = icons.ICON_FA_TRIANGLE_EXCLAMATION if message.wrong else icons.ICON_FA_CIRCLE_INFO
            ui.verbatim(icon, ui.theme.wrong if message.wrong else ui.theme.faint)
            ui.beside_at(begin)
            ui.verbatim(message.sentence, ui.theme.ink, wraps=width)
        else:
            ui.space(size)
    if at_end:
        ui.to_here()


def _clock(message: Message) -> str:
    return time.strftime("%H:%M:%S", time.localtime(message.at))


def _in_words(message: Message) -> str:
    return f"{_clock(message)}  {'! ' if message.wrong else ''}{message.sentence}"
