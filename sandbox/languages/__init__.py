"""Tables of what the window says in other languages than English."""
