"""What systems share."""
