"""StableHLO, one operation per file."""
