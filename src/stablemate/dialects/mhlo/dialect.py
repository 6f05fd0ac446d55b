"""The modules that define the operations of MHLO without counterparts."""

from __future__ import annotations

from typing import Final

from stablemate.dialects.mhlo import asynchronous, operations

MODULES: Final = (asynchronous, operations)
