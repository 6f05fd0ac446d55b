"""Tests of ``compiler/dynamic``."""
