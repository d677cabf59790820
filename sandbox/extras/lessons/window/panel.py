"""The Lessons panel: shows the current step of the open lesson, or the list of lessons."""

from __future__ import annotations

from pathlib import Path

from components.store.words import plain
from sandbox.api import icons, imgui
from sandbox.app.gui.buttons import button, in_accent, to_the_right, width_of
from sandbox.app.gui.markdown import draw_markdown
from sandbox.app.gui.panel import Panel, Side
from sandbox.app.gui.small_widgets import as_label, wrapped
from sandbox.app.gui.theme import Theme, bold_font, u32
from sandbox.app.session.session import Session
from sandbox.extras.lessons.bundled import About, about, in_language, lessons_in
from sandbox.extras.lessons.lesson import SECONDS, Challenge, Lesson, stars_for
from sandbox.extras.lessons.window.checks import measure_words, words_of
from sandbox.extras.lessons.window.teaching import PANEL, Teaching
from sandbox.language import current_language, translate


class LessonPanel(Panel):
    """Shows a lesson step by step."""

    name = PANEL
    title = "Lessons"
    help = "first steps and more, step by step"
    side, menu = Side.BELOW, "Help"
    size = 320.0, 320.0

    def __init__(self, teaching: Teaching) -> None:
        self.teaching = teaching
        self._lessons: list[tuple[Path, About]] = []
        self._spoken = ""  # the language of the list
        self._seen: tuple[int, bool] = 0, False

    def begin(self, session: Session) -> None:
        self._lessons = []
        self.teaching.look_at_world(session)

    def watch(self, session: Session) -> None:
        self.teaching.watch(session)

    def draw(self, session: Session, theme: Theme) -> None:
        if (lesson := self.teaching.lesson) is None:
            self._draw_list(session, theme)
            return
        foot = imgui.get_frame_height_with_spacing()
        self._head(lesson, theme)
        imgui.begin_child(f"##step {self.teaching.at}", (0, -foot))
        self._step(session, lesson, theme)
        imgui.end_child()
        self._foot(session, lesson, theme)

    def _draw_list(self, session: Session, theme: Theme) -> None:
        if not self._lessons or self._spoken != current_language():
            self._spoken = current_language()
            paths = [in_language(path, self._spoken) for path in lessons_in(session.app.scenes)]
            self._lessons = [(path, about(path)) for path in paths]
        scored = False
        for path, told in sorted(self._lessons, key=lambda each: bool(each[1].stars)):
            if told.stars and not scored:
                imgui.separator_text(translate("Challenges"))
                scored = True
            room = -3.5 * imgui.get_text_line_height() if told.stars else -1
            if imgui.button(f"{as_label(told.title)}##{path}", (room, 0)):
                self.teaching.open(session, path)
            if told.stars:
                imgui.same_line()
                imgui.align_text_to_frame_padding()
                best = session.preferences.best.get(Path(path.stem).stem)
                _stars(0 if best is None else stars_for(best, told.stars), theme)
                if best is not None:
                    imgui.set_item_tooltip(translate("Best score: {score}", score=plain(best)))
            wrapped(told.description, theme.faint)
            imgui.spacing()

    def _head(self, lesson: Lesson, theme: Theme) -> None:
        """Draw the title, the number of the step, and a progress bar with a part for each step."""
        teaching, count = self.teaching, len(lesson.steps)
        imgui.push_font(bold_font(), 0)
        imgui.text_unformatted(lesson.title)
        imgui.pop_font()
        words = translate("{done:,} of {count:,}", done=teaching.at + 1, count=count)
        end = imgui.get_window_width() - imgui.get_style().window_padding.x
        imgui.same_line(end - imgui.calc_text_size(words).x)
        imgui.text_disabled(words)
        scale, place = imgui.get_style().font_scale_main, imgui.get_cursor_screen_pos()
        wide, gap, tall = imgui.get_content_region_avail().x, 3 * scale, 4 * scale
        part = (wide - (count - 1) * gap) / count
        for step in range(count):
            x = place.x + step * (part + gap)
            colour = theme.accent if step == teaching.at else theme.good if step in teaching.done else theme.line
            corners = (x, place.y), (x + part, place.y + tall)
            imgui.get_window_draw_list().add_rect_filled(*corners, u32(colour), tall / 2)
        imgui.dummy((wide, tall + 2 * scale))

    def _step(self, session: Session, lesson: Lesson, theme: Theme) -> None:
        teaching, step = self.teaching, lesson.steps[self.teaching.at]
        draw_markdown(step.text, theme)
        imgui.spacing()
        if lesson.challenge is not None:
            self._score(session, lesson, lesson.challenge, theme)
        if teaching.at in teaching.done:
            imgui.text_colored(theme.good, icons.ICON_FA_CIRCLE_CHECK)
            imgui.same_line()
            draw_markdown(step.done or translate("Done."), theme)
        elif teaching.watcher is not None:
            _empty_circle(theme)
            wrapped(words_of(session, teaching.watcher), theme.faint)
        elif step.check is not None:
            imgui.text_disabled(translate("This is about another world."))
            if button("Open the lesson's world"):
                session.services.filing.open(lesson.scene, lambda: teaching.go(session, teaching.at))
        before, self._seen = self._seen, (teaching.at, teaching.at in teaching.done)
        if before == (teaching.at, False) and self._seen[1]:
            imgui.set_scroll_here_y(1.0)

    def _score(self, session: Session, lesson: Lesson, challenge: Challenge, theme: Theme) -> None:
        """Draw the score so far or the result, what each star takes, and the best score."""
        attempt, name = self.teaching.attempt, measure_words(challenge.score)
        if attempt is None:
            imgui.text_disabled(translate("This is about another world."))
        elif attempt.score is not None:
            _stars(stars_for(attempt.score, challenge.stars), theme)
            imgui.same_line()
            imgui.text_unformatted(f"{name}: {plain(round(attempt.score, 2))}")
        elif attempt.values:
            counted = {challenge.score: name, SECONDS: translate(SECONDS)}
            told = [f"{words}: {plain(round(attempt.values[key], 1))}" for key, words in counted.items()]
            imgui.text_unformatted("   ".join(told))
        for count, least in enumerate(challenge.stars, 1):
            if count > 1:
                imgui.same_line(0, imgui.get_text_line_height())
            imgui.text_colored(theme.accent, count * icons.ICON_FA_STAR)
            imgui.same_line()
            imgui.text_colored(theme.faint, f"{least:g}")
        if (best := session.preferences.best.get(lesson.key)) is not None:
            wrapped(translate("Best score: {score}", score=plain(best)), theme.faint)

    def _foot(self, session: Session, lesson: Lesson, theme: Theme) -> None:
        teaching, last = self.teaching, self.teaching.at == len(lesson.steps) - 1
        if button(f"{icons.ICON_FA_ARROW_LEFT}##lesson", "Previous step", enabled=teaching.at > 0):
            teaching.go(session, teaching.at - 1)
        imgui.same_line()
        if button("Leave##lesson", "End the lesson; the world stays as it is"):
            teaching.leave(session)
            return
        if lesson.challenge is not None:
            imgui.same_line()
            if button(f"{icons.ICON_FA_ROTATE_LEFT}  Again##lesson", "Begin again, in a new world"):
                teaching.again(session)
                return
        step = lesson.steps[teaching.at]
        is_done = step.check is None or teaching.at in teaching.done
        words = "Finish" if last else "Next" if is_done else "Skip"
        label = f"{words} {icons.ICON_FA_CHECK if last else icons.ICON_FA_ARROW_RIGHT}##lesson"
        to_the_right(label)
        with in_accent(theme, is_done):
            pressed = button(label, size=(width_of(label), 0))
        if pressed:
            teaching.go(session, teaching.at + 1)


def _stars(count: int, theme: Theme) -> None:
    """Draw three stars, of which `count` are bright."""
    for place in range(3):
        if place:
            imgui.same_line(0, 0)
        imgui.text_colored(theme.accent if place < count else theme.line, icons.ICON_FA_STAR)


def _empty_circle(theme: Theme) -> None:
    """Draw an empty circle before an open task; a done one has a check mark there."""
    place, line = imgui.get_cursor_screen_pos(), imgui.get_text_line_height()
    middle = place.x + 0.43 * line, place.y + 0.5 * line
    imgui.get_window_draw_list().add_circle(middle, 0.38 * line, u32(theme.faint), 0, 0.1 * line)
    imgui.dummy((0.86 * line, line))
    imgui.same_line()
