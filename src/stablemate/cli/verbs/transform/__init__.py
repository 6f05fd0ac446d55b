"""Verbs that write programs: converted, transformed or reduced.

Each module named as a verb declares its options; the others implement them.
"""
