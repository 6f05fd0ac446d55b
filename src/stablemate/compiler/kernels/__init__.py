"""Builds the loops of operations that are more than an element at an index.

A node or a fused group comes in; a kernel in the loop language comes out. Each family is a package;
a new kernel registers a builder in `table` and needs no change elsewhere.
"""
