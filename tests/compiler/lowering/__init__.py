"""Tests of ``compiler/lowering``."""
