"""Constants whose values were left out of the text: ``dense_resource<__elided__>``.

Source: MLIR, ``--mlir-elide-elementsattrs-if-larger``, ``--mlir-elide-resource-strings-if-larger``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import count, islice
from typing import Any, Final, cast

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, UnsupportedError
from stablemate.dialects.stablehlo.constant import is_unknown
from stablemate.formats.mlir.names import value_names
from stablemate.ir.attributes import (
    DenseResourceAttribute,
    dense_elements,
)
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module, Operation, Resource
from stablemate.ir.rewriter import Pattern, Replacement, rewrite_module
from stablemate.numerics.random_elements import ElidedValues

CONSTANTS: Final = ("stablehlo.constant", "arith.constant")
LISTED: Final = 8  # constants that an error names


def is_elided(operation: Operation, resources: Mapping[str, Resource]) -> bool:
    """Whether an operation is a constant whose values are unknown."""
    value = operation.attributes.get("value")
    return isinstance(value, DenseResourceAttribute) and is_unknown(value, resources)


def elided_constants(module: Module) -> Iterator[Operation]:
    """The constants of a module whose values are unknown, in order."""
    return (op for op in module.operation.walk() if is_elided(op, module.resources))


def reject_elided(module: Module) -> None:
    """Rejects a program that needs values which are unknown.

    Raises:
        UnsupportedError: There are such constants; a diagnostic for each of the first ones.
    """
    constants = list(elided_constants(module))
    if not constants:
        return
    name_of = value_names(module)
    diagnostics = [
        Diagnostic(
            "the values of this constant were left out of the text",
            rule=constant.name,
            span=constant.span,
            values={
                "constant": name_in_text(constant) or name_of(constant.results[0]),
                "type": constant.results[0].type,
            },
        )
        for constant in islice(constants, LISTED)
    ]
    more = len(constants) - len(diagnostics)
    others = f"{more} more constants have no values; " if more else ""
    hint = f"{others}--elided=zeros or --elided=random:SEED gives them values for a trial"
    last = diagnostics.pop()
    note = Diagnostic(hint)
    raise UnsupportedError(
        [*diagnostics, Diagnostic(last.message, last.rule, last.span, last.values, (note,))]
    )


def name_in_text(constant: Operation) -> str:
    """The name of the instruction of HLO that a constant was translated from; else nothing."""
    span = constant.span
    text = "" if span is None or span.source.binary else span.text
    return "" if ("constant" in text and '"' in text) or text.endswith(".constant") else text


def fill_elided_constants(module: Module, filling: ElidedValues, limit: int) -> Module:
    """The module with other values for its constants whose values are unknown.

    Args:
        module: The module.
        filling: The values.
        limit: The largest size of random elements, in bytes.

    Raises:
        LimitError: A constant is larger.
    """
    if not any(elided_constants(module)):
        return module
    positions = count()

    def fill(constant: Operation, builder: Builder) -> Replacement:
        if not is_elided(constant, module.resources):
            return None
        wanted: Any = cast(DenseResourceAttribute, constant.attributes["value"]).type
        check_size(math.prod(wanted.shape) * wanted.element_type.dtype.itemsize, filling, limit)
        data = filling.elements(wanted.shape, wanted.element_type, next(positions))
        value = dense_elements(wanted, data.reshape(-1)[:1] if filling.seed is None else data)
        results = [constant.results[0].type]
        return builder.create(type(constant), value=value, results=results).results[0]

    patterns: dict[str, Pattern] = dict.fromkeys(CONSTANTS, fill)
    return rewrite_module(module, patterns)


def check_size(size: int, filling: ElidedValues, limit: int) -> None:
    """Rejects random elements that take more memory than allowed; zeros take none."""
    if filling.seed is not None and size > limit:
        raise LimitError(f"random elements of {size} bytes exceed the limit of {limit} bytes")
