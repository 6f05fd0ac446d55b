"""Kernels: the loops of operations that are more than an element at an index."""
