"""Tests of stablemate, laid out like ``src/stablemate``, and the oracle they compare with."""
