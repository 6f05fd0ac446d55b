"""Tests of ``compiler/runtime``."""
