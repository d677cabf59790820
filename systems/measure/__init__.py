"""MEASURE: what is known of the whole."""
