"""Chooses how the loops of a kernel run.

Index ranges and reductions come in; tiled, vectorized loops split into parallel chunks come out.
Tile sizes and widths may be tuned freely; the order in which reductions combine elements
determines bits and is fixed by `reduction_order`.
"""
