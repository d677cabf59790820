"""The Lessons panel: shows the current step of the open lesson, or the list of lessons."""

from __future__ import annotations

from pathlib import Path

from components.store.words import plain
from sandbox.api import Panel, Session, Side, Ui, icons
from sandbox.app.gui.ui import as_label
from sandbox.extras.lessons.bundled import About, about, in_language, lessons_in
from sandbox.extras.lessons.checks import measure_words
from sandbox.extras.lessons.lesson import SECONDS, Challenge, Lesson, stars_for
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

    def reset(self, session: Session) -> None:
        self._lessons = []
        self.teaching.look_at_world(session)

    def update(self, session: Session) -> None:
        self.teaching.update(session)

    def draw(self, session: Session, ui: Ui) -> None:
        if (lesson := self.teaching.lesson) is None:
            self._draw_list(session, ui)
            return
        foot = ui.row
        self._head(lesson, ui)
        with ui.child(f"step {self.teaching.at}", (0, -foot)):
            self._step(session, lesson, ui)
        self._foot(session, lesson, ui)

    def _draw_list(self, session: Session, ui: Ui) -> None:
        if not self._lessons or self._spoken != current_language():
            self._spoken = current_language()
            paths = [in_language(path, self._spoken) for path in lessons_in(session.app.scenes)]
            self._lessons = [(path, about(path)) for path in paths]
        scored = False
        for path, told in sorted(self._lessons, key=lambda each: bool(each[1].stars)):
            if told.stars and not scored:
                ui.heading("Challenges")
                scored = True
            room = -3.5 * ui.line if told.stars else -1
            if ui.button(f"{as_label(told.title)}##{path}", size=(room, 0)):
                self.teaching.open(session, path)
            if told.stars:
                ui.beside()
                ui.on_a_row()
                best = session.preferences.best.get(Path(path.stem).stem)
                _stars(0 if best is None else stars_for(best, told.stars), ui)
                if best is not None:
                    ui.tip("Best score: {score}", score=plain(best))
            ui.verbatim(told.description, ui.theme.faint, wraps=0.0)
            ui.space()

    def _head(self, lesson: Lesson, ui: Ui) -> None:
        """Draw the title, the number of the step, and a progress bar with a part for each step."""
        teaching, count = self.teaching, len(lesson.steps)
        with ui.bold():
            ui.verbatim(lesson.title)
        ui.text_at_the_right(translate("{done:,} of {count:,}", done=teaching.at + 1, count=count))
        theme, done = ui.theme, teaching.done
        colours = [theme.good if step in done else theme.line for step in range(count)]
        colours[teaching.at] = theme.accent
        ui.bars(colours, 4)

    def _step(self, session: Session, lesson: Lesson, ui: Ui) -> None:
        teaching, step = self.teaching, lesson.steps[self.teaching.at]
        ui.markdown(step.text)
        ui.space()
        if lesson.challenge is not None:
            self._score(session, lesson, lesson.challenge, ui)
        if teaching.at in teaching.done:
            ui.verbatim(icons.ICON_FA_CIRCLE_CHECK, ui.theme.good)
            ui.beside()
            ui.markdown(step.done or translate("Done."))
        elif teaching.watcher is not None:
            ui.ring(ui.theme.faint)
            ui.verbatim(teaching.watcher.words(session), ui.theme.faint, wraps=0.0)
        elif step.check is not None:
            ui.faint("This is about another world.")
            if ui.button("Open the lesson's world"):
                session.services.filing.open(lesson.scene, lambda: teaching.go(session, teaching.at))
        before, self._seen = self._seen, (teaching.at, teaching.at in teaching.done)
        if before == (teaching.at, False) and self._seen[1]:
            ui.to_here()

    def _score(self, session: Session, lesson: Lesson, challenge: Challenge, ui: Ui) -> None:
        """Draw the score so far or the result, what each star takes, and the best score."""
        attempt, name = self.teaching.attempt, measure_words(challenge.score)
        if attempt is None:
            ui.faint("This is about another world.")
        elif attempt.score is not None:
            _stars(stars_for(attempt.score, challenge.stars), ui)
            ui.beside()
            ui.verbatim(f"{name}: {plain(round(attempt.score, 2))}")
        elif attempt.values:
            counted = {challenge.score: name, SECONDS: translate(SECONDS)}
            told = [f"{words}: {plain(round(attempt.values[key], 1))}" for key, words in counted.items()]
            ui.verbatim("   ".join(told))
        for count, least in enumerate(challenge.stars, 1):
            if count > 1:
                ui.beside(ui.line)
            ui.verbatim(count * icons.ICON_FA_STAR, ui.theme.accent)
            ui.beside()
            ui.verbatim(f"{least:g}", ui.theme.faint)
        if (best := session.preferences.best.get(lesson.key)) is not None:
            ui.wrapped("Best score: {score}", ui.theme.faint, score=plain(best))

    def _foot(self, session: Session, lesson: Lesson, ui: Ui) -> None:
        teaching, last = self.teaching, self.teaching.at == len(lesson.steps) - 1
        if ui.button(f"{icons.ICON_FA_ARROW_LEFT}##lesson", "Previous step", enabled=teaching.at > 0):
            teaching.go(session, teaching.at - 1)
        ui.beside()
        if ui.button("Leave##lesson", "End the lesson; the world stays as it is"):
            teaching.leave(session)
            return
        if lesson.challenge is not None:
            ui.beside()
            if ui.button(f"{icons.ICON_FA_ROTATE_LEFT}  Again##lesson", "Begin again, in a new world"):
                teaching.again(session)
                return
        step = lesson.steps[teaching.at]
        is_done = step.check is None or teaching.at in teaching.done
        words = "Finish" if last else "Next" if is_done else "Skip"
        label = f"{words} {icons.ICON_FA_CHECK if last else icons.ICON_FA_ARROW_RIGHT}##lesson"
        ui.at_the_right(label)
        with ui.in_accent(is_done):
            pressed = ui.button(label, size=(ui.width(label), 0))
        if pressed:
            teaching.go(session, teaching.at + 1)


def _stars(count: int, ui: Ui) -> None:
    """Draw three stars, of which `count` are bright."""
    for k in range(3):
        if k:
            ui.beside(0)
        ui.verbatim(icons.ICON_FA_STAR, ui.theme.accent if k < count else ui.theme.line)
