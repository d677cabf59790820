"""RENDER: the data that is drawn, and its colours."""
