"""Plans of functions."""

from __future__ import annotations

from collections.abc import Mapping

from stablemate.compiler.config.options import DEFAULTS, CompileOptions
from stablemate.compiler.config.target import Target
from stablemate.compiler.plan.plan import Plan
from stablemate.compiler.text_stages import graphed, plan_of
from stablemate.ir.core import Operation


def planned(
    functions: Mapping[str, Operation],
    entry: str,
    target: Target,
    options: CompileOptions = DEFAULTS,
) -> Plan:
    """The plan of a function."""
    return plan_of(graphed(functions, entry, options), target, options)
