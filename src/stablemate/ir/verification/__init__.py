"""What the verifier is made of: dominance, the order of errors, and what upstream accepts."""
