"""Which mods there are: found, trusted, put in order. Nothing of theirs runs here."""
