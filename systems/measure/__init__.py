"""MEASURE: measures of order, populations and other measures of the whole world."""
