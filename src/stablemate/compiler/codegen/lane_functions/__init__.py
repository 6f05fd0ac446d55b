"""Functions that kernels call in rare branches, for those lanes of a vector that need them.

What a kernel computes in twice the precision and finds too inaccurate goes in; numbers of as many
digits as it takes come out. The functions are LLVM text with loops on fixed-point numbers of many
words. Only their names and the order of operands and results are known outside.
"""
