"""CHLO: operations of client libraries that decompose into several of StableHLO."""
