"""Tests of ``compiler/config``."""
