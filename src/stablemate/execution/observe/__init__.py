"""Lets callers observe a run.

Listeners are notified of values, printed text and probes while a program runs; results never
depend on them.
"""
