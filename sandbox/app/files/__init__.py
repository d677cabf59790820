"""Opening, saving and keeping, so that nothing is lost."""
