"""Whole models as StableHLO text, small enough for the slowest executor."""
