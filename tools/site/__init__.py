"""The documentation as a site: what of it is generated, and how it is built.

    python -m tools.site OUT

What a page is made of stands elsewhere: operations in ``stablemate.analysis.explain``, verbs in
``stablemate.cli``, functions in their docstrings, measurements in ``benchmarks/results``.
"""
