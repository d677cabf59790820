"""The past of a world: recordings, and going back.

keyframe.py     a state that ticks can be run from     branch.py        what happened on one way through time
recording.py    all that happened, within a budget     timeline.py      a world with its past: run, replay, seek
command_text.py commands as JSON                       recording_file.py `.boids` files
"""
