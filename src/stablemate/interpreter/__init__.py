"""Floor 5: the reference interpreter: prepared blocks, one loop, regions as callables."""
