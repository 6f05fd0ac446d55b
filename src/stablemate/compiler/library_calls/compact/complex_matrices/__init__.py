"""Cholesky, LU, triangular solves, QR and Hermitian eigenvalues of complex matrices, one a lane.

An element is two vectors, its real and its imaginary part, one after the other.
"""
