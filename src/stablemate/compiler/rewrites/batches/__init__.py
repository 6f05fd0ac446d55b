"""Computes the first part of a convolutional network for a few images of the batch at a time.

`tiling` replaces that part by a loop over the batch, `segments` chooses it, and `rules` says which
operations compute each image from the same image of their operands.
"""
