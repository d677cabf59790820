"""From a folder to parts: importing mods, and putting their parts together."""
