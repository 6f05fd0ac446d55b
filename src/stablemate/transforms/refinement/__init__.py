"""Refinement of shapes: what is known of values, and functions for the types they are called with."""
