"""MLIR bytecode: the binary form of modules, read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.formats.bytecode.writer import DEFAULT_PRODUCER as DEFAULT_PRODUCER
    from stablemate.formats.bytecode.writer import write_bytecode as write_bytecode

__getattr__ = names_on_demand(
    __name__,
    {
        "DEFAULT_PRODUCER": "writer",
        "write_bytecode": "writer",
    },
)
