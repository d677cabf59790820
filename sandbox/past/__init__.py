"""The past of a world: recordings, and going back.

keyframe.py      a state that ticks can be run from     branch.py          what happened on one way through time
recording.py     all that happened, within a budget     timeline.py        a world with its past: run, replay, seek
recording_file.py, read_recording.py, command_text.py   `.boids` files: written, read, and their commands as JSON
journal.py       a recording written as it goes         in_picture.py       the same in a screenshot
recording_head.py, recording_commands.py                parts of what is read
replay.py        all of it once more                    differences.py     where two recordings begin to differ
physics.py       whether worlds run as they did          views.py           where a camera looked
"""
