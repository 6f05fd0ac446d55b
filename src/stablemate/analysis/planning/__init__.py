"""Planning: what a program takes on machines that are not here, before it runs.

A network is levels of latency and bandwidth; a collective operation is one of the algorithms of the
literature, of which the fastest is chosen; a program is its operations in order, on two resources:
the processor and the network.
"""
