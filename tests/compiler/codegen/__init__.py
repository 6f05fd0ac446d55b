"""Tests of ``compiler/codegen``."""
