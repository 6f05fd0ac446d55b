"""Tests of ``compiler/kernels``."""
