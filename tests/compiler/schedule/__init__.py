"""Tests of ``compiler/schedule``."""
