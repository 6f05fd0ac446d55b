"""XlaBuilder: programs operation by operation, as XLA's operation semantics describes them."""
