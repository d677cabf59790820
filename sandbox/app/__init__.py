"""The window and its pictures: the only package that imports arcade and pyglet.

`run_window.open_window` shows a simulation, `picture.draw_picture` draws one without a display. Both modules load a
graphics library, so import them only when graphics are needed.
"""

import os

import pyglet

from sandbox.app.heap import give_back_arrays
from sandbox.terminal import has_display

# Must be set before arcade is imported. Without a display, pictures can still be drawn by an off-screen context.
if not has_display():
    os.environ.setdefault("ARCADE_HEADLESS", "True")

# The program plays no sound; searching for audio drivers would add a tenth of a second to the start.
pyglet.options.audio = ("silent",)

# Otherwise pyglet checks for errors after every OpenGL call, which waits for each of them. Only tests want that.
if "PYGLET_DEBUG_GL" not in os.environ:
    pyglet.options.debug_gl = False

# Mesa, the OpenGL driver of most Linux machines, can execute OpenGL calls in its own thread, in parallel to the ticks:
# without a graphics card, the calls for 100,000 boids then take this thread 0.2 ms instead of 25.
BESIDE = "mesa_glthread"
if BESIDE not in os.environ:
    os.environ[BESIDE] = "true"
    os.environ.setdefault("MESA_DEBUG", "silent")  # otherwise Mesa reports the setting above on stderr

give_back_arrays()
