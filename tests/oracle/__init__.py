"""The oracle: what XLA and the upstream StableHLO libraries in jaxlib say of a program."""
