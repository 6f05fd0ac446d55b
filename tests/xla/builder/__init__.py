"""Programs that are built operation by operation."""
