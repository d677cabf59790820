"""Undo and redo.

history.py  the steps that can be undone, and how     changes.py       finds the changes that take a command back
values.py   changes of columns                        world_values.py  changes of resources, the seed, prefabs
coming.py   changes that remove and restore entities  size.py          estimates memory
"""
