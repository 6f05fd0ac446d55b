"""Kernels of attention: ``softmax(f(Q K^T)) V`` in tiles, with an online softmax.

What comes in is a node that ``rewrites/attention`` made of the dots, reductions and elementwise
operations of a program; what comes out are the loops that compute its result in memory that is
linear in the numbers of queries and keys.
"""
