"""Linear algebra for batches of small matrices: each lane of a vector holds one matrix.

The layout is that of compact (interleaved) BLAS: an element of several matrices is one vector.
"""
