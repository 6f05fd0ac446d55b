"""Readers of the attributes and types of dialects, one file for each dialect."""
