"""Undo and redo.

history.py    the steps that can be undone            recording.py  computes the changes that undo a command
change.py     the protocol of changes                 values.py     changes of columns
settings.py   changes of resources, the seed, prefabs
coming.py     changes that remove and restore entities, of the next serial, of the set of handled entities
"""
