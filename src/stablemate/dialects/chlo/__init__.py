"""CHLO: what client libraries write and StableHLO says in several operations."""
