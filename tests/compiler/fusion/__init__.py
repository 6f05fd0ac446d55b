"""Tests of ``compiler/fusion``."""
