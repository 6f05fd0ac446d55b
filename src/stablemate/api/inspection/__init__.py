"""Public functions that inspect programs and runs: cost, explain, diff, trace, debug, view.

Modules and arguments come in; frozen results with tables and JSON come out. Each function may
change on its own.
"""
