"""HLO text and protocol buffers, in and out of the tree of ``stablemate.xla``."""
