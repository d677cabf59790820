"""Films: a part of a recording or scene, drawn frame by frame without a window, and written as one file.

words.py    parses times, sizes and cameras
film.py     what is filmed, and when        frames.py     draws frames in order
views.py    where the camera looks          workers.py    draws with several processes
formats.py  the file formats                ffmpeg.py     mp4 and webm
pictures.py GIF, WebP and PNG
"""
