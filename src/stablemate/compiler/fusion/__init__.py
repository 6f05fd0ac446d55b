"""Decides which operations share a kernel and which values are materialized.

A graph comes in; fusion groups in launch order come out, with a reason for every value that is
materialized. The cost model may be tuned freely: no result depends on it.
"""
