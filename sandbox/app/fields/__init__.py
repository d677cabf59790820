"""A widget for every kind of field, and what the fields are of."""
