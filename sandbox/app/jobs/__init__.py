"""Work beside the window."""
