"""Decides which operations share a kernel and which values are materialized.

A graph comes in; groups of operations in launch order come out, with a reason for every value that
is kept in memory. The cost model may be tuned freely: no result depends on it.
"""
