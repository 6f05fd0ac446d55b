"""The container that ``jax.export.Exported.serialize`` writes: a program and how JAX calls it."""
