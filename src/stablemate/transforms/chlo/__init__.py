"""Decompositions of CHLO into StableHLO, one module for each family of functions."""
