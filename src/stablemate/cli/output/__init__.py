"""Writes what a command prints: tables, reports, progress, errors.

Every character of a program is escaped before it reaches a terminal.
"""
