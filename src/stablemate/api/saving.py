"""Writes programs to files."""

from __future__ import annotations

import os

from stablemate.api.module import Module
from stablemate.diagnostics.errors import ArgumentTypeError


def save(
    module: Module, path: str | os.PathLike[str], *, format: str | None = None,
    target: str | None = None, bytecode_version: int | None = None, mixed: bool = False,
    expand: bool = False, debug_info: bool = False,
) -> None:  # fmt: skip
    """Writes a program to a file, which appears with its whole content or not at all.

    Args:
        module: The program.
        path: The file. Its ending says the format: ``.mlir`` and ``.txt`` (text), ``.mlirbc``
            (bytecode), ``.stablehlo`` and ``.vhlo`` (portable artifact), ``.jax_export`` (the
            container that the program was read from), ``.hlo`` and ``.hlo.txt`` (HLO text), ``.pb``
            (HLO proto).
        format: ``text``, ``generic``, ``bytecode``, ``artifact``, ``jax_export``, ``hlo`` or
            ``hlo_proto``; by default that of the ending.
        target: The version of StableHLO that an artifact is for, as ``to_artifact`` takes it; by
            default that of the artifact that the program was read from, or ``"12 weeks"``.
        bytecode_version: The version of the bytecode container.
        mixed: Whether an artifact keeps shardings and other dialects.
        expand: Whether an artifact expresses in older operations what the target lacks.
        debug_info: Whether text has locations; the other formats always have them.

    Raises:
        ArgumentTypeError: The module is none.
        ArgumentValueError: Neither the ending nor ``format`` names a format, an option is for
            another format, or the program does not come from ``jax.export``.
        VerifyError: The program is not valid, and the format is not ``generic``.
        UnsupportedError: The format, in that version, cannot say what the program says.
        FileError: The file cannot be written.
    """
    if not hasattr(module, "verify"):
        kind = type(module).__name__
        raise ArgumentTypeError(f"what is saved is a program that sm.load returns, not {kind}")
    module.save(
        path, format=format, target=target, bytecode_version=bytecode_version, mixed=mixed,
        expand=expand, debug_info=debug_info,
    )  # fmt: skip
