"""Films: a part of a recording or scene, drawn frame by frame without a window, and written as one file.

film.py     what is filmed, and when        cameras.py    where the camera looks
frames.py   draws frames in order           workers.py    draws with several processes
soundtrack.py what is heard                 other_process.py  a process that ends with this one
formats.py  the file formats                ffmpeg.py     mp4 and webm
pillow.py   GIF, WebP and PNG               gif.py        a GIF, frame by frame
commands.py `boids film`                    window/       the panel, and films while people play
"""
