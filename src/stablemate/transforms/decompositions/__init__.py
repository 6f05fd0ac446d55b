"""Decompositions of operations for which there are no kernels."""
