"""Functions that are registered with ``jax.ffi``: how they are found and called."""
