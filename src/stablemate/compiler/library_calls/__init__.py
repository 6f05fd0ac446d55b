"""Library calls: custom calls whose work is done by native libraries, called from native code.

A custom call of LAPACK becomes a launch that calls the routine for every matrix of a batch, without
Python. The sub-package ``compact`` has routines of its own for batches of small matrices.
"""
