"""Propagation of shardings through a program, as Shardy does it."""
