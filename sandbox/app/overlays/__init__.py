"""The overlays drawn over and under the animals, a file each."""
