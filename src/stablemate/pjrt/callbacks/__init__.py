"""Functions of Python that JAX hands to the compiler: callbacks, partitioners, inspections."""
