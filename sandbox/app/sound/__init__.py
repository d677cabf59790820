"""The sound of a world, computed from numbers; no sound files.

voices.py      loops of noise and tones: wings, water, wind ...      notes.py     short sounds: a catch, a birth, a tool
listener.py    what is heard in a world at a moment, from where      synthesizer.py    samples from what is heard
player.py      plays samples on the audio device           tape.py       samples for a film
"""
