"""The stages of the compiler, imported when they are needed: a program from the cache has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.compiler.compilation import Compilation as Compilation
    from stablemate.compiler.llvm.objects import assembled as assembled
    from stablemate.compiler.violations import violation as violation

__getattr__ = names_on_demand(
    __name__,
    {"Compilation": "compilation", "assembled": "llvm.objects", "violation": "violations"},
    package="stablemate.compiler",
)
