"""The past of a world: recordings, and going back.

keyframe.py      a state from which ticks can be run    branch.py          one line of history
recording.py     all branches, keyframes and digests    timeline.py        a world with its past: run, replay, seek
recording_file.py, read_recording.py, command_text.py   writes and reads `.boids` files; commands as JSON
journal.py       a recording written as it goes on      in_picture.py      a recording in a screenshot
recording_head.py, recording_commands.py                parse parts of `.boids` files
replay.py        runs all branches again                differences.py     where two recordings begin to differ
physics.py       the version of the simulation's results   views.py        where the camera looked
"""
