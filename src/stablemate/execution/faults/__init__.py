"""Finds out what happened when a rank died or a grid stopped making progress.

Ranks write crash records while they run; the monitor and quiescence detection turn them into one
error that names the cause.
"""
