"""Tests of dump folders."""
