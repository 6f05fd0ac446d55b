"""Reads what a command line names: programs, arrays, literals, files.

Strings of the command line come in; modules and tensors come out, or a usage error that quotes the
string.
"""
