"""Linear algebra as JAX lowers it: custom calls of LAPACK, with what JAX puts around them."""
