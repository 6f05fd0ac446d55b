"""The modules that define the operations of VHLO, and its operations by name and revision."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from stablemate.dialects.vhlo import (
    collectives,
    contraction,
    control_flow,
    data_movement,
    elementwise,
    reduction,
)
from stablemate.dialects.vhlo.definition import VhloOp

MODULES: Final = (
    collectives,
    contraction,
    control_flow,
    data_movement,
    elementwise,
    reduction,
)


def by_mnemonic() -> Mapping[str, tuple[type[VhloOp], ...]]:
    """All revisions of each operation, oldest first."""
    groups: dict[str, list[type[VhloOp]]] = {}
    for module in MODULES:
        for cls in module.OPERATIONS:
            groups.setdefault(cls.revision.mnemonic, []).append(cls)
    ordered = {
        name: tuple(sorted(classes, key=lambda cls: cls.revision.number))
        for name, classes in groups.items()
    }
    return MappingProxyType(ordered)


REVISIONS: Final = by_mnemonic()
