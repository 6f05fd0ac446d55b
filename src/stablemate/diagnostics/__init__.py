"""Where something is, and what is wrong with it."""
