"""The arith dialect: arithmetic on scalars, and on tensors and vectors element by element."""
