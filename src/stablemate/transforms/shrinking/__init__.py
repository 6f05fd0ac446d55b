"""Shrinking: programs that are smaller than a given one, and no longer compute the same."""
