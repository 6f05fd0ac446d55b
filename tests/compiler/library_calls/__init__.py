"""Tests of ``compiler/library_calls``."""
