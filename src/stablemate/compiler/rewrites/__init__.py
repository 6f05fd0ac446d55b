"""Rewrites the dataflow graph before fusion; only attention changes bits of results.

A graph comes in and is changed in place: simplified, short loops unrolled, operations on quantized,
complex and scalar values decomposed. Each module is one rewrite and may be changed on its own.
"""
