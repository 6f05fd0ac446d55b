"""Programs as native libraries with a C interface, which run without Python."""
