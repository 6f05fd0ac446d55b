"""What the verifier asks of instructions and of the border of a module."""
