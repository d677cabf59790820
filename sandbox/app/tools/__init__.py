"""The tools of the palette, a file for each kind."""
