"""Floor 8: programs as native libraries with a C interface, which run without Python."""
