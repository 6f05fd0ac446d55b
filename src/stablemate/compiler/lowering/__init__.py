"""Lowers operations to expressions: an element of a result in terms of elements of operands."""
