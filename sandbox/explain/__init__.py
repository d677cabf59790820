"""Why does this one turn: numbers, and words for them."""
