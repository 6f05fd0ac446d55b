"""Defines the program image: a plan as words that are ready to be loaded.

The image is what the disk cache stores and what the runtime loads. A change of the format needs no
version number: the key of the cache covers the sources.
"""
