"""Functions in double-double arithmetic: numbers as pairs of ``f64``.

Elements of ``complex<f64>`` go in as their parts, and expressions of the parts of results come out.
``complex_functions`` are what the lowering of operations uses.
"""
