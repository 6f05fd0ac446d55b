"""Floor 3: every operation of every dialect, one section of its specification as a class."""
