"""What can be drawn over and under the animals, to be looked at: one file each."""
