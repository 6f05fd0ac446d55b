"""Grids of processes, their carriers, and what they ask of the world."""
