"""Programs of other frameworks as StableHLO.

``tensor_functions`` is the language in which every front end says what an operator means; each
front end is a table of operators and a walk over the graphs of its framework.
"""
