"""Films: a part of a recording or scene, drawn frame by frame without a window, and written as one file.

film.py     what is filmed, and when        words.py      parses sizes and cameras
frames.py   draws frames in order           workers.py    draws with several processes
cameras.py  where the camera looks          soundtrack.py what is heard
formats.py  the file formats                ffmpeg.py     mp4 and webm
pillow.py   GIF, WebP and PNG               gif.py        a GIF, frame by frame
commands.py `boids film`                    window/       the panel, and films while people play
"""
