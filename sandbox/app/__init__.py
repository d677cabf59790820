"""The window and its pictures: the only place that imports arcade and pyglet.

`run.open_window` shows a simulation, `picture.draw_picture` draws one without a display. Both modules load a
graphics library: import them only where one is wanted.
"""

import os

import pyglet

from sandbox.terminal import has_display

# A mod loads a graphics library when it is imported: where there is no display, its picture can be drawn all the same.
if not has_display():
    os.environ.setdefault("ARCADE_HEADLESS", "True")

# Nothing here makes a sound: looking for audio drivers would cost the start a tenth of a second.
pyglet.options.audio = ("silent",)

# pyglet would ask after every OpenGL call whether it went wrong, and so wait for each: only tests want that.
if "PYGLET_DEBUG_GL" not in os.environ:
    pyglet.options.debug_gl = False

# Mesa, which draws on most Linux machines, can take OpenGL calls and carry them out in a thread of its own, beside
# the ticks: without a graphics card the calls of 100,000 boids take this thread 0.2 ms instead of 25.
BESIDE = "mesa_glthread"
if BESIDE not in os.environ:
    os.environ[BESIDE] = "true"
    os.environ.setdefault("MESA_DEBUG", "silent")  # else it says on stderr that it was asked to
