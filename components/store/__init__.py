"""Where components live: declarations, the table, the world."""
