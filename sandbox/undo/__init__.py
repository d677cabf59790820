"""Taking back, and doing again.

history.py    the steps that can be taken back        recording.py  doing something, and noting what takes it back
change.py     what a change is                        values.py     values in columns
settings.py   values that belong to no entity, and prefabs
coming.py     who comes and who goes, the next serial, who counts as handled
"""
