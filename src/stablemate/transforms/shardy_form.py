"""Programs in Shardy's form, whatever form they were exported in."""

from __future__ import annotations

from typing import Final

from stablemate.ir.core import Module, Operation
from stablemate.ir.types import Attribute
from stablemate.lazy_imports import names_on_demand

HLO_SHARDING: Final = "mhlo.sharding"
"""
"""
