"""Recognizes attention in the dataflow graph.

A graph comes in; where it computes ``softmax(f(Q K^T)) V`` its operations are replaced by one,
for which there is a kernel that keeps no matrix of scores in memory.
"""
