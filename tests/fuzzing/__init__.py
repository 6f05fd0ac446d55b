"""Damaged, hostile and oversized inputs: everything that reads must answer or refuse."""
