"""Cholesky, triangular solves, QR and symmetric eigenvalues of matrices divided into tiles.

Planning makes calls of the routines for the matrices for which they are faster than LAPACK; their
LLVM text is written when a program first needs one.
"""
