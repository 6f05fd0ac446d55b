"""StableHLO as HLO; one file per family of operations."""
