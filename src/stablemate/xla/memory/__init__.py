"""The memory layout of arrays: positions, sizes and bytes."""
