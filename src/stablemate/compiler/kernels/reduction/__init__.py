"""Builds reductions of dimensions, rows and windows.

A reduction and the elements that it reads come in; loops come out that combine them by a monoid in
any order, or one after the other.
"""
