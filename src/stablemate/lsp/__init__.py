"""A language server for MLIR text and HLO text: ``stablemate lsp``.

Text comes in, answers of the Language Server Protocol go out. ``documents`` holds the open texts,
``programs`` reads them, again and again as they change; every other module is one feature.
"""
