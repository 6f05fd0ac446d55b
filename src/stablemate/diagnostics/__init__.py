"""Floor 0: where something is, and what is wrong with it."""
