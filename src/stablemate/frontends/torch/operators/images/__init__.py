"""Operators of images: windows, samples at points of grids, resizing."""
