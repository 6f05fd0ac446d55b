"""Floor 9: what users hold; `stablemate` re-exports it."""
