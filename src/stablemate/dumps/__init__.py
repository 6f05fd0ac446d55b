"""Dump folders: what compilers write about the programs that they compile.

XLA (``--xla_dump_to``), JAX (``jax_dump_ir_to``), PyTorch/XLA (``XLA_SAVE_TENSORS_FILE``) and IREE
(``--dump-compilation-phases-to``) write files about each program. ``load_dump`` recognizes them by
their names and groups them into modules and stages.
"""
