"""Where components live: their declarations, the table that holds the values, the world that entities enter."""
