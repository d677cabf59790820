"""Shared worlds: a part of a recording or scene as one HTML page that plays it, and the same viewer in a notebook.

sharing.py    runs a recording, and makes a page of it
sampled.py    gathers what is drawn, twenty times a second      packed.py   makes numbers small
drawn.py      how it is drawn: the shaders of the window, for WebGL, with their values
bundled.py    all of it in one bundle, which the viewer gets    page.py     page.html with bundle and recording
notebook.py   the viewer in a notebook, which shows a simulation that goes on
viewer.js     draws and plays in a browser        notebook.js   lets it show what a notebook's simulation sends
"""
