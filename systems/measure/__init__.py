"""MEASURE: order parameters, populations and other measures of the whole world."""
