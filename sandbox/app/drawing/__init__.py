"""What draws the world: plain arrays in, pictures out."""
