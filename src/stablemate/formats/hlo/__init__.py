"""Reads and writes HLO text and protocol buffers, from and to the tree of ``stablemate.xla``."""
