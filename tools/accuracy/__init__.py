"""How far results are from the exact ones: measured against mpmath, at points that are hard."""
