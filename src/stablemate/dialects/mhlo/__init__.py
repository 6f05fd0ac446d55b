"""MHLO, the dialect from which StableHLO was split off: its operations, and their equals."""
