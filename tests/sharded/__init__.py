"""Programs of shard_map, exported with Shardy, and what JAX computes with them on fake devices."""
