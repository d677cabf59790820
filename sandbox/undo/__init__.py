"""Taking back, and doing again."""
