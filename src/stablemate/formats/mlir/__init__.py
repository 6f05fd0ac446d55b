"""MLIR: text in its pretty and its generic form."""
