"""The panels of a window: Dear ImGui's context, its frame, and what each panel is drawn into."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from arcade import ArcadeContext
from imgui_bundle import imgui, implot

from sandbox.app.gui import theme
from sandbox.app.gui.events import FRAMES_AWAKE, Events
from sandbox.app.gui.floating import Floating
from sandbox.app.gui.hint import draw_hint
from sandbox.app.gui.layout import DOCKS, Box, Layout, Side, layout
from sandbox.app.gui.legend import draw_legend
from sandbox.app.gui.menu import draw_menu
from sandbox.app.gui.panel import Panel
from sandbox.app.gui.question_window import draw_dialogs
from sandbox.app.gui.recovery import BrokenFrameError
from sandbox.app.gui.renderer import Renderer
from sandbox.app.gui.tabs import draw_tabs
from sandbox.app.gui.toasts import draw_toasts
from sandbox.app.session.session import Session

AT_REST = 0.99 / 30  # seconds between two looks at panels that nobody touches; two frames of a usual screen
FIXED = (
    imgui.WindowFlags_.no_resize
    | imgui.WindowFlags_.no_move
    | imgui.WindowFlags_.no_title_bar
    | imgui.WindowFlags_.no_saved_settings
    | imgui.WindowFlags_.no_bring_to_front_on_focus
)


Read = Callable[[], str]
Write = Callable[[str], None]


class Gui:
    """All panels.

    Attributes:
        events: where pyglet's events go.
        theme: the colours panels use for what Dear ImGui has no colour for.
    """

    def __init__(self, context: ArcadeContext, size: tuple[int, int], system_scale: float) -> None:
        """`system_scale`: how much larger than usual the system wants text, 1 at 96 dots per inch."""
        self.renderer = Renderer(context)
        self.events = Events(size[1])
        self._clipboard: tuple[Read, Write] | None = None
        self._system_scale = system_scale
        self._dressed: tuple[str, float] | None = None
        self.theme = theme.THEMES["dark"]
        self._size = size
        self._seconds = 0.0
        self._seen: tuple[object, ...] = ()
        self._insets = 0.0, 0.0, 0.0, 0.0
        self._closed = True
        self._begin()

    def _begin(self) -> None:
        """Begin with no panel known."""
        self._imgui, self._implot = imgui.create_context(), implot.create_context()
        self._closed = False
        self.enter()
        self._io = imgui.get_io()
        self._io.set_ini_filename("")
        self._io.config_windows_move_from_title_bar_only = True
        theme.load_fonts()
        self._floating = Floating()
        self.renderer.begin()
        self.events.begin()
        self._dressed = None
        if self._clipboard:
            self.use_clipboard(*self._clipboard)

    def enter(self) -> None:
        """Make these panels the ones that Dear ImGui means."""
        imgui.set_current_context(self._imgui)
        implot.set_current_context(self._implot)

    def close(self) -> None:
        """Forget all panels; closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        self.enter()
        self.renderer.close()
        implot.destroy_context(self._implot)
        imgui.destroy_context(self._imgui)

    def use_clipboard(self, read: Read, write: Write) -> None:
        """Copy to and paste from the system's clipboard; where there is none, within the window."""
        self._clipboard = read, write
        kept = ""

        def get(_: imgui.internal.Context) -> str:
            try:
                return read()
            except NotImplementedError:  # without a display
                return kept

        def put(_: imgui.internal.Context, text: str) -> None:
            nonlocal kept
            kept = text
            with suppress(NotImplementedError):
                write(text)

        self.enter()
        imgui.get_platform_io().platform_get_clipboard_text_fn = get
        imgui.get_platform_io().platform_set_clipboard_text_fn = put

    def resize(self, width: int, height: int) -> None:
        self._size = width, height
        self.events.height = height

    def pass_time(self, seconds: float) -> None:
        """Dear ImGui's own clock, for what blinks and fades."""
        self._seconds += seconds

    @property
    def scale(self) -> float:
        """How much larger than usual text is."""
        return self._dressed[1] if self._dressed else 1.0

    def draw(self, session: Session, ratio: float) -> None:
        """Draw all panels over what is there; `ratio`: pixels of the framebuffer per pixel of the window.

        Where nothing was done to them, panels are made anew as often as numbers can be read, and in between drawn as
        they were. Where a mod broke the frame, another is begun without it.
        """
        if self._is_due(session, ratio):
            self._make(session, ratio)
        self.renderer.draw()

    def _is_due(self, session: Session, ratio: float) -> bool:
        asked = id(session.asking.question), id(session.asking.dialog), len(session.messages.log)
        seen, self._seen = self._seen, (self._size, ratio, self.events.hidden, *asked, self._dressed)
        if seen != self._seen:
            self.events.awake = FRAMES_AWAKE
        return self.events.awake > 0 or not 0 < self._seconds < AT_REST

    def _make(self, session: Session, ratio: float) -> None:
        while True:
            try:
                self._make_anew(session, ratio)
            except BrokenFrameError:  # its mod draws no more: each can break one frame
                self.close()
                self._begin()
            else:
                return

    def dress_again(self) -> None:
        """With the next frame all looks as the theme says, whatever a mod changed."""
        self._dressed = None

    def _make_anew(self, session: Session, ratio: float) -> None:
        self.enter()
        self._dress(session)
        self._io.display_size = imgui.ImVec2(*self._size)
        self._io.display_framebuffer_scale = imgui.ImVec2(ratio, ratio)
        self._io.delta_time, self._seconds = max(self._seconds, 1e-4), 0.0
        imgui.new_frame()
        session.capture = None
        session.asking.walks = session.playback.held = False
        session.view.panels.clear()
        if not self.events.hidden:
            self._draw_panels(session)
        draw_toasts(session, self.theme, self._size, self._insets)
        draw_dialogs(session, self.theme)
        imgui.render()
        self.renderer.take(imgui.get_draw_data())
        self.events.frame_drawn()

    def _draw_panels(self, session: Session) -> None:
        top = draw_menu(session)
        known = {panel.name: panel for panel in session.app.panels}
        opened = [known[name] for name in session.preferences.open if name in known]
        docked = {side: [panel for panel in opened if panel.side is side] for side in DOCKS}
        places = self._places(top, docked)
        floating = [panel for panel in opened if panel.side is Side.FLOATING]
        if places.is_narrow(self.scale) and places.right:  # there they would hide the whole world
            docked[Side.RIGHT] = [panel for panel in opened if panel.side in (Side.RIGHT, Side.FLOATING)]
            floating = []
            places = self._places(top, docked)
        self._insets = places.insets(*self._size)
        session.camera.keep_clear(self._insets)
        draw_hint(session, places.middle)
        draw_legend(session, places.middle)
        for side, panels in docked.items():
            if (box := getattr(places, side.value)) is not None:
                self._draw_dock(session, panels, box)
        self._floating.draw(session, self.theme, floating, places.middle, self._size, self.scale)

    def _places(self, top: float, docked: dict[Side, list[Panel]]) -> Layout:
        sizes = {side: panels[-1].size for side, panels in docked.items() if panels}
        return layout(*self._size, top, sizes, self.scale)

    def _draw_dock(self, session: Session, panels: list[Panel], box: Box) -> None:
        """The panel of a side that was opened last; where there are others it has a tab among them."""
        chosen = panels[-1]
        imgui.set_next_window_pos(imgui.ImVec2(box.x, box.y))
        imgui.set_next_window_size(imgui.ImVec2(box.width, box.height))
        if imgui.begin(f"###{chosen.name}", None, FIXED)[0]:
            if len(panels) > 1:
                draw_tabs(session, panels, self.theme)
            session.view.panels.add(chosen.name)
            chosen.draw(session, self.theme)
        imgui.end()

    def _dress(self, session: Session) -> None:
        wanted = session.preferences.theme, self._system_scale * session.preferences.text
        if wanted != self._dressed:
            self._dressed = wanted
            self.theme = theme.apply(*wanted)
