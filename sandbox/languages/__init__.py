"""The window's texts in languages other than English."""
