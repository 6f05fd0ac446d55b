"""Arithmetic and functions in twice the precision of 64-bit floats, on arrays of NumPy."""
