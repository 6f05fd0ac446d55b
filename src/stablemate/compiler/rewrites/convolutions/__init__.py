"""Rewrites of convolutions: those of one image become one; images are stored with padding."""
