"""The reference interpreter: prepared blocks, one loop, regions as callables."""
