"""Tests of the PJRT backend."""
