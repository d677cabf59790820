"""Lessons: a scene, and steps in which a person does something in the window; teachers write them as files.

lesson.py    what a lesson is         reader.py    reads and checks its file    values.py    what can be changed
bundled.py   finds lessons            files.py     what a lesson file is        attempt.py   scores a challenge
commands.py  `boids lesson`           window/      the panel, and checks of tasks
"""
