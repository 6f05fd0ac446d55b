"""Plans of functions."""

from __future__ import annotations

from collections.abc import Mapping

from stablemate.compiler.executable import graphed, plan_of
from stablemate.compiler.llvm.target import Target
from stablemate.compiler.options import DEFAULTS, CompileOptions
from stablemate.compiler.plan import Plan
from stablemate.ir.core import Operation


def planned(
    functions: Mapping[str, Operation],
    entry: str,
    target: Target,
    options: CompileOptions = DEFAULTS,
) -> Plan:
    """The plan of a function."""
    return plan_of(graphed(functions, entry, options), target, options)
