"""What the verifier is made of: dominance, and the order of errors."""
