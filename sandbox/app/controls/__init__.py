"""The actions of keys and menus, key bindings, and the rows of the help."""
