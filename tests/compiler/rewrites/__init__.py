"""Tests of ``compiler/rewrites``."""
