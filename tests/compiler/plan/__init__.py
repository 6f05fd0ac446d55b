"""Tests of ``compiler/plan``."""
