"""MLIR bytecode: the binary form of modules, read and written."""
