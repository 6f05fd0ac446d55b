"""Functions of tensors that create operations of StableHLO and CHLO, in NumPy's vocabulary.

Sizes are numbers, or symbolic sizes of one program for all of them.
"""
