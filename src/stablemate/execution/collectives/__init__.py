"""Carries out collective operations and point-to-point messages.

The contributions of a group's processes come in; each receives its result, written in place where
the layout allows. Nothing here knows which backend runs the processes.
"""
