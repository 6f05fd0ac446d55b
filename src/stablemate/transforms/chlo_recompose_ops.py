"""chlo-recompose-ops: operations of CHLO in the place of calls and composites that encode them.

MHLO has functions that StableHLO has not; a program that uses them calls ``mhlo.erf`` and the like.
Attributes of the operation stand in ``mhlo.attributes``, made of builtin ones. JAX writes functions
of CHLO as composites of their names, because portable artifacts have no operations of CHLO: XLA
computes the function, and not the decomposition, whose operations round one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Final

from stablemate.diagnostics.errors import VerifyError
from stablemate.dialects.chlo import elementwise
from stablemate.dialects.chlo.attributes import PRECISION, RaggedDotDimensionNumbers
from stablemate.dialects.chlo.ragged_dot import RaggedDot
from stablemate.dialects.chlo.top_k import TopK
from stablemate.dialects.stablehlo.composite import Composite
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.attributes import (
    ArrayAttribute,
    DenseElementsAttribute,
    DictionaryAttribute,
    StringAttribute,
)
from stablemate.ir.builder import Builder
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.rewriter import Pattern, Replacement
from stablemate.ir.types import Attribute
from stablemate.ir.verifier import errors_in

MHLO_ATTRIBUTES: Final = "mhlo.attributes"
PREFIXES: Final = ("mhlo", "chlo")
FUNCTIONS: Final[Mapping[str, type[Operation]]] = {
    "acos": elementwise.Acos,
    "acosh": elementwise.Acosh,
    "asin": elementwise.Asin,
    "asinh": elementwise.Asinh,
    "atan": elementwise.Atan,
    "atanh": elementwise.Atanh,
    "cosh": elementwise.Cosh,
    "erf": elementwise.Erf,
    "mulhi": elementwise.Mulhi,
    "ragged_dot": RaggedDot,
    "sinh": elementwise.Sinh,
    "tan": elementwise.Tan,
}
TARGETS: Final = {f"{prefix}.{name}": FUNCTIONS[name] for prefix in PREFIXES for name in FUNCTIONS}
# What XLA recomposes, and what JAX's programs for this package contain besides.
COMPOSITES: Final[Mapping[str, type[Operation]]] = {
    "chlo.acos": elementwise.Acos,
    "chlo.acosh": elementwise.Acosh,
    "chlo.asin": elementwise.Asin,
    "chlo.asinh": elementwise.Asinh,
    "chlo.atanh": elementwise.Atanh,
    "chlo.bessel_i1e": elementwise.BesselI1e,
    "chlo.cosh": elementwise.Cosh,
    "chlo.digamma": elementwise.Digamma,
    "chlo.erf": elementwise.Erf,
    "chlo.erf_inv": elementwise.ErfInv,
    "chlo.erfc": elementwise.Erfc,
    "chlo.lgamma": elementwise.Lgamma,
    "chlo.polygamma": elementwise.Polygamma,
    "chlo.sinh": elementwise.Sinh,
    "chlo.top_k": TopK,
    "chlo.zeta": elementwise.Zeta,
}
VERSION: Final = 1  # of these composites; others have other meanings
NUMBERS: Final = tuple(field.name for field in fields(RaggedDotDimensionNumbers))


def recompose(call: CustomCall, builder: Builder) -> Replacement:
    """The CHLO operation that a call encodes.

    Raises:
        VerifyError: The call does not have the operands, results and attributes of the operation.
    """
    function = TARGETS.get(call.call_target_name)
    if function is None:
        return None
    names = [field.name for field in definition_of(function).operands]
    if len(call.operands) != len(names) or len(call.results) != 1:
        message = f"@{call.call_target_name} has the operands {', '.join(names)} and one result"
        raise VerifyError(message, span=call.span)
    attributes = ragged_dot_attributes(call) if function is RaggedDot else {}
    operation = builder.create(
        function,
        results=[value.type for value in call.results],
        **dict(zip(names, call.operands, strict=True)),
        **attributes,
    )
    findings = errors_in(operation)
    if findings:
        raise VerifyError(findings)
    return operation.results


def ragged_dot_attributes(call: CustomCall) -> dict[str, Attribute]:
    """The attributes of ragged_dot.

    Raises:
        VerifyError: There is no list of literals for the dimension numbers, or precisions are
            other than strings.
    """
    entry = call.discardable.get(MHLO_ATTRIBUTES)
    entries: Mapping[str, Attribute] = {}
    if isinstance(entry, DictionaryAttribute):
        entries = entry.entries
    numbers = dimension_numbers(entries.get("ragged_dot_dimension_numbers"))
    if numbers is None:
        message = f"{MHLO_ATTRIBUTES} has ragged_dot_dimension_numbers: {', '.join(NUMBERS)}"
        raise VerifyError(message, span=call.span)
    attributes: dict[str, Attribute] = {"ragged_dot_dimension_numbers": numbers}
    if "precision_config" in entries:
        precisions = precision_config(entries["precision_config"])
        if precisions is None:
            listed = ", ".join(PRECISION.members)
            message = f"precision_config in {MHLO_ATTRIBUTES} is a list of {listed}"
            raise VerifyError(message, span=call.span)
        attributes["precision_config"] = precisions
    return attributes


def dimension_numbers(attribute: Attribute | None) -> RaggedDotDimensionNumbers | None:
    """Dimension numbers of a list of literals; None if it is none."""
    items = attribute.items if isinstance(attribute, ArrayAttribute) else ()
    lists = [item for item in items if isinstance(item, DenseElementsAttribute)]
    if len(items) != len(NUMBERS) or len(lists) != len(NUMBERS):
        return None
    return RaggedDotDimensionNumbers(
        *(tuple(numbers.array.reshape(-1).tolist()) for numbers in lists)
    )


def precision_config(attribute: Attribute) -> Attribute | None:
    """Precisions of a list of strings; None if it is none."""
    items = attribute.items if isinstance(attribute, ArrayAttribute) else (attribute,)
    names = [item.value for item in items if isinstance(item, StringAttribute)]
    if len(names) != len(items) or not all(name in PRECISION.members for name in names):
        return None
    return ArrayAttribute(tuple(PRECISION.attribute(PRECISION.members[name]) for name in names))


def recompose_composite(composite: Composite, builder: Builder) -> Replacement:
    """The CHLO operation that a composite encodes, if the types are those of the operation."""
    function = COMPOSITES.get(composite.composite_name)
    if function is None or composite.version != VERSION:
        return None
    definition = definition_of(function)
    names = [field.name for field in definition.operands]
    attributes = attributes_of(composite)
    required = ["k"] if function is TopK else []
    if len(composite.inputs) != len(names) or len(composite.results) != len(definition.results):
        return None
    if sorted(attributes) != required:
        return None
    operation = builder.create(
        function,
        results=[value.type for value in composite.results],
        **dict(zip(names, composite.inputs, strict=True)),
        **attributes,
    )
    return None if errors_in(operation) else operation.results


def attributes_of(composite: Composite) -> Mapping[str, Attribute]:
    """The attributes of the operation that a composite encodes."""
    attributes = composite.attributes.get("composite_attributes")
    return attributes.entries if isinstance(attributes, DictionaryAttribute) else {}


PATTERNS: Final[Mapping[str, Pattern]] = {
    "stablehlo.composite": recompose_composite,
    "stablehlo.custom_call": recompose,
}
