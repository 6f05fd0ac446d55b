"""Generated calls of linear algebra: routines, their operands, programs, residuals, comparisons.

``python -m tests.compiler.linear_algebra_campaign`` runs them.
"""
