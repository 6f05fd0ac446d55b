"""Depthwise convolutions of bytes: how they read images."""
