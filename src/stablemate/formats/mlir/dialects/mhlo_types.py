"""Reads the types of MHLO that StableHLO does not have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.dialects.mhlo.types import AsyncBundleType
from stablemate.formats.mlir.type_reader import TypeReader
from stablemate.ir.types import Type


def read_async_bundle(reader: TypeReader) -> Type:
    """``<T, ...>``."""
    return AsyncBundleType(tuple(reader.read_enclosed("<", reader.type)))


TYPES: Final[dict[str, Callable[[TypeReader], Type]]] = {"!mhlo.async_bundle": read_async_bundle}
