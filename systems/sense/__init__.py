"""SENSE: what is known before anyone moves."""
