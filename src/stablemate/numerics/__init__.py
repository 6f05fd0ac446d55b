"""Numbers and element types; independent of the IR."""
