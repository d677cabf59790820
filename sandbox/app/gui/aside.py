"""A frame of Dear ImGui that nobody sees, for code of mods that draws no panel.

Between two frames Dear ImGui has no window to draw into, and its functions end the whole program. So while a mod's
tool or overlay runs, what it might draw with Dear ImGui goes into a frame of its own, and is told to be misplaced.
"""

from __future__ import annotations

from imgui_bundle import imgui, implot

MISPLACED = "imgui is there for the `draw` of a panel alone: overlays and tools draw on their canvas"
_frame: tuple[imgui.internal.Context, implot.internal.Context] | None = None


class Aside:
    """What is done from its making until `put_right` goes aside."""

    def __init__(self) -> None:
        self._before = imgui.get_current_context(), implot.get_current_context()
        imgui_context, implot_context = _begun()
        imgui.set_current_context(imgui_context)
        implot.set_current_context(implot_context)

    def put_right(self) -> str:
        """Make Dear ImGui mean the window's panels again; returns what is wrong if something was drawn."""
        global _frame
        imgui_context, implot_context = _begun()
        touched = _was_touched(imgui_context)
        if touched:
            _frame = None
            implot.destroy_context(implot_context)
            imgui.destroy_context(imgui_context)
        before, plots_before = self._before
        imgui.set_current_context(before)
        implot.set_current_context(plots_before)
        return MISPLACED if touched else ""


def _begun() -> tuple[imgui.internal.Context, implot.internal.Context]:
    """The frame aside; begun once, and again after something was drawn into it."""
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
