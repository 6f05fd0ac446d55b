"""The checks of instructions and of the entry interface of a module."""
