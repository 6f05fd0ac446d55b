"""Builds the dataflow graph of one function.

A function of the IR comes in; a graph comes out whose calls are inlined and whose values are
tensors with one name each. Later stages rewrite this graph; they never go back to the IR.
"""
