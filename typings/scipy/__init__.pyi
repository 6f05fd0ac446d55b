"""What stablemate uses of SciPy, typed."""
