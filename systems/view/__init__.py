"""What is for eyes: what is drawn, and its colours."""
