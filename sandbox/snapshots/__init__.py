"""Exact states: written to files, read again, and kept every minute."""
