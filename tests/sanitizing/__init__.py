"""Native code with LLVM's sanitizers in it."""
