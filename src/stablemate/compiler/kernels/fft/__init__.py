"""Builds fast Fourier transforms: Stockham passes with butterflies in registers.

Rows of complex numbers come in, as many at a time as a vector has lanes; their transforms come out.
"""
