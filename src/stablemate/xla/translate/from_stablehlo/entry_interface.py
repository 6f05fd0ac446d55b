"""Translates the attributes of a module, of its arguments and of its results.

Source: XLA, ``HloModuleProto``; StableHLO and JAX, attributes of functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.source import Span
from stablemate.dialects.builtin import NUM_PARTITIONS, NUM_REPLICAS
from stablemate.dialects.func import FuncOp
from stablemate.dialects.mhlo.frontend_attributes import FRONTEND_ATTRIBUTES, frontend_texts
from stablemate.ir.attributes import (
    ArrayAttribute,
    DenseElementsAttribute,
    DictionaryAttribute,
    IntegerAttribute,
    StringAttribute,
)
from stablemate.ir.core import Module, Operation
from stablemate.ir.kinds import SI64_ARRAY
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import BOOLEAN
from stablemate.xla.layout import Layout
from stablemate.xla.mhlo_attributes import prefetch_of_text
from stablemate.xla.module import HloModule
from stablemate.xla.names import NAMELESS, sanitize
from stablemate.xla.shape import Shape
from stablemate.xla.translate.from_stablehlo.function_attributes import (
    ALIASING,
    DONOR,
    LAYOUT_MODE,
    mode_layout,
)
from stablemate.xla.translate.from_stablehlo.metadata import (
    SHARDING,
    report_entries,
    report_others,
    sharding_of,
)
from stablemate.xla.translate.from_stablehlo.program import HloModuleBuilder
from stablemate.xla.values import (
    BufferDonor,
    CrossProgramPrefetch,
    HloSharding,
    InputOutputAlias,
    ProgramShape,
)

LAYOUTS: Final = "mhlo.xla_entry_computation"
ALIASES: Final = "mhlo.input_output_alias"
DYNAMIC: Final = "mhlo.is_dynamic"
AUTOMATIC: Final = "mhlo.use_auto_spmd_partitioning"
PREFETCHES: Final = "mhlo.cross_program_prefetches"
OUTPUT: Final = "mhlo.spmd_output_sharding"
PARAMETERS: Final = "mhlo.spmd_parameters_shardings"
OF_LAYOUTS: Final = ("parameter_layouts", "parameter_tiles", "result_layout", "result_tiles")
KNOWN: Final = frozenset(
    {
        *(
            FRONTEND_ATTRIBUTES,
            ALIASES,
            NUM_REPLICAS,
            NUM_PARTITIONS,
            DYNAMIC,
            AUTOMATIC,
            PREFETCHES,
        ),
        *(OUTPUT, PARAMETERS, *(f"{LAYOUTS}_{name}" for name in OF_LAYOUTS)),
    }
)


def with_entry_interface(module: Module, entry: FuncOp, program: HloModuleBuilder) -> HloModule:
    """The module of computations, the last of which is the entry.

    Raises:
        UnsupportedError: A sharding is none.
    """
    operation = module.operation
    discardable = operation.discardable
    root = program.computations[-1]
    named = operation.attributes.get("sym_name")
    shape = root.program_shape
    border = ProgramShape(tuple(map(row_major, shape.parameters)), with_layout(shape.result))
    border = with_layout_modes(border, entry)
    module_name = named.value if isinstance(named, StringAttribute) else entry.sym_name
    report_module(program, operation, border)
    return HloModule(
        sanitize(module_name) or NAMELESS,
        tuple(program.computations),
        root.name,
        entry_layout=with_entry_layouts(border, discardable),
        input_output_alias=(*module_aliases(discardable), *argument_aliases(entry)),
        buffer_donors=tuple(
            BufferDonor(i)
            for i, argument_attribute in enumerate(entry.argument_attributes)
            if DONOR in argument_attribute and ALIASING not in argument_attribute
        ),
        replica_count=number(discardable.get(NUM_REPLICAS), 1),
        num_partitions=number(discardable.get(NUM_PARTITIONS), 1),
        frontend_attributes=frontend_texts(discardable),
        stack_frames=program.locations.tables.tables(),
        is_dynamic=bool(number(discardable.get(DYNAMIC), 0)),
        use_auto_spmd_partitioning=bool(number(discardable.get(AUTOMATIC), 0)),
        cross_program_prefetches=prefetches(program, operation),
        spmd_output_sharding=stated_sharding(program, discardable.get(OUTPUT), operation.span),
        spmd_parameters_shardings=parameters_shardings(program, operation),
    )


def report_module(program: HloModuleBuilder, operation: Operation, border: ProgramShape) -> None:
    """Records the attributes of a module that HLO has no place for; false says nothing."""
    attributes = {
        name: value
        for name, value in operation.discardable.items()
        if not (isinstance(value, IntegerAttribute) and value.type == BOOLEAN and not value.value)
    }
    report_others(program.losses, attributes, KNOWN, "module", operation.span)
    report_entries(program.losses, operation.discardable, "module", operation.span)
    for name in unreadable(operation.discardable, border):
        program.losses.add(name, "module", operation.span, operation.discardable[name])


def unreadable(discardable: Mapping[str, Attribute], border: ProgramShape) -> Iterator[str]:
    """The attributes of a module that are known, but do not hold what they should."""
    for name, holds in HOLDS.items():
        if name in discardable and not holds(discardable[name]):
            yield name
    results = parts_of(border.result)
    for name, shapes in zip(OF_LAYOUTS, (border.parameters,) * 2 + (results,) * 2, strict=True):
        stated = discardable.get(f"{LAYOUTS}_{name}")
        if stated is not None and not is_one_for_each(stated, shapes, name):
            yield f"{LAYOUTS}_{name}"


def is_one_for_each(attribute: Attribute, shapes: Sequence[Shape], name: str) -> bool:
    """Whether an attribute has layouts, or tiles, for each of these shapes."""
    items = attribute.items if isinstance(attribute, ArrayAttribute) else ()
    if name.endswith("tiles"):
        rows = rows_of(attribute, len(shapes))
        return all(isinstance(row, ArrayAttribute) for row in rows)
    if len(items) != len(shapes):
        return False
    pairs = zip(items, shapes, strict=True)
    return all(len(indices(item)) == shape.rank for item, shape in pairs if shape.is_array)


def is_alias(row: Attribute) -> bool:
    """Whether this is a dictionary of an alias."""
    inner = entries(entries(row).get("alias"))
    return isinstance(inner.get("parameter_number"), IntegerAttribute)


def are_aliases(attribute: Attribute) -> bool:
    """Whether this is a list of aliases."""
    return isinstance(attribute, ArrayAttribute) and all(map(is_alias, attribute.items))


def is_number(attribute: Attribute) -> bool:
    """Whether this is an integer, or a boolean."""
    return isinstance(attribute, IntegerAttribute)


def is_list(attribute: Attribute) -> bool:
    """Whether this is a list."""
    return isinstance(attribute, ArrayAttribute)


HOLDS: Final[Mapping[str, Callable[[Attribute], bool]]] = {
    **dict.fromkeys((NUM_REPLICAS, NUM_PARTITIONS, DYNAMIC, AUTOMATIC), is_number),
    ALIASES: are_aliases,
    PARAMETERS: is_list,
}


def prefetches(program: HloModuleBuilder, operation: Operation) -> tuple[CrossProgramPrefetch, ...]:
    """The parameters that may be prefetched."""
    stated = operation.discardable.get(PREFETCHES)
    if stated is None:
        return ()
    items = stated.items if isinstance(stated, ArrayAttribute) else (stated,)
    read = [prefetch_of_text(str(item)) for item in items]
    known = tuple(prefetch for prefetch in read if prefetch is not None)
    if len(known) < len(read):
        program.losses.add(PREFETCHES, "module", operation.span, stated)
    return known


def parameters_shardings(
    program: HloModuleBuilder, operation: Operation
) -> tuple[HloSharding, ...]:
    """The shardings that the parameters had before the program was partitioned."""
    stated = operation.discardable.get(PARAMETERS)
    items = stated.items if isinstance(stated, ArrayAttribute) else ()
    shardings = (stated_sharding(program, item, operation.span) for item in items)
    return tuple(sharding for sharding in shardings if sharding is not None)


def stated_sharding(
    program: HloModuleBuilder, text: Attribute | None, span: Span | None
) -> HloSharding | None:
    """The sharding in an attribute."""
    return None if text is None else sharding_of(program, {SHARDING: text}, span)


def number(attribute: Attribute | None, default: int) -> int:
    """An integer, or the default."""
    return int(attribute.value) if isinstance(attribute, IntegerAttribute) else default


# ---- aliases


def argument_aliases(entry: FuncOp) -> tuple[InputOutputAlias, ...]:
    """Input-output aliases from the attributes of arguments, as JAX writes them."""
    single = len(entry.type.results) == 1
    return tuple(
        InputOutputAlias(() if single else (number(argument_attribute[ALIASING], 0),), i)
        for i, argument_attribute in enumerate(entry.argument_attributes)
        if ALIASING in argument_attribute
    )


def module_aliases(discardable: Mapping[str, Attribute]) -> tuple[InputOutputAlias, ...]:
    """Input-output aliases from the attributes of the module."""
    rows = discardable.get(ALIASES)
    aliases: list[InputOutputAlias] = []
    for row in rows.items if isinstance(rows, ArrayAttribute) else ():
        if not (isinstance(row, DictionaryAttribute) and is_alias(row)):
            continue
        inner = entries(row.entries["alias"])
        kind = inner.get("kind")
        aliases.append(
            InputOutputAlias(
                indices(row.entries.get("output_index")),
                number(inner.get("parameter_number"), 0),
                indices(inner.get("parameter_index")),
                must=isinstance(kind, StringAttribute) and kind.value == "must_alias",
            )
        )
    return tuple(aliases)


def entries(attribute: Attribute | None) -> Mapping[str, Attribute]:
    """The entries of a dictionary; of anything else none."""
    return attribute.entries if isinstance(attribute, DictionaryAttribute) else {}


def indices(attribute: Any) -> tuple[int, ...]:
    """The integers of an attribute that lists some."""
    if isinstance(attribute, DenseElementsAttribute):
        return tuple(int(number) for number in np.asarray(attribute.array).reshape(-1))
    if attribute is not None and SI64_ARRAY.accepts(attribute):
        return tuple(SI64_ARRAY.value(attribute))
    return ()


# ---- layouts


def with_layout_modes(border: ProgramShape, entry: FuncOp) -> ProgramShape:
    """The shapes of the border in the layouts that arguments and results ask for."""
    parameters = zip(border.parameters, entry.argument_attributes, strict=True)
    result = border.result
    is_tuple = len(entry.result_attributes) != 1
    parts = result.elements if is_tuple else (result,)
    results = [
        in_mode(shape, attributes.get(LAYOUT_MODE))
        for shape, attributes in zip(parts, entry.result_attributes, strict=True)
    ]
    return ProgramShape(
        tuple(in_mode(shape, attributes.get(LAYOUT_MODE)) for shape, attributes in parameters),
        Shape.tuple_of(results) if is_tuple else results[0],
    )


def in_mode(shape: Shape, mode: Attribute | None) -> Shape:
    """An array in the layout of a text such as ``{0,1}``; as it is without one."""
    layout = mode_layout(mode)
    if layout is None or not shape.is_array or len(layout.minor_to_major) != shape.rank:
        return shape
    return replace(shape, layout=layout)


def row_major(shape: Shape) -> Shape:
    """The same shape, arrays in row-major order."""
    if shape.is_tuple:
        return Shape.tuple_of(list(map(row_major, shape.elements)))
    return replace(shape, layout=Layout.row_major(shape.rank)) if shape.is_array else shape


def with_layout(shape: Shape) -> Shape:
    """The same shape, arrays of which nothing is said in row-major order.

    A result has the layout of the instruction that computes it, such as a custom call.
    """
    if shape.is_tuple:
        return Shape.tuple_of(list(map(with_layout, shape.elements)))
    return shape if shape.layout else row_major(shape)


def with_entry_layouts(border: ProgramShape, discardable: Mapping[str, Attribute]) -> ProgramShape:
    """The shapes of the border in the layouts that the module states."""
    parameters = in_layouts(border.parameters, discardable, "parameter_layouts", "parameter_tiles")
    result = border.result
    laid = in_layouts(parts_of(result), discardable, "result_layout", "result_tiles")
    return ProgramShape(parameters, Shape.tuple_of(laid) if result.is_tuple else laid[0])


def parts_of(result: Shape) -> Sequence[Shape]:
    """Splits the shape of a tuple into its elements' shapes."""
    return result.elements if result.is_tuple else (result,)


def in_layouts(
    shapes: Sequence[Shape], discardable: Mapping[str, Attribute], layouts: str, tiles: str
) -> tuple[Shape, ...]:
    """Shapes in the layouts and tiles of attributes, as far as these have one for each."""
    orders = one_for_each(discardable.get(f"{LAYOUTS}_{layouts}"), len(shapes))
    rows = rows_of(discardable.get(f"{LAYOUTS}_{tiles}"), len(shapes))
    return tuple(
        in_layout(shape, order, row) for shape, order, row in zip(shapes, orders, rows, strict=True)
    )


def rows_of(attribute: Attribute | None, count: int) -> Sequence[Attribute | None]:
    """The tiles of so many shapes; those of a single shape need no list of lists."""
    items = attribute.items if isinstance(attribute, ArrayAttribute) else ()
    if count == 1 and items and all(isinstance(item, DenseElementsAttribute) for item in items):
        return (attribute,)
    return one_for_each(attribute, count)


def one_for_each(attribute: Attribute | None, count: int) -> Sequence[Attribute | None]:
    """The items of a list of so many, or nothing so many times."""
    if isinstance(attribute, ArrayAttribute) and len(attribute.items) == count:
        return attribute.items
    return (None,) * count


def in_layout(shape: Shape, order: Attribute | None, tiles: Attribute | None) -> Shape:
    """An array in an order of dimensions, with tiles; what is no array as it is."""
    stated = indices(order)
    rows = tiles.items if isinstance(tiles, ArrayAttribute) else ()
    is_ordered = order is not None and len(stated) == shape.rank
    if not shape.is_array or shape.layout is None or not (is_ordered or rows):
        return shape
    known = stated if is_ordered else shape.layout.minor_to_major
    return replace(shape, layout=Layout(known, tuple(map(indices, rows))))
