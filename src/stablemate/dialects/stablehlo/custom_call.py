"""stablehlo.custom_call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np

from stablemate.dialects.stablehlo.attributes import OUTPUT_OPERAND_ALIASES
from stablemate.ir.attributes import (
    DenseElementsAttribute,
    DictionaryAttribute,
    StringAttribute,
    dense_elements,
)
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import (
    ANY_TENSOR,
    BOOLEAN_KIND,
    BUFFER_VALUE,
    FUTURE_VALUE,
    MAXIMUM_SPLAT,
    SI32,
    STRING,
    SYMBOL,
    TOKEN_VALUE,
    TUPLE_VALUE,
    AttributeKind,
    list_kind,
)
from stablemate.ir.shapes import compatible
from stablemate.ir.traits import Family
from stablemate.ir.types import (
    Attribute,
    MemRefType,
    TensorType,
    TupleType,
    Type,
    UnrankedTensorType,
)
from stablemate.numerics.elements import INDEX

TYPED_FFI: Final = 4  # api_version whose backend_config is a dictionary
BUFFER_TARGETS: Final = frozenset({"CreateBuffer", "Pin", "Unpin"})

Layout: TypeAlias = tuple[int, ...]  # dimensions, minor to major
ANYTHING: Final = ANY_TENSOR | BUFFER_VALUE | TOKEN_VALUE | TUPLE_VALUE | FUTURE_VALUE


def is_index_list(attribute: Attribute) -> bool:
    """Whether this is a one-dimensional literal of indices, small enough to list."""
    return (
        isinstance(attribute, DenseElementsAttribute)
        and attribute.type.element_type == INDEX
        and len(attribute.shape) == 1
        and attribute.shape[0] <= max(attribute.data.size, MAXIMUM_SPLAT)
    )


def index_list(attribute: DenseElementsAttribute) -> Layout:
    """The indices of such a literal."""
    return tuple(int(number) for number in attribute.array)


def index_literal(indices: Sequence[int]) -> Attribute:
    """The literal of a list of indices."""
    return dense_elements(TensorType((len(indices),), INDEX), np.array(indices, np.int64))


INDEX_LIST: Final[AttributeKind[Layout]] = AttributeKind(
    "1-dimensional tensor of indices", is_index_list, index_list, index_literal
)
BACKEND_CONFIG: Final[AttributeKind[str | DictionaryAttribute]] = AttributeKind(
    "string or dictionary",
    lambda a: isinstance(a, StringAttribute | DictionaryAttribute),
    lambda a: a.value if isinstance(a, StringAttribute) else a,
    lambda value: value if isinstance(value, DictionaryAttribute) else StringAttribute(value),
    lambda a: True,
)


def is_api_version(attribute: Attribute) -> bool:
    """Whether MLIR's enumeration of versions has a member for an attribute."""
    return SI32.accepts(attribute) and 0 <= SI32.value(attribute) <= TYPED_FFI


API_VERSION: Final = replace(SI32, storable=is_api_version)


@op("stablehlo.custom_call", effects=True, family=Family.EXTERNAL)
class CustomCall(Op):
    """Calls the implementation's function ``call_target_name``.

    Source: StableHLO specification, custom_call.
    """

    __slots__ = ()
    summary_attributes = ("call_target_name",)
    inputs = define.variadic("I1", ANYTHING)
    call_target_name = define.attribute("I2", STRING)
    has_side_effect = define.default_attribute("I3", BOOLEAN_KIND, False)
    backend_config = define.optional_attribute("I4", BACKEND_CONFIG)
    api_version = define.default_attribute("I5", API_VERSION, 1)
    called_computations = define.default_attribute("I6", list_kind(SYMBOL), ())
    output_operand_aliases = define.default_attribute("I7", OUTPUT_OPERAND_ALIASES, ())
    operand_layouts = define.optional_attribute("", list_kind(INDEX_LIST))
    result_layouts = define.optional_attribute("", list_kind(INDEX_LIST))
    result_tilings = define.optional_attribute("", list_kind(list_kind(INDEX_LIST)))
    outputs = define.variadic_result(ANYTHING).with_name("results")
    assembly = "custom<CustomCallTarget> attr-dict `:` functional-type"

    @property
    def has_effects(self) -> bool:
        """Whether the call has side effects, by its attribute ``has_side_effect``."""
        return self.has_side_effect

    @constraint("I5")
    def i5(self) -> Check:
        """0 <= api_version <= 4"""
        return holds(0 <= self.api_version <= TYPED_FFI, api_version=self.api_version)

    @constraint("I4")
    def i4(self) -> Check:
        """backend_config is a dictionary if api_version = 4, else a string"""
        config = self.backend_config
        fits = config is None or (self.api_version == TYPED_FFI) == (not isinstance(config, str))
        stored = self.attributes.get("backend_config")
        return holds(fits, backend_config=stored, api_version=self.api_version)

    @constraint("layouts")
    def layouts_come_together(self) -> Check:
        """Operands and results have layouts, or neither"""
        operands, results = self.operand_layouts, self.result_layouts
        fits = (operands is None) == (results is None)
        return holds(fits, operand_layouts=operands, result_layouts=results)

    @constraint("operand_layouts")
    def operand_layouts_fit(self) -> Check:
        """A layout for each operand: a permutation of its dimensions"""
        return layouts_fit([value.type for value in self.inputs], self.operand_layouts)

    @constraint("result_layouts")
    def result_layouts_fit(self) -> Check:
        """A layout for each result: a permutation of its dimensions"""
        types: Sequence[Type] = [value.type for value in self.results]
        if len(types) == 1 and isinstance(types[0], TupleType):
            types = types[0].types
        return layouts_fit(types, self.result_layouts)

    @constraint("I7")
    def i7(self) -> Check:
        """An alias pairs a part of the results with a part of the operands of the same type"""
        for alias in self.output_operand_aliases:
            operand = self.operand_part(alias.operand_index, alias.operand_tuple_indices)
            result = part_of(self.result_type, alias.output_tuple_indices)
            if operand is None or result is None or operand != result:
                return holds(False, operand=operand, result=result, alias=alias)
        return None

    @property
    def result_type(self) -> Type:
        """The type of the single result, or a tuple of types if there are several or none."""
        types = tuple(value.type for value in self.results)
        return types[0] if len(types) == 1 else TupleType(types)

    def operand_part(self, index: int, path: Sequence[int]) -> Type | None:
        """The type of a part of an operand; None if there is no such part."""
        if not 0 <= index < len(self.inputs):
            return None
        return part_of(self.inputs[index].type, path)

    @constraint("buffers")
    def buffer_targets(self) -> Check:
        """CreateBuffer: () -> buffer; Pin: tensor -> buffer; Unpin: buffer -> tensor"""
        target = self.call_target_name
        if target not in BUFFER_TARGETS:
            return None
        operands = [value.type for value in self.inputs]
        results = [value.type for value in self.results]
        operand_types, result_types = {
            "CreateBuffer": ([], [MemRefType]),
            "Pin": ([TensorType], [MemRefType]),
            "Unpin": ([MemRefType], [TensorType]),
        }[target]
        fits = (
            list(map(type, operands)) == operand_types and list(map(type, results)) == result_types
        )
        if fits and operands:
            fits = compatible(as_tensor(operands[0]), as_tensor(results[0]))
        return holds(fits, target=target, operands=operands, results=results)

    @constraint("buffer aliases")
    def buffer_aliases(self) -> Check:
        """A buffer that goes in is in one alias at most, one that comes out is in one"""
        if self.call_target_name in BUFFER_TARGETS:
            return None
        aliases = self.output_operand_aliases
        operand_paths = [(alias.operand_index, *alias.operand_tuple_indices) for alias in aliases]
        result_paths = [alias.output_tuple_indices for alias in aliases]
        for k, value in enumerate(self.inputs):
            for path in buffers_in(value.type):
                if operand_paths.count((k, *path)) > 1:
                    return holds(
                        False, operand=k, path=path, aliases=operand_paths.count((k, *path))
                    )
        for path in buffers_in(self.result_type):
            if result_paths.count(path) != 1:
                return holds(False, result=path, aliases=result_paths.count(path))
        return None


def layouts_fit(types: Sequence[Type], layouts: Sequence[Layout] | None) -> Check:
    """Whether each layout orders the dimensions of its type; tokens have an empty one.

    That of a tensor of unknown rank is not checked, as in upstream.
    """
    if layouts is None:
        return None
    if len(layouts) != len(types):
        return holds(False, layouts=len(layouts), values=len(types))
    for value_type, layout in zip(types, layouts, strict=True):
        if isinstance(value_type, UnrankedTensorType):
            continue
        tensor = as_tensor(value_type)
        rank = tensor.rank if isinstance(tensor, TensorType) else 0
        if isinstance(value_type, TupleType) or sorted(layout) != list(range(rank)):
            return holds(False, layout=layout, type=value_type)
    return None


def part_of(container: Type, path: Sequence[int]) -> Type | None:
    """The type at a path into nested tuples; None if there is none."""
    for index in path:
        if not isinstance(container, TupleType) or not 0 <= index < len(container.types):
            return None
        container = container.types[index]
    return container


def buffers_in(container: Type) -> Iterator[tuple[int, ...]]:
    """The paths of buffers in nested tuples."""
    pending: list[tuple[tuple[int, ...], Type]] = [((), container)]
    while pending:
        path, value_type = pending.pop()
        if isinstance(value_type, MemRefType):
            yield path
        elif isinstance(value_type, TupleType):
            inner = list(enumerate(value_type.types))
            pending += [((*path, i), part) for i, part in reversed(inner)]


def as_tensor(value_type: Type) -> Type:
    """The type of a tensor or of the tensor that a buffer holds, without bounds."""
    if isinstance(value_type, TensorType | MemRefType) and value_type.shape is not None:
        return TensorType(value_type.shape, value_type.element_type)
    return value_type
