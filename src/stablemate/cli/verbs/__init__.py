"""Holds the verbs of the command line, one module each.

A module of a verb declares its options and imports its implementation when it is invoked, so that
help and completion stay instant.
"""
