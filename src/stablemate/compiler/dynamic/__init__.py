"""Handles programs whose shapes are known late.

A program with open sizes comes in; it is specialized for each combination of shapes it is called
with, or compiled in stages where sizes depend on data.
"""
