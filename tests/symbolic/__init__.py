"""Programs whose sizes are symbols, as jax.export writes them."""
