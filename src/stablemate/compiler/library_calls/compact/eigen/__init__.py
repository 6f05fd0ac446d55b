"""Eigenvalues, eigenvectors and Schur forms of matrices that are not symmetric, one in each lane.

``routines`` has the functions that are called; the other modules are their steps, in this order:
balancing, QR iteration with its shifts and blocks of two rows, and eigenvectors.
"""
