"""Detects and undoes what a mod's faulty drawing code does to Dear ImGui and to a canvas.

Calls that Dear ImGui refuses raise RuntimeError in the mod itself. If a panel began something without ending it, or
pushed without popping, the frame cannot be continued. Between two frames Dear ImGui has no window to draw into, and
its functions crash the whole program. So while a mod's tool or overlay runs, a separate context with a frame that is
never shown is current; if the mod draws into it, that is reported as misplaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from imgui_bundle import imgui, implot

from sandbox.app.drawing.canvas import Canvas

internal = imgui.internal
STACKS = {
    "size_of_window_stack": "a window: end(), end_child(), end_popup()",
    "size_of_tree_stack": "a table or tree node: end_table(), tree_pop()",
    "size_of_id_stack": "an id: pop_id(), end_tab_bar()",
    "size_of_group_stack": "a group: end_group()",
    "size_of_disabled_stack": "a disabled part: end_disabled()",
    "size_of_color_stack": "a colour: pop_style_color()",
    "size_of_style_var_stack": "a style variable: pop_style_var()",
    "size_of_item_flags_stack": "a flag of items: pop_item_flag()",
    "size_of_font_stack": "a font: pop_font()",
    "size_of_focus_scope_stack": "a focus scope: pop_focus_scope()",
}
"""The counts that Dear ImGui keeps, and the missing call; if several counts differ, the first one says most."""
MISPLACED = "imgui is there for the `draw` of a panel alone: overlays and tools draw on their canvas"
OF_FRAMES = "new_frame", "end_frame", "render", "destroy_context"
_frame: tuple[imgui.internal.Context, implot.internal.Context] | None = None


class BrokenFrameError(Exception):
    """A mod left Dear ImGui in a state in which the frame cannot be ended; new contexts must be created."""


@contextmanager
def frame_kept() -> Iterator[None]:
    """Refuse the functions that begin or end a frame: without a frame, most other functions crash the program."""

    def refuse(*arguments: object) -> None:
        raise RuntimeError("the window begins and ends frames, not a mod")

    functions = {name: getattr(imgui, name) for name in OF_FRAMES}
    vars(imgui).update(dict.fromkeys(functions, refuse))
    try:
        yield
    finally:
        vars(imgui).update(functions)


class Drawing:
    """The state of Dear ImGui before a mod draws into the current window.

    Attributes:
        is_broken: the mod did not restore this state.
    """

    def __init__(self) -> None:
        self.is_broken = False
        self._context, self._plots = imgui.get_current_context(), implot.get_current_context()
        self._context.debug_log_flags = internal.DebugLogFlags_.event_error  # log nothing to the terminal
        self._sizes = _sizes()
        self._lists = imgui.get_window_draw_list(), imgui.get_foreground_draw_list(), imgui.get_background_draw_list()
        self._clips = [drawn._clip_rect_stack.size() for drawn in self._lists]
        self._colormap = implot.get_style().colormap

    def what_is_left(self) -> str:
        """Return a message about what was begun and not ended; "" if everything was."""
        imgui.set_current_context(self._context)
        implot.set_current_context(self._plots)
        now = _sizes()
        left = _left_of_plots(self._plots, self._colormap)
        left += [words for name, words in STACKS.items() if getattr(now, name) != getattr(self._sizes, name)]
        if self._context.current_multi_select is not None:
            left.append("a selection of several: end_multi_select()")
        if self._context.current_tab_bar is not None:
            left.append("a tab bar: end_tab_bar()")
        if internal.get_current_window().dc.current_columns is not None:
            left.append("columns: columns(1)")
        if [drawn._clip_rect_stack.size() for drawn in self._lists] != self._clips:
            left.append("a clip rectangle: pop_clip_rect()")
        self._context.next_window_data.has_flags = 0
        self.is_broken = bool(left)
        return f"this was begun or pushed, but not ended or popped: {left[0]}" if left else ""


def _sizes() -> internal.ErrorRecoveryState:
    sizes = internal.ErrorRecoveryState()
    internal.error_recovery_store_state(sizes)
    return sizes


def _left_of_plots(context: Any, colormap: int) -> list[str]:
    aligned = context.current_alignment_h is not None or context.current_alignment_v is not None
    left = {
        "subplots: end_subplots()": context.current_subplot is not None,
        "a plot: end_plot()": context.current_plot is not None,
        "aligned plots: end_aligned_plots()": aligned,
        "a colour of plots: implot.pop_style_color()": context.color_modifiers.size() > 0,
        "a style variable of plots: implot.pop_style_var()": context.style_modifiers.size() > 0,
        "a colormap: implot.pop_colormap()": implot.get_style().colormap != colormap,
    }
    return [words for words, is_left in left.items() if is_left]


class Aside:
    """Redirects Dear ImGui calls into a frame that is never shown, until `put_right` is called."""

    def __init__(self) -> None:
        self._before = imgui.get_current_context(), implot.get_current_context()
        imgui_context, implot_context = _hidden_contexts()
        imgui.set_current_context(imgui_context)
        implot.set_current_context(implot_context)

    def put_right(self) -> str:
        """Make the window's contexts current again; return an error message if something was drawn."""
        global _frame
        imgui_context, implot_context = _hidden_contexts()
        touched = _was_touched(imgui_context)
        if touched:
            _frame = None
            implot.destroy_context(implot_context)
            imgui.destroy_context(imgui_context)
        before, plots_before = self._before
        imgui.set_current_context(before)
        implot.set_current_context(plots_before)
        return MISPLACED if touched else ""


def _hidden_contexts() -> tuple[imgui.internal.Context, implot.internal.Context]:
    """Return the contexts of the hidden frame; create them if there are none or a mod drew into the last ones."""
    global _frame
    if _frame is None:
        before, plots_before = imgui.get_current_context(), implot.get_current_context()
        _frame = imgui.create_context(), implot.create_context()
        imgui.set_current_context(_frame[0])
        io = imgui.get_io()
        io.set_ini_filename("")
        io.backend_flags |= imgui.BackendFlags_.renderer_has_textures
        io.display_size = imgui.ImVec2(1, 1)
        imgui.new_frame()
        imgui.set_current_context(before)
        implot.set_current_context(plots_before)
    return _frame


def _was_touched(context: imgui.internal.Context) -> bool:
    windows = context.windows
    return windows.size() != 1 or windows[0].write_accessed or context.current_window_stack.size() != 1


class KeptPicture:
    """The state of a canvas before a mod draws on it."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas, self._attributes = canvas, vars(canvas).copy()
        self._waiting = [(waiting, len(waiting)) for waiting in canvas.waiting]
        self._target = canvas.context.active_framebuffer
        self._viewport, self._scissor = self._target.viewport, self._target.scissor

    def put_right(self, failed: bool) -> None:
        """Restore the state, so that later drawing is not affected; if the mod failed, remove what it drew."""
        canvas, context = self._canvas, self._canvas.context
        vars(canvas).update(self._attributes)
        if failed:
            for waiting, count in self._waiting:
                del waiting[count:]
        if context.active_framebuffer is not self._target:
            self._target.use(force=True)
        if self._target.viewport != self._viewport:
            self._target.viewport = self._viewport
        if self._target.scissor != self._scissor:
            self._target.scissor = self._scissor
        canvas.blend()
