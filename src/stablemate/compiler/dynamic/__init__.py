"""Handles programs whose shapes are known late.

A program with dynamic sizes comes in; it is specialized for each combination of shapes it is called
with, or compiled in stages if sizes depend on data.
"""
