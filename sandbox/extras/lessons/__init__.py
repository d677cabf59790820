"""Lessons: a scene, and steps in which a person does something in the window; teachers write them as files.

lesson.py    what a lesson is         reader.py    reads and checks its file    attempt.py   scores a challenge
bundled.py   finds lessons            files.py     what a lesson file is        commands.py  `boids lesson`
window/      the panel, and checks of tasks
"""
