"""Programs out of the frameworks that people write them in.

A framework is imported when its bridge is used; none is needed to use stablemate.
"""
