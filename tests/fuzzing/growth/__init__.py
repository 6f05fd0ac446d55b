"""Every operation with every part of it grown: what takes time or memory out of proportion."""
