"""Containers of jax.export: read, written and called."""
