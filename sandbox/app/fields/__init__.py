"""A widget for every kind of field, and the bindings (of prefabs, systems, resources ...) that they edit."""
