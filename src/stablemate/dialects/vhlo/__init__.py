"""VHLO: the versioned form of StableHLO in which portable artifacts are stored."""
