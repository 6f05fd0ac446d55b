"""Since which version of StableHLO something can be written: types, attributes, operations.

Source: StableHLO, VHLO: versions of operations, attributes and types, and their constraints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final, NamedTuple

from stablemate.dialects.builtin import ModuleOp, UnrealizedConversionCast
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.vhlo import attributes as vhlo
from stablemate.dialects.vhlo.conversion import NoCounterpart, from_vhlo
from stablemate.dialects.vhlo.definition import Revision, VhloOp
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.dialects.vhlo.types import (
    FutureV1Type,
    TensorV1Type,
    UnrankedTensorV1Type,
    VhloAttribute,
    VhloType,
)
from stablemate.dialects.vhlo.versions import (
    MINIMUM,
    MIXED_DIALECTS,
    RANGE_LOCATIONS,
    Version,
)
from stablemate.ir.core import Module, Operation
from stablemate.ir.definition import has_trait
from stablemate.ir.kinds import EnumAttribute
from stablemate.ir.locations import Location
from stablemate.ir.traits import Trait
from stablemate.ir.types import Attribute, Type
from stablemate.transforms.vhlo.revisions import CHANGES
from stablemate.transforms.vhlo.stablehlo_compatibility_expander import plain
from stablemate.transforms.vhlo.stablehlo_legalize_to_vhlo import legalize_to_vhlo

MAXIMUM_CACHED: Final = 1 << 12  # versions of types that are kept: memory against asking again
PROMOTION: Final = Version(0, 17, 0)  # reductions whose results have other element types
TYPED_CALLS: Final = Version(1, 3, 0)  # custom calls with dictionaries
FUTURE_OPERANDS: Final = Version(1, 17, 0)  # custom calls that take futures
TYPED_FFI: Final = vhlo.API_VERSION.attribute(vhlo.ApiVersion.TYPED_FFI)


class Need(NamedTuple):
    """The first version that has a feature, and the part of the program that needs it."""

    version: Version
    reason: str


def since(part: Type | Attribute) -> Version:
    """The first version that has a type or an attribute, with all its components."""
    if isinstance(part, VhloType):
        return type_since(part)
    if isinstance(part, VhloAttribute):
        return max((part.since, *map(since, part.parts())))
    if isinstance(part, EnumAttribute):
        return vhlo.ENUMERATIONS_SINCE.get(part.mnemonic, MINIMUM)
    return MINIMUM


def foreign(part: Type | Attribute) -> Attribute | None:
    """The first attribute of another dialect in an attribute, itself included."""
    if isinstance(part, VhloAttribute):
        return next((inner for nested in part.parts() if (inner := foreign(nested))), None)
    if isinstance(part, VhloType | EnumAttribute):
        return None
    return part if isinstance(part, Attribute) else None


def foreign_attribute(operation: VhloOp) -> Attribute | None:
    """The first attribute of another dialect among those of an operation."""
    attributes = (*operation.attributes.values(), *operation.discardable.values())
    return next(filter(None, map(foreign, attributes)), None)


@lru_cache(maxsize=MAXIMUM_CACHED)
def type_since(part: VhloType) -> Version:
    """The first version that can write a type; types are few, and hold no data."""
    return max((part.since, *map(since, part.parts())))


def need(operation: VhloOp) -> Need:
    """The first version that can write an operation, in any of its revisions."""
    revision, attributes = operation.revision, operation.attributes
    change, obstacle = CHANGES.get(revision.mnemonic), ""
    if revision.number > 1 and change is not None:
        obstacle = change.obstacle(operation)
        if not obstacle:
            revision = REVISIONS[revision.mnemonic][0].revision
            attributes = change.downgrade(operation, attributes)
    need = Need(revision.since, obstacle or f"the operation came with {revision.since}")
    for demand in demands(operation, revision, attributes):
        if demand.version > need.version:
            need = demand
    return need


def demands(
    operation: VhloOp, revision: Revision, attributes: Mapping[str, Attribute]
) -> Iterator[Need]:
    """The demands of an operation on versions, besides its revision."""
    yield from constraints(operation, revision, attributes)
    for dictionary in (attributes, operation.discardable):
        for name, attribute in dictionary.items():
            if (version := since(attribute)) > MINIMUM:
                yield Need(version, f"its attribute {name} holds {culprit(attribute)}")
    for value in (*operation.operands, *operation.results):
        if (version := since(value.type)) > MINIMUM:
            yield Need(version, f"its types hold {culprit(value.type)}")


def constraints(
    operation: VhloOp, revision: Revision, attributes: Mapping[str, Attribute]
) -> Iterator[Need]:
    """The demands of an operation on versions by special rules."""
    if is_promoting(revision.mnemonic) and promotes(operation):
        yield Need(PROMOTION, "its results have another element type than its operands")
    if revision.mnemonic == "custom_call":
        config, api_version = attributes["backend_config"], attributes["api_version"]
        if isinstance(config, vhlo.DictionaryV1) or api_version == TYPED_FFI:
            yield Need(TYPED_CALLS, "its backend_config is a dictionary")
        if any(isinstance(operand.type, FutureV1Type) for operand in operation.operands):
            yield Need(FUTURE_OPERANDS, "an operand is a future")


@cache
def is_promoting(mnemonic: str) -> bool:
    """Whether the reducer of an operation of StableHLO may accumulate in a wider type."""
    counterpart = OPERATIONS.get(f"stablehlo.{mnemonic}")
    return counterpart is not None and has_trait(counterpart, Trait.PROMOTING)


def promotes(operation: Operation) -> bool:
    """Whether elements of results and operands differ, pair by pair."""
    operands = [element(operand.type) for operand in operation.operands]
    results = [element(result.type) for result in operation.results]
    return any(one != other for one, other in zip(operands, results, strict=False))


def element(value_type: Type) -> Type:
    """The element type of a tensor."""
    return (
        value_type.element
        if isinstance(value_type, TensorV1Type | UnrankedTensorV1Type)
        else value_type
    )


def culprit(part: Type | Attribute) -> str:
    """The smallest part that needs the version, in StableHLO's terms."""
    version = since(part)
    while isinstance(part, VhloType | VhloAttribute):
        inner = next((nested for nested in part.parts() if since(nested) == version), None)
        if inner is None:
            break
        part = inner
    return stablehlo_text(part)


def stablehlo_text(part: Type | Attribute) -> str:
    """A type as StableHLO spells it; an attribute as VHLO does."""
    try:
        return str(part) if isinstance(part, Attribute) else str(from_vhlo(part))
    except NoCounterpart:
        return str(part)


class Demand(NamedTuple):
    """The oldest version of StableHLO whose readers can read a module, and what requires it.

    Attributes:
        version: The version.
        operation: The first operation that asks for it, in the module that was given or in that of
            VHLO which it became; None if nothing does.
        name: The name of that operation in StableHLO.
        reason: Why it asks.
    """

    version: Version
    operation: Operation | None = None
    name: str = ""
    reason: str = ""


def demand(module: Module) -> Demand:
    """The oldest version of StableHLO that can write a module as an artifact, and why no older one.

    Raises:
        UnsupportedError: No version can write it.
    """
    converted = legalize_to_vhlo(module, mixed=True)
    demand = Demand(MINIMUM)
    has_casts = any(isinstance(o, UnrealizedConversionCast) for o in module.operation.walk())
    for operation in converted.operation.walk():
        if isinstance(operation, VhloOp):
            version, reason = need(operation)
            name = stablehlo_name(operation.revision.mnemonic)
            if version < MIXED_DIALECTS and (other := foreign_attribute(operation)):
                version, reason = MIXED_DIALECTS, f"its attributes hold {other}"
        elif isinstance(operation, ModuleOp):
            continue
        elif isinstance(operation, UnrealizedConversionCast) and not has_casts:
            continue  # of the conversion, around an operation of another dialect
        else:
            name = operation.name
            version, reason = MIXED_DIALECTS, "operations of other dialects came with it"
        if version > demand.version:
            demand = Demand(version, operation, name, reason)
    if demand.version < RANGE_LOCATIONS:
        for operation, location in locations(converted):
            if plain(location) != location:
                name = source_name(operation)
                return Demand(RANGE_LOCATIONS, operation, name, "its location is a range")
    return demand


def minimum_version(module: Module) -> Version:
    """The oldest version of StableHLO whose readers can read a module as an artifact.

    Raises:
        UnsupportedError: No version can write it.
    """
    return demand(module).version


def source_name(operation: Operation) -> str:
    """The name in StableHLO of an operation that may be one of VHLO."""
    if isinstance(operation, VhloOp):
        return stablehlo_name(operation.revision.mnemonic)
    return operation.name


def stablehlo_name(mnemonic: str) -> str:
    """The name of the StableHLO operation that an operation of VHLO corresponds to."""
    return f"func.{mnemonic}" if mnemonic in ("func", "call") else f"stablehlo.{mnemonic}"


def locations(module: Module) -> Iterator[tuple[Operation, Location]]:
    """The locations of all operations and arguments, with the operation that has them."""
    for operation in module.operation.walk():
        yield operation, operation.location
        for region in operation.regions:
            arguments = (argument for block in region.blocks for argument in block.arguments)
            yield from ((operation, argument.location) for argument in arguments)
