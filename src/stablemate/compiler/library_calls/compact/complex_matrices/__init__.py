"""Factorizations, eigenvalues and singular values of complex matrices, one in each lane.

An element is two vectors, its real and its imaginary part, one after the other.
"""
