"""The profiler of the plugin, for ``jax.profiler``."""
