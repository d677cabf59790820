"""Dear ImGui's and ImPlot's state, kept before a mod draws, and put right after it: the frame goes on whatever it did.

What was begun and not ended is ended, what was pushed is popped, and the other way round. Calls that Dear ImGui refuses
raise RuntimeError in the mod itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from imgui_bundle import imgui, implot

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
}
"""What Dear ImGui counts, and what brings a count back; of a change of several the first says most."""


class Drawing:
    """The state before a mod draws into the current window."""

    def __init__(self) -> None:
        self._context, self._plots = imgui.get_current_context(), implot.get_current_context()
        self._context.debug_log_flags = internal.DebugLogFlags_.event_error  # and nothing to the terminal
        self._sizes = _sizes()
        self._window = internal.get_current_window()
        self._lists = imgui.get_window_draw_list(), imgui.get_foreground_draw_list(), imgui.get_background_draw_list()
        self._clips = [drawn._clip_rect_stack.size() for drawn in self._lists]
        self._colormap = implot.get_style().colormap

    def put_right(self) -> str:
        """Make it what it was; returns what was not, in words, else nothing."""
        imgui.set_current_context(self._context)
        implot.set_current_context(self._plots)
        now = _sizes()
        left = _end_plots(self._plots, self._colormap)
        left += [words for name, words in STACKS.items() if getattr(now, name) != getattr(self._sizes, name)]
        with _without_raising():
            if now.size_of_window_stack < self._sizes.size_of_window_stack:
                self._begin_again()
            self._mend_inner_windows()
            internal.error_recovery_try_to_recover_state(self._sizes)
            self._push_again(_sizes())
            left += _end_uncounted(self._context)
        for drawn, before in zip(self._lists, self._clips, strict=True):
            if drawn._clip_rect_stack.size() != before:
                left.append("a clip rectangle: pop_clip_rect()")
                _clip_again(drawn, before)
        self._context.next_window_data.has_flags = 0
        return f"begun or pushed, but not ended or popped as often, was {left[0]}" if left else ""

    def _begin_again(self) -> None:
        """The window was ended: go on with it, which Dear ImGui allows."""
        implicit = internal.get_current_window()
        implicit.dc.tree_depth = max(implicit.dc.tree_depth, 0)
        internal.error_recovery_try_to_recover_window_state(self._context.stack_sizes_in_new_frame)
        imgui.begin(self._window.name)

    def _mend_inner_windows(self) -> None:
        """Ending a window pops a clip rectangle, and fails where there is none; depths below 0 outlive the frame."""
        stack = self._context.current_window_stack
        for number in range(self._sizes.size_of_window_stack, stack.size()):
            window = stack[number].window
            window.draw_list.push_clip_rect_full_screen()
            window.dc.tree_depth = max(window.dc.tree_depth, 0)

    def _push_again(self, now: internal.ErrorRecoveryState) -> None:
        """What was popped too often."""
        for _ in range(now.size_of_focus_scope_stack, self._sizes.size_of_focus_scope_stack):
            internal.push_focus_scope(self._window.id_)
        for _ in range(now.size_of_font_stack, self._sizes.size_of_font_stack):
            imgui.push_font(None, 0.0)
        for _ in range(now.size_of_tree_stack, self._sizes.size_of_tree_stack):
            imgui.tree_push("")
            imgui.pop_id()


@contextmanager
def _without_raising() -> Iterator[None]:
    """Have Dear ImGui mend what is misplaced instead of raising."""
    io = imgui.get_io()
    io.config_error_recovery_enable_assert = io.config_error_recovery_enable_tooltip = False
    try:
        yield
    finally:
        io.config_error_recovery_enable_assert = io.config_error_recovery_enable_tooltip = True


def _sizes() -> internal.ErrorRecoveryState:
    sizes = internal.ErrorRecoveryState()
    internal.error_recovery_store_state(sizes)
    return sizes


def _end_uncounted(context: Any) -> list[str]:
    """End what Dear ImGui's own recovery passes over; returns what ends each."""
    left = []
    while context.current_multi_select is not None:
        imgui.end_multi_select()
        left.append("a selection of several: end_multi_select()")
    if internal.get_current_window().dc.current_columns is not None:
        imgui.columns(1)
        left.append("columns: columns(1)")
    return left


def _clip_again(drawn: imgui.ImDrawList, before: int) -> None:
    """Have so many clip rectangles in use."""
    for _ in range(before, drawn._clip_rect_stack.size()):
        drawn.pop_clip_rect()
    for _ in range(drawn._clip_rect_stack.size(), before):
        drawn.push_clip_rect_full_screen()


def _end_plots(context: Any, colormap: int) -> list[str]:
    """Forget what plots were begun and what was pushed for them; returns what brings each back."""
    left = []
    if context.current_subplot is not None:
        implot.internal.reset_ctx_for_next_subplot(context)
        left.append("subplots: end_subplots()")
    if context.current_plot is not None:
        implot.internal.reset_ctx_for_next_plot(context)
        left.append("a plot: end_plot()")
    if context.current_alignment_h is not None or context.current_alignment_v is not None:
        implot.internal.reset_ctx_for_next_aligned_plots(context)
        left.append("aligned plots: end_aligned_plots()")
    if count := context.color_modifiers.size():
        implot.pop_style_color(count)
        left.append("a colour of plots: implot.pop_style_color()")
    if count := context.style_modifiers.size():
        implot.pop_style_var(count)
        left.append("a style variable of plots: implot.pop_style_var()")
    if implot.get_style().colormap != colormap:
        implot.pop_colormap()
        implot.get_style().colormap = colormap
        left.append("a colormap: implot.pop_colormap()")
    return left
