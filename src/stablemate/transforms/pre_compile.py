"""Prepares a program for compilation; passes are imported on demand."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Final

from stablemate.diagnostics.errors import StablemateError
from stablemate.ir.attributes import StringAttribute, attribute_as
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.definition import definition_of, has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import ElementType

SHAPE_DIALECTS: Final = frozenset({"arith", "shape", "tensor"})  # they compute sizes
CUSTOM_CALL: Final = "stablehlo.custom_call"  # not imported for programs without one
TOP_K: Final = frozenset({"ApproxTopK", "PartialReduce", "TopK", "__custom$TopK", "mhlo.topk"})


def specialize_module(module: Module, entry: str, types: Sequence[Type] | None = None) -> Module:
    """The module as it is compiled: shapes known as far as they follow from argument types.

    Args:
        module: A module in operations that executors know.
        entry: The function that is compiled.
        types: A type for each of its arguments; by default the declared ones.

    A program whose shapes break a rule stays as it is: running it says what is wrong.
    """
    if types is not None or any(map(is_dynamic, module.operation.walk())):
        from stablemate.transforms.refinement_pipeline import (
            fix_bounded_sizes,  # most programs need none
        )

        with suppress(StablemateError):
            module = fix_bounded_sizes(module, types, entry)
    if any(map(is_compound, module.operation.walk())):
        from stablemate.transforms.stablehlo_decompose import decompose_module  # likewise

        module = decompose_module(module)
    return module


def is_dynamic(operation: Operation) -> bool:
    """Whether refinement may make an operation static."""
    cls: object = type(operation)  # Operation has no hash, its class has one
    if is_always_dynamic(cls):
        return True
    for value in operation.results:
        if isinstance(value.type, TensorType) and not value.type.is_static:
            return True
    return False


@cache
def is_always_dynamic(cls: type[Operation]) -> bool:
    """Whether refinement may make operations of a class static, or replace them."""
    return has_trait(cls, Trait.DYNAMIC) or definition_of(cls).dialect in SHAPE_DIALECTS


def is_compound(operation: Operation) -> bool:
    """Whether an operation is decomposed: reductions are if their accumulators are wider."""
    cls: object = type(operation)  # Operation has no hash, its class has one
    if not may_be_compound(cls):
        return False
    if operation.name == CUSTOM_CALL:
        target = attribute_as(operation.attributes, "call_target_name", StringAttribute)
        return target.value in TOP_K
    inputs = operation.operands[: len(operation.results)]
    return has_trait(operation, Trait.COMPOUND) or (
        element_types(operation.results) != element_types(inputs)
    )


@cache
def may_be_compound(cls: type[Operation]) -> bool:
    """Whether operations of a class are decomposed, always or because of their types."""
    promotes = has_trait(cls, Trait.PROMOTING) and not definition_of(cls).effects
    return promotes or has_trait(cls, Trait.COMPOUND) or definition_of(cls).name == CUSTOM_CALL


def element_types(values: Sequence[Value]) -> list[ElementType]:
    """The element types of tensors."""
    return [value.type.element_type for value in values]
