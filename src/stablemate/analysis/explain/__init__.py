"""Explains operations, rules, codes, attributes and types: pages generated from definitions."""
