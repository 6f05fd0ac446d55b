"""The compiler: whole programs to native code."""
