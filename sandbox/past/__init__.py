"""The past of a world, in memory: it is recorded, and one can go back.

keyframe.py      a state from which ticks can be run    branch.py      one line of history
recording.py     all branches, keyframes and digests    timeline.py    a world with its past: run, replay, seek
replay.py        runs all branches again                differences.py where two recordings begin to differ
views.py         where the camera looked
"""
