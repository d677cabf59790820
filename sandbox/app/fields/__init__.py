"""A widget for every kind of field, and the subjects (prefabs, systems, resources ...) whose fields they edit."""
