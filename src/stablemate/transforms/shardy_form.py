"""Programs in Shardy's form, whatever form they were exported in."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from stablemate.dialects.func import FuncOp
from stablemate.dialects.mhlo.frontend_attributes import FRONTEND_ATTRIBUTES
from stablemate.ir.attributes import DictionaryAttribute
from stablemate.ir.core import Module, Operation
from stablemate.ir.types import Attribute

ROUND_TRIP: Final = "xla.sdy."
BOUNDARIES: Final = ("SPMDFullToShardShape", "SPMDShardToFullShape")


def in_shardy_form(module: Module, *, hlo: bool = False) -> Module:
    """The module with meshes, shardings and manual computations of Shardy.

    A module that needs none of its other forms to be run is itself: shardings of HLO alone do not
    change what a program computes.

    Args:
        module: A module.
        hlo: Whether shardings of HLO are rewritten in any case.

    Raises:
        VerifyError: A sharding cannot be read, or does not fit; a boundary has no partner.
        UnsupportedError: Shardings of HLO have no mesh in common.
    """
    # The passes are imported here, because few programs need them.
    if any(map(is_of_round_trip, module.operation.walk())):
        module = import_module("stablemate.transforms.sdy_round_trip_import").import_round_trip(
            module
        )
    if hlo or any(map(is_boundary, module.operation.walk())):
        module = import_module("stablemate.transforms.sdy_stablehlo_import").import_hlo_shardings(
            module
        )
    return module


def is_boundary(operation: Operation) -> bool:
    """Whether whole values become shards of GSPMD here, or shards whole values."""
    if operation.name != "stablehlo.custom_call":
        return False
    return getattr(operation.attributes.get("call_target_name"), "value", "") in BOUNDARIES


def is_of_round_trip(operation: Operation) -> bool:
    """Whether an operation has a custom call or attributes of Shardy's round trip through HLO."""
    target = operation.attributes.get("call_target_name")
    if target is not None and getattr(target, "value", "").startswith(ROUND_TRIP):
        return True
    discardable = operation.discardable
    if discardable and any(map(is_attribute_of_round_trip, discardable.items())):
        return True
    return isinstance(operation, FuncOp) and any(
        is_attribute_of_round_trip(item)
        for entry in operation.stored_attributes
        for item in entry.items()
    )


def is_attribute_of_round_trip(item: tuple[str, Attribute]) -> bool:
    """Whether an attribute is one of the round trip, or holds one."""
    name, value = item
    if name == FRONTEND_ATTRIBUTES and isinstance(value, DictionaryAttribute):
        return any(key.startswith(ROUND_TRIP) for key in value.entries)
    return name.startswith(ROUND_TRIP)
