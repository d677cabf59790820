"""The phase RENDER: finds what is drawn of a world, and its colours, as plain arrays, which the window draws."""
