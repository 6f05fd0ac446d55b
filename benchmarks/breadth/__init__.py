"""Small programs of JAX's public functions, on both clients of one process."""
