"""The panels of a window: owns Dear ImGui's context and makes and draws its frames."""

from __future__ import annotations

from collections.abc import Callable

from arcade import ArcadeContext
from imgui_bundle import imgui, implot

from sandbox.app.gui import theme
from sandbox.app.gui.action_palette import ActionPalette
from sandbox.app.gui.compared import draw_comparison, draw_seam, stacks
from sandbox.app.gui.docking import Docking
from sandbox.app.gui.file_window import draw_dialogs
from sandbox.app.gui.legend import draw_legend
from sandbox.app.gui.menu import draw_menu
from sandbox.app.gui.panel import Box
from sandbox.app.gui.past_border import draw_past_border
from sandbox.app.gui.progress import draw_jobs
from sandbox.app.gui.renderer import Renderer
from sandbox.app.gui.ring import draw_ring
from sandbox.app.gui.toasts import draw_toasts
from sandbox.app.gui.ui import Ui
from sandbox.app.gui.welcome import draw_hint, draw_ride, draw_welcome
from sandbox.app.gui.window_events import FRAMES_AWAKE, Events
from sandbox.app.preferences import Preferences
from sandbox.app.session.session import Session
from sandbox.language import set_language

AT_REST = 0.99 / 30  # s between two frames of panels without events; two frames of a 60 Hz display

Read = Callable[[], str]
Write = Callable[[str], None]


class Gui:
    """The panels of a window.

    Attributes:
        events: routes pyglet's events to the panels.
        theme: the colours that panels use for what Dear ImGui has no colour for.
    """

    def __init__(self, context: ArcadeContext, size: tuple[int, int], desktop_scale: float) -> None:
        """`desktop_scale`: the text scale that the desktop asks for, 1 at 96 dots per inch."""
        self.renderer = Renderer(context)
        self.events = Events(size[1])
        self._clipboard: tuple[Read, Write] | None = None
        self._desktop_scale = desktop_scale
        self._dressed: tuple[str, float] | None = None
        self.theme = theme.THEMES["dark"]
        self.ui = Ui(self.theme)
        self._size = size
        self._seconds = 0.0
        self._seen: tuple[object, ...] = ()
        self._closed = True
        self._begin()

    def _begin(self) -> None:
        """Create Dear ImGui's contexts, which know no panel yet."""
        self._imgui, self._implot = imgui.create_context(), implot.create_context()
        self._closed = False
        self.enter()
        self._io = imgui.get_io()
        self._io.set_ini_filename(None)  # "" is a file for it, which it tries to write
        self._io.config_flags |= imgui.ConfigFlags_.docking_enable
        self._io.config_windows_move_from_title_bar_only = True
        self._io.config_drag_click_to_input_text = True
        keys = implot.get_input_map()
        keys.zoom_mod = imgui.Key.mod_ctrl  # the wheel alone scrolls the panel
        keys.override_mod = imgui.Key.mod_alt  # it would be Ctrl
        theme.load_fonts()
        self._docking = Docking()
        self.palette = ActionPalette()
        self._half: tuple[bool, bool] | None = None  # the half that the camera shows in Compare, and if it is stacked
        self.renderer.begin()
        self.events.begin()
        self._dressed = None
        if self._clipboard:
            self.use_clipboard(*self._clipboard)

    def enter(self) -> None:
        """Make this window's contexts Dear ImGui's and ImPlot's current ones."""
        imgui.set_current_context(self._imgui)
        implot.set_current_context(self._implot)

    def close(self) -> None:
        """Destroy the contexts. Closing twice does no harm."""
        if self._closed:
            return
        self._closed = True
        self.enter()
        self.renderer.close()
        implot.destroy_context(self._implot)
        imgui.destroy_context(self._imgui)

    def use_clipboard(self, read: Read, write: Write) -> None:
        """Use the desktop's clipboard to copy and paste; without it Dear ImGui has one of its own."""
        self._clipboard = read, write
        self.enter()
        platform = imgui.get_platform_io()
        platform.platform_get_clipboard_text_fn = lambda _: read()
        platform.platform_set_clipboard_text_fn = lambda _, text: write(text)

    def resize(self, width: int, height: int) -> None:
        self._size = width, height
        self.events.height = height

    def pass_time(self, seconds: float) -> None:
        """Advance Dear ImGui's clock, which times blinking and fading."""
        self._seconds += seconds

    @property
    def scale(self) -> float:
        """The scale of text, 1 by default."""
        return self._dressed[1] if self._dressed else 1.0

    def make(self, session: Session, ratio: float) -> None:
        """Make all panels before a frame is drawn; `ratio`: pixels of the framebuffer per pixel of the window.

        Panels without events are made only about 30 times a second and stay the same in between. If a mod broke
        the frame, another one is made without the part that did. Dear ImGui takes one press or release at a time:
        panels are made until it has taken all, so that however slow frames are, panels don't lag behind the events.
        """
        if self._is_due(session, ratio):
            if session.asking.waits and not self.events.asks and self.events.holds:
                self.events.let_go()  # while a panel is dragged, Dear ImGui shows no question
            self._make(session, ratio)
            if session.asking.waits and not self.events.asks:
                self._make(session, ratio)  # a window that fits its contents is hidden in its first frame
            self.events.awake = max(self.events.awake - 1, 0)

    def draw(self) -> None:
        """Draw the panels into the framebuffer in use."""
        self.renderer.draw()

    def _is_due(self, session: Session, ratio: float) -> bool:
        asked = session.asking.question is not None or session.asking.dialog is not None
        seen, self._seen = self._seen, (self._size, ratio, self.events.hidden, len(session.messages.log), self._dressed)
        if seen != self._seen or asked != self.events.asks:
            self.events.awake = FRAMES_AWAKE
        return self.events.awake > 0 or not 0 < self._seconds < AT_REST

    def _make(self, session: Session, ratio: float) -> None:
        self._make_anew(session, ratio)
        while self._docking.settles > 0 or self.events.lag:
            self._make_anew(session, ratio)

    def _make_anew(self, session: Session, ratio: float) -> None:
        self.enter()
        self._dress(session)
        self._io.display_size = imgui.ImVec2(*self._size)
        self._io.display_framebuffer_scale = imgui.ImVec2(ratio, ratio)
        self._io.delta_time, self._seconds = max(self._seconds, 1e-4), 0.0
        self._docking.arrange(session, self._size, self.scale)
        self.events.hidden &= not (session.view.palette_open or session.view.to_front)
        self.events.walks = bool(session.view.walked) and not self.events.hidden
        imgui.new_frame()
        session.capture = None
        session.asking.walks = session.playback.held = False
        session.view.panels.clear()
        session.view.over.clear()
        session.view.spots.clear()
        middle = self._hide_panels() if self.events.hidden else self._draw_panels(session)
        half = self._fit_world(session, middle)
        legend = None if self.events.hidden else self._draw_over_world(session, middle, half)
        draw_toasts(session, self.ui, middle, legend)
        draw_jobs(session, self.ui, middle)
        draw_dialogs(session, self.ui)
        imgui.render()
        self.renderer.take(imgui.get_draw_data())
        self.events.frame_drawn()

    def _hide_panels(self) -> Box:
        """Hide the panels; return the area that they leave free, which is the whole window."""
        self._docking.hide()
        return Box(0, 0, *self._size)

    def _draw_panels(self, session: Session) -> Box:
        """Draw the menu and the panels; return the area that they leave free."""
        draw_menu(session)
        known = {panel.name: panel for panel in session.app.panels}
        opened = [known[name] for name in session.preferences.open if name in known]
        self._docking.draw(session, self.ui, opened, self._size, self.scale)
        return self._docking.middle

    def _fit_world(self, session: Session, middle: Box) -> Box:
        """Fit the camera to the middle, or in Compare to the active world's half of it; return that area."""
        comparison = session.document.comparison
        half = None
        if comparison is not None:
            comparison.stacked = stacks(middle, session.camera.world_size)
            half = comparison.works_right, comparison.stacked
            draw_seam(self.ui, middle, comparison.stacked)
            middle = middle.half(*half)
        session.camera.keep_clear(middle.insets(*self._size), moves=half != self._half)
        self._half = half
        return middle

    def _draw_over_world(self, session: Session, middle: Box, half: Box) -> Box | None:
        """Draw what lies over the world; return the rectangle of the legend, if there is one."""
        if (comparison := session.document.comparison) is not None:
            draw_comparison(session, comparison, self.ui, middle)
        if session.document.timeline.in_past:
            draw_past_border(self.ui, half)
        draw_hint(session, self.ui, half)
        draw_ride(session, self.ui, half)
        self.palette.draw(session, self.ui, middle)
        draw_welcome(session, self.ui, half)
        draw_ring(session, self.ui)
        return draw_legend(session, middle, half)

    def keep(self, preferences: Preferences) -> None:
        """Store the arrangement of the panels in the preferences."""
        self.enter()
        self._docking.keep(preferences)

    def _dress(self, session: Session) -> None:
        if wrong := set_language(session.preferences.language):
            session.messages.warn(wrong)
        wanted = session.preferences.theme, self._desktop_scale * session.preferences.text
        if wanted != self._dressed:
            self._dressed = wanted
            self.theme = theme.apply(*wanted)
            self.ui = Ui(self.theme)
