"""The window and its pictures: the only place that imports arcade and pyglet.

`window.open_window` shows a simulation, `picture.draw_picture` draws one without a display. Both modules load a
graphics library: import them only where one is wanted.
"""

import pyglet

# Nothing here makes a sound: looking for audio drivers would cost the start a tenth of a second.
pyglet.options.audio = ("silent",)
