"""Portable artifacts are written, and converted: programs for readers of stated versions.

Source: StableHLO, its serialization.
"""

from __future__ import annotations

from dataclasses import replace

from stablemate.dialects.vhlo.versions import (
    PRODUCER,
    Version,
    bytecode_version,
)
from stablemate.formats.bytecode.writer import write_bytecode
from stablemate.ir.core import BytecodeOrigin, Module
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.rewriter import rewrite_module
from stablemate.transforms.elided import reject_elided
from stablemate.transforms.embed_resources import names_resources, resource_patterns
from stablemate.transforms.vhlo.artifact_reader import holds_vhlo
from stablemate.transforms.vhlo.stablehlo_compatibility_expander import expand_for
from stablemate.transforms.vhlo.stablehlo_legalize_to_vhlo import legalize_to_vhlo
from stablemate.transforms.vhlo.use_orders import LateUses, use_orders
from stablemate.transforms.vhlo.vhlo_legalize_to_stablehlo import legalize_to_stablehlo
from stablemate.transforms.vhlo.vhlo_to_version import vhlo_to_version


def write_artifact(
    module: Module, target: Version, *, mixed: bool = False, expand: bool = False
) -> bytes:
    """The portable artifact of a module for a version of StableHLO.

    Args:
        module: A module in StableHLO.
        target: The version whose readers are to read it.
        mixed: Whether operations and attributes of other dialects stay as they are. Readers before
            1.11.0 do not know such artifacts.
        expand: Whether what is newer than the target is rewritten where it can be.

    Raises:
        UnsupportedError: The target cannot say what the module says.
    """
    version, producer = bytecode_version(target), f"{PRODUCER}{target}"
    with without_garbage_collection():
        if holds_vhlo(module):
            module = legalize_to_stablehlo(module)
        if any(names_resources(operation) for operation in module.operation.walk()):
            reject_elided(module)
            module = rewrite_module(module, resource_patterns(module.resources))
        if expand:
            module = expand_for(module, target)
        late_uses = LateUses()
        legalized = legalize_to_vhlo(module, mixed=mixed, late_uses=late_uses)
        converted = vhlo_to_version(legalized, target, late_uses)
        orders = use_orders(converted, target.without_patch, late_uses)
        converted.origin = BytecodeOrigin(version, producer, use_orders=orders)
        return write_bytecode(converted, version, producer)


def from_artifact(module: Module) -> Module:
    """Converts a module of VHLO to StableHLO.

    Raises:
        VerifyError: An operation of VHLO is not as its revision is declared.
        UnsupportedError: It says something that StableHLO has no form for.
    """
    with without_garbage_collection():
        converted = legalize_to_stablehlo(module)
    if module.origin is not None:
        converted.origin = replace(module.origin, use_orders={})
    return converted
