"""Who is where: indexes, walks over neighbours, shapes, sums over those around."""
