"""The type that MHLO has and StableHLO has not."""

from __future__ import annotations

from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.ir.kinds import instance_of
from stablemate.ir.types import DialectType, Type


@dataclass(frozen=True)
class AsyncBundleType(DialectType):
    """``!mhlo.async_bundle<T, ...>``: inputs, results and context of an asynchronous operation."""

    types: tuple[Type, ...]

    def __str__(self) -> str:
        return f"!mhlo.async_bundle<{', '.join(map(str, self.types))}>"


ASYNC_BUNDLE: Final = instance_of("async bundle", AsyncBundleType)
