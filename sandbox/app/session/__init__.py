"""The session that panels, tools and actions get: the document, its view, and the services of the window."""
