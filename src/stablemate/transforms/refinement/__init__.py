"""Refinement of shapes: what is known of values, functions for the types they are called with."""
