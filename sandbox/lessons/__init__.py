"""Lessons: a scene, and steps in which a person does something in the window; teachers write them as files.

lesson.py    what a lesson is        reader.py    reads and checks its file        values.py    what can be changed
attempt.py   the score of a challenge
"""
