"""Tests of ``compiler/graph``."""
