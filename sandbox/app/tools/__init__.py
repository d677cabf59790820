"""The tools of the palette, a file for each kind; a mod adds its own through the same `install(app)`."""
