"""Reading and writing TOML with the line and column of every key and value."""
