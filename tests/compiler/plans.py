"""Plans of functions."""

from __future__ import annotations

from collections.abc import Mapping

import stablemate as sm
from stablemate.api.executables import function_operations
from stablemate.compiler.config.options import DEFAULTS, CompileOptions
from stablemate.compiler.config.target import Target
from stablemate.compiler.pipeline import Compilation
from stablemate.compiler.plan.plan import Plan
from stablemate.diagnostics.limits import Limits
from stablemate.execution.signature import declared_signature
from stablemate.ir.core import Operation


def planned(
    functions: Mapping[str, Operation],
    entry: str,
    target: Target,
    options: CompileOptions = DEFAULTS,
) -> Plan:
    """The plan of a function."""
    return compilation(functions, entry, target, options).plan


def compilation(
    functions: Mapping[str, Operation],
    entry: str,
    target: Target,
    options: CompileOptions = DEFAULTS,
) -> Compilation:
    """The stages of the compiler for a function."""
    signature = declared_signature(functions[entry])
    return Compilation(functions, signature, target, options, Limits())


def emitted(text: str, target: Target, stage: str) -> str:
    """What a stage of the compiler makes of a program's main function on a machine."""
    functions = {f.symbol: f for f in function_operations(sm.load(text).ir)}
    return compilation(functions, "main", target).emit(stage)
