"""stablehlo-legalize-to-vhlo: a program in the newest revisions of VHLO.

Defaults become explicit, structured attributes fall into their parts, and all types are VHLO's.
Other dialects may stay beside VHLO ("mixed"): casts then stand where values pass between them.

Source: StableHLO, legalization to VHLO.
"""

from __future__ import annotations

from stablemate.ir.core import Module
from stablemate.transforms.vhlo.legalization import VhloLegalization, is_foreign
from stablemate.transforms.vhlo.mixed_legalization import (
    MixedLegalization,
    MixedRefolding,
    Refolding,
)
from stablemate.transforms.vhlo.use_orders import LateUses


def legalize_to_vhlo(
    module: Module, *, mixed: bool = False, late_uses: LateUses | None = None
) -> Module:
    """The module in VHLO.

    Args:
        module: A module in StableHLO and func.
        mixed: Whether operations, types and attributes of other dialects stay as they are.
        late_uses: Gets the uses of the new module that replaced others.

    Raises:
        UnsupportedError: A part of it has no form in VHLO.
    """
    converted = (MixedLegalization if mixed else VhloLegalization)(late_uses).module(module)
    if not any(is_foreign(operation) for operation in converted.operation.walk()):
        return converted
    refolding = (MixedRefolding if mixed else Refolding)(late_uses)
    return refolding.module(converted)  # upstream folds again when it converts to the version
