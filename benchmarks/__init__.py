"""Benchmarks: the programs they measure, and the comparison with other compilers."""
