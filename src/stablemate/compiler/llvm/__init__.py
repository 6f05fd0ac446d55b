"""Nests to LLVM's language, that to objects, and objects into the process."""
