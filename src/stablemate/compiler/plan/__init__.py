"""Turns fused groups into the executable plan and the plan into a program image.

Kernels in launch order come in; steps on buffers with assigned memory come out, verified, and
finally the words of the image. `evaluator` defines the meaning of a plan, in Python.
"""
