"""Pygments lexers for MLIR and HLO text, which Sphinx, notebooks and terminals find by entry point.

They need nothing else of the package: coloring a page loads neither NumPy nor a reader.
"""
