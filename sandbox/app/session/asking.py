"""What a person must answer before all else: questions, the file dialog, and a panel that waits for a key."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.app.files.file_dialog import FileDialog
from sandbox.app.questions import Question


class Asking:
    """What waits for an answer; time stands meanwhile.

    Attributes:
        questions: one after another.
        dialog: the file they must choose, after the questions.
        by_system: the system's own dialog asks for files.
        walks: a panel takes the arrow keys; one that does says so in every frame.
        capture: takes the next key instead of what that key does; a panel that waits for one says so in every frame.
    """

    def __init__(self, *, by_system: bool = False) -> None:
        self.by_system = by_system
        self.questions: list[Question] = []
        self.dialog: FileDialog | None = None
        self.walks = False
        self.capture: Callable[[str], None] | None = None

    @property
    def waits(self) -> bool:
        """Whether a question or a dialog waits for an answer: nothing else is done before."""
        return bool(self.questions) or self.dialog is not None

    @property
    def by_other_program(self) -> bool:
        """Whether the system's dialog is open: its answer may come at any time."""
        return self.dialog is not None and self.dialog.system is not None

    def end_dialog(self) -> None:
        """No file is to be chosen any more."""
        if self.dialog is not None and self.dialog.system is not None:
            self.dialog.system.close()
        self.dialog = None

    @property
    def question(self) -> Question | None:
        """The one that is to be answered now."""
        return self.questions[0] if self.questions else None

    def ask(self, question: Question, *, first: bool = False) -> None:
        """Have a question answered after those that wait, or first of all; one that waits already is asked once."""
        self.questions[:] = [other for other in self.questions if not other.is_same(question)]
        self.questions.insert(0 if first else len(self.questions), question)

    def answer(self, number: int) -> None:
        """Answer the question; what that asks comes before those that wait."""
        question, *waiting = self.questions
        self.questions.clear()
        question.answers[number][1]()
        self.questions += waiting
