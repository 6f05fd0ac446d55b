"""Floor 1: what a number is; knows no IR."""
