"""Native libraries: built, called from C, and compared with ``sm.compile``."""
