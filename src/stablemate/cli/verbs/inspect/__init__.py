"""Verbs that describe programs.

Each module named as a verb declares its options; the others implement them.
"""
