"""Builds sorts: by radix, by merging with any comparator, or selecting the first elements.

Keys and operands come in; a kernel that orders them stably comes out.
"""
