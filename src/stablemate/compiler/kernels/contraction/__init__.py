"""Builds dots and convolutions: sums of products in register tiles.

Operands come in as they lie in memory or packed; a kernel with its epilogue comes out. Tile shapes
may be tuned; the order of summation determines bits.
"""
