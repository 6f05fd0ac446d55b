"""Eigenvalues, eigenvectors and Schur forms of real matrices, one in each lane.

``routines`` has the functions that are called; the other modules are their steps, in this order:
balancing, QR iteration with its shifts and blocks of two rows, and eigenvectors.
"""
