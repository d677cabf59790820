"""Export: trajectories from a recording or scene, in files that other programs read.

commands.py   `boids export`
formats.py    Parquet, CSV and NumPy's npz, each written in pieces
about.py      what stands in such a file besides: where the rows come from, and their units
"""
