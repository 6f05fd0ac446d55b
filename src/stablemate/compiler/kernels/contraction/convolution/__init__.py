"""Convolutions: their arithmetic, how image and kernel are read or copied, the products."""
