"""Physical layouts: the order in memory of the dimensions of values between convolutions.

A convolution reads and writes its features last, whatever its dimension numbers say. This package
chooses an order of dimensions for each value, so that values are transposed where the program
begins and ends, and not around each convolution (ADR 33).
"""
