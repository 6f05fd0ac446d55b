"""Floor 1: numbers and element types; independent of the IR."""
