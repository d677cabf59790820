"""Languages: the texts of the window in others than English.

texts.py    reads tables: those in this folder, and a person's own        de.toml    German
"""
