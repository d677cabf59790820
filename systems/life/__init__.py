"""LIFE: feeding, predation, ageing, births and deaths; the last two are queued for COMMIT."""
