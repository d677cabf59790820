"""Reading and writing TOML text: every key and value knows its place."""
