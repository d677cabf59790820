"""Films: a part of a recording or scene, drawn frame by frame without a window, and written as one file.

words.py    times, sizes and cameras as people type them
source.py   the world that is filmed        film.py       which moments of it are seen
frames.py   the frames, one after another   views.py      where the camera looks
workers.py  the same by several processes   formats.py    what a film is written as
ffmpeg.py   mp4 and webm                    pictures.py   GIF, WebP and PNG
"""
