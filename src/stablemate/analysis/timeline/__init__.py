"""Runs on a time line: what a trace has recorded, as events and as documents."""
