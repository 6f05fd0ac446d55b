"""Traces: what the operations of a run gave."""
