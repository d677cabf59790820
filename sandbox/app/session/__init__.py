"""What a person works on, how it is looked at, and what a window does for it: what panels, tools and actions get."""
