"""What must end before anything else: questions, the file dialog, and a job; also who gets the next key."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.app.files.dialog import FileDialog
from sandbox.app.jobs.job import Job
from sandbox.app.questions import Question, nothing


class Asking:
    """The questions and dialogs that wait for an answer, and the job that is waited for; time is stopped meanwhile.

    Attributes:
        questions: open questions, asked one after another.
        dialog: the open file dialog, shown after the questions; or None.
        natively: whether the desktop's own file dialog is used.
        walks: whether a panel uses the arrow keys; such a panel sets it in every frame.
        capture: gets the next key instead of the key's action; a panel that waits for a key sets it in every frame.
    """

    def __init__(self, *, natively: bool = False) -> None:
        self.natively = natively
        self.questions: list[Question] = []
        self.dialog: FileDialog | None = None
        self.walks = False
        self.capture: Callable[[str], None] | None = None
        self._job: Job | None = None
        self._give_up: Callable[[], object] = nothing

    @property
    def waits(self) -> bool:
        """Whether a question or a dialog is open, or a job is waited for; nothing else can be done meanwhile."""
        return bool(self.questions) or self.dialog is not None or self.work is not None

    @property
    def work(self) -> Job | None:
        """The job that is waited for, or None."""
        if self._job is not None and self._job.over:
            self._job, self._give_up = None, nothing  # they would keep its world in memory
        return self._job

    def wait_for(self, job: Job, give_up: Callable[[], object]) -> None:
        """Wait for the end of a job, unless it is over; `give_up` is called if a person cancels that."""
        if not job.over:
            self._job, self._give_up = job, give_up

    def give_up(self) -> None:
        """Wait for the job no more."""
        give_up, self._job, self._give_up = self._give_up, None, nothing
        give_up()

    @property
    def by_others(self) -> bool:
        """Whether the desktop's dialog or a job is waited for, which end without an event of the window."""
        return self.work is not None or (self.dialog is not None and self.dialog.native is not None)

    def end_dialog(self) -> None:
        """Close the file dialog without an answer."""
        if self.dialog is not None and self.dialog.native is not None:
            self.dialog.native.close()
        self.dialog = None

    @property
    def question(self) -> Question | None:
        """The question that must be answered now, or None."""
        return self.questions[0] if self.questions else None

    def ask(self, question: Question, *, first: bool = False) -> None:
        """Add a question at the end of the queue, or at its head if `first`, in place of one with the same title."""
        self.questions[:] = [other for other in self.questions if other.title != question.title]
        self.questions.insert(0 if first else len(self.questions), question)

    def answer(self, number: int) -> None:
        """Answer the current question; questions asked by the answer come before those that wait."""
        question, *waiting = self.questions
        self.questions.clear()
        question.answers[number][1]()
        self.questions += waiting
