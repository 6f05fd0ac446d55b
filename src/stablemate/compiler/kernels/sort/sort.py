"""Radix sort: keys whose bits have the comparator's order, distributed digit by digit.

Each pass is stable, so the last key is sorted by first and the least digit of a key before the
others. What moves is the key and the place that its element had; the elements follow at the end.
A comparator that orders by no such keys is called, to merge runs (``merges.py``).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import prod
from typing import Final

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.elementwise import stores
from stablemate.compiler.kernels.kernel_builder import (
    BuiltKernel,
    KernelBuilder,
    Scratch,
    register_builder,
)
from stablemate.compiler.kernels.region_expressions import inline_region, is_expression
from stablemate.compiler.kernels.sort.lane_selection import pays_in_lanes, select_in_lanes
from stablemate.compiler.kernels.sort.merge_sort import MergeSort
from stablemate.compiler.kernels.sort.row_sort import RowSort
from stablemate.compiler.kernels.sort.selection import SelectionKernel
from stablemate.compiler.kernels.sort.sort_passes import (
    MOST_COUNTS,
    MOST_DIGITS,
    NARROW,
    WIDE,
    SortPasses,
)
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS, BYTES, FLOATS
from stablemate.compiler.loops.statements import Loop, Statement, StoreElement
from stablemate.compiler.lowering.elements import KernelElements, buffer_of, element_type
from stablemate.compiler.lowering.elementwise import category
from stablemate.compiler.lowering.quantized import dequantize_element
from stablemate.compiler.lowering.representation import Parts, representation_of
from stablemate.dialects.stablehlo.computed_keys import computed_key
from stablemate.dialects.stablehlo.reducers import SortKey, order
from stablemate.numerics.elements import ElementType, QuantizedType
from stablemate.numerics.symbolic_sizes import is_symbolic

# ``python -m benchmarks.breadth`` measures what these trade: jnp.sort, jnp.argsort, lax.top_k.
MANY: Final = 2048  # elements for which wide digits pay
NAN: Final = {"f32": 0x7FC00000, "f64": 0x7FF8000000000000}
MOST_SELECTED: Final = 128  # elements that are selected; to sort all is faster for more
LONGEST: Final = 1 << 31  # places are counted in 32 bits
SHORT_ROW: Final = 1 << 14  # bytes of keys and places of a row that lie on the stack of a thread


def is_known(node: Node) -> bool:
    """Whether the comparator orders by keys, or computes by elements."""
    (comparator,) = node.regions
    return prod(node.operands[0].shape) < LONGEST and (
        bool(order(node.operation.comparator)) or is_expression(comparator)
    )


@register_builder("stablehlo.sort", admits=is_known, inlines=True)
def sort(
    node: Node, kept: Container[Tensor], vector_bytes: int, name: str
) -> Sequence[BuiltKernel]:
    """For each key a kernel that makes its bits and one that sorts by them; then the results."""
    return SortBuilder(node, kept, vector_bytes, name).build_kernels()


class SortBuilder:
    """Builds the kernels of one sort."""

    def __init__(self, node: Node, kept: Container[Tensor], vector_bytes: int, name: str) -> None:
        self.node = node
        self.kept = kept
        self.vector_bytes = vector_bytes
        self.name = name
        shape = node.operands[0].shape
        self.dimension = int(node.operation.dimension) % len(shape)
        self.count = shape[self.dimension]
        self.rows = [size for d, size in enumerate(shape) if d != self.dimension]
        self.places = self.memory("i32"), self.memory("i32")
        comparator = node.operation.comparator
        self.order = order(comparator)
        self.computed = None if self.order else computed_key(comparator)
        if self.computed is not None:
            self.order = (self.computed.key,)

    def memory(self, element: str) -> Scratch:
        """Memory for a value per element."""
        size = self.count * BYTES[element]
        for row in self.rows:
            size *= row
        return Scratch(size)

    def buffer(self, name: str, element: str) -> Buffer:
        """A buffer of a kernel: rows, and in them the elements that are sorted."""
        return Buffer(name, element, (*self.rows, self.count))

    def row_first(self, index: Sequence[Expression]) -> list[Expression]:
        """An index with that of the sorted dimension at its end."""
        return [*index[: self.dimension], *index[self.dimension + 1 :], index[self.dimension]]

    def build_kernels(self) -> list[BuiltKernel]:
        """Builds one selection or merge, or the kernels that sort by each key, last key first."""
        result: list[BuiltKernel] = []
        places: Scratch | None = None
        if self.node.results[0].shape != self.node.operands[0].shape:
            return [self.selection_kernel(f"{self.name}_select")]
        if not self.order:
            return [self.merge_kernel(f"{self.name}_merge"), self.move_kernel(self.places[0])]
        if self.has_short_rows:
            return [self.sorted_rows()]
        for number, key in reversed(list(enumerate(self.order))):
            element, bits = self.key_element(key), self.key_bits(key)
            keys = self.memory(element), self.memory(element)
            result.append(self.keys(f"{self.name}_key{number}", key, element, keys[0], places))
            build_kernel, places = self.sort_kernel(
                f"{self.name}_by{number}", element, bits, keys, places
            )
            result.append(build_kernel)
        assert places is not None
        return [*result, self.move_kernel(places)]

    def key_tensor(self, key: SortKey) -> Tensor:
        """The key: an operand, or a value that the comparator computes from one side."""
        if self.computed is None:
            return self.node.operands[key.operand]
        comparison = self.node.regions[0].results[0].node
        assert comparison is not None
        return comparison.operands[0]

    def key_type(self, key: SortKey) -> ElementType:
        """The type of a key: quantized elements are compared as floats."""
        element = element_type(self.key_tensor(key))
        return element.expressed if isinstance(element, QuantizedType) else element

    def key_bits(self, key: SortKey) -> int:
        """How many bits of a key count."""
        return BITS[representation_of(self.key_type(key)).register]

    def key_element(self, key: SortKey) -> str:
        """The element type of a buffer of keys."""
        return "i32" if self.key_bits(key) <= BITS["i32"] else "i64"

    def value(self, builder: KernelBuilder, key: SortKey, index: Sequence[Expression]) -> Parts:
        """The key of the elements at an index."""
        compared = self.key_tensor(key)
        element = element_type(compared)
        if self.computed is None:
            parts = builder.elements.at(compared, index)
            if isinstance(element, QuantizedType):
                return (dequantize_element(parts[0], element, index),)
            return parts
        region = KernelElements(builder.table, {}, in_region=True)
        for i, argument in enumerate(self.node.regions[0].arguments):
            parts = builder.elements.at(self.node.operands[i // 2], index)
            region.cache[argument, ()] = parts  # the side that is not asked for has some value
        return region.at(compared, ())

    def keys(
        self, name: str, key: SortKey, element: str, keys: Scratch, places: Scratch | None
    ) -> BuiltKernel:
        """The kernel that makes keys; of elements in the order so far."""
        tensor = self.key_tensor(key)
        operands = (tensor,) if self.computed is None else self.node.operands
        builder = KernelBuilder(operands, self.kept, self.vector_bytes)
        output, before = self.buffer("y", element), self.buffer("p", "i32")
        index, loops = builder.dimensions(self.node.operands[0].shape)
        source = list(index)
        read: list[tuple[Tensor | Scratch, Buffer]] = []
        if places is not None:
            old = builder.table.load(before, self.row_first(index))
            source[self.dimension] = builder.table.position(old, self.count - 1)
            read = [(places, before)]
        value = self.ordered_bits(builder, key, source, element)
        body = [StoreElement(output, builder.table.place(output, self.row_first(index)), value)]
        loops_ = builder.scheduler.elementwise(loops, body)
        return builder.build_kernel(name, loops_, [*read, (keys, output)])

    def ordered_bits(
        self, builder: KernelBuilder, key: SortKey, index: Sequence[Expression], element: str
    ) -> Expression:
        """The unsigned integer whose order is that of the keys at an index."""
        part = self.value(builder, key, index)[1 if key.part == "imag" else 0]
        return order_preserving_bits(part, key, category(self.key_type(key)) == "unsigned", element)

    def selection_kernel(self, name: str) -> BuiltKernel:
        """The kernel that finds the first elements only."""
        operands, results = self.node.operands, self.node.results
        builder = KernelBuilder(operands, self.kept, self.vector_bytes)
        rows, loops = builder.dimensions(self.rows)
        (key,) = self.order
        element = self.key_element(key)
        size = results[0].shape[self.dimension]

        def at(place: Expression) -> list[Expression]:
            return [*rows[: self.dimension], place, *rows[self.dimension :]]

        def key_at(place: Expression) -> Expression:
            return self.ordered_bits(builder, key, at(place), element)

        outputs = [buffer_of(result, f"y{k}") for k, result in enumerate(results)]
        memory = list(zip(results, outputs, strict=True))

        def store_element(k: int, place: Expression) -> list[Statement]:
            to = at(builder.table.sum(k, ()))
            return [
                store
                for operand, (result, output) in zip(operands, memory, strict=True)
                for store in stores(
                    builder.table, result, output, to, builder.elements.at(operand, at(place))
                )
            ]

        if pays_in_lanes(prod(self.rows), self.count, size, element):
            nest, registers = select_in_lanes(
                builder.scheduler, loops, self.count, size, key_at, store_element
            )
            return builder.build_kernel(name, nest, memory, registers)
        selection = SelectionKernel(builder.scheduler, self.count, size, element, key_at)
        last = builder.scheduler.index(size)
        position = builder.table.position(
            builder.table.load_at(selection.places, last), self.count - 1
        )
        body = [
            store
            for operand, result, output in zip(operands, results, outputs, strict=True)
            for store in stores(
                builder.table, result, output, at(last), builder.elements.at(operand, at(position))
            )
        ]
        statements = [*selection.statements(), Loop(last, size, "serial", body)]
        nest = builder.scheduler.parallel(loops, statements)
        return builder.build_kernel(name, nest, memory, selection.buffers)

    def sort_kernel(
        self,
        name: str,
        element: str,
        bits: int,
        keys: tuple[Scratch, Scratch],
        places: Scratch | None,
    ) -> tuple[BuiltKernel, Scratch]:
        """The kernel that sorts by one key, and the buffer of the permutation."""
        builder = KernelBuilder((), self.kept, self.vector_bytes)
        rows, loops = builder.dimensions(self.rows)
        width = WIDE if self.count >= MANY else NARROW
        key = [self.buffer(f"k{i}", element) for i in range(2)]
        place = [self.buffer(f"p{i}", "i32") for i in range(2)]
        first = 0 if places is None else self.places.index(places)
        shifts = range(0, bits, width)
        together = min(len(shifts), MOST_COUNTS >> width, MOST_DIGITS)
        counts = Buffer("counts", "i32", (together, 1 << width), "stack")
        passes = SortPasses(builder.scheduler, rows, self.count, counts)
        body: list[Statement] = []
        source = 0
        for number, shift in enumerate(shifts):
            if number % together == 0:
                body += passes.count_digits(key[source], shifts[number : number + together])
            pair = (
                (key[source], place[source ^ first]),
                (key[1 - source], place[1 - source ^ first]),
            )
            is_first = places is None and shift == 0
            body += passes.move_keys(*pair, shift, number % together, is_first=is_first)
            source = 1 - source
        memory: list[tuple[Tensor | Scratch, Buffer]] = [*zip(keys, key, strict=True)]
        memory += zip(self.places, place, strict=True)
        build_kernel = builder.build_kernel(
            name, builder.scheduler.parallel(loops, body), memory, passes.buffers
        )
        return build_kernel, self.places[source ^ first]

    @property
    def has_short_rows(self) -> bool:
        """Whether all that one row needs fits into little memory."""
        if is_symbolic(self.count):
            return False
        elements = {self.key_element(key) for key in self.order}
        return self.count * 2 * sum(BYTES[element] for element in ("i32", *elements)) <= SHORT_ROW

    def sorted_rows(self) -> BuiltKernel:
        """The kernel that makes keys, sorts by them and moves the elements, row after row."""
        results = self.node.results
        builder = KernelBuilder(self.node.operands, self.kept, self.vector_bytes)
        scheduler = builder.scheduler
        rows, loops = builder.dimensions(self.rows)
        outputs = [buffer_of(result, f"y{k}") for k, result in enumerate(results)]

        def at(place: Expression) -> list[Expression]:
            return [*rows[: self.dimension], place, *rows[self.dimension :]]

        sorting = RowSort(scheduler, self.count)
        for key in reversed(self.order):

            def key_at(place: Expression, key: SortKey = key) -> Expression:
                return self.ordered_bits(builder, key, at(place), self.key_element(key))

            sorting.sort_by(key_at, self.key_element(key), self.key_bits(key))

        def move_element(to: Expression, place: Expression) -> list[Statement]:
            return [
                store
                for operand, result, output in zip(
                    self.node.operands, results, outputs, strict=True
                )
                for store in stores(
                    builder.table, result, output, at(to), builder.elements.at(operand, at(place))
                )
            ]

        nest = scheduler.parallel(
            loops, [*sorting.statements, *sorting.move_elements(move_element)]
        )
        memory = list(zip(results, outputs, strict=True))
        return builder.build_kernel(self.name, nest, memory, sorting.buffers)

    def merge_kernel(self, name: str) -> BuiltKernel:
        """The kernel that finds the places by calling the comparator."""
        operands, (comparator,) = self.node.operands, self.node.regions
        builder = KernelBuilder(operands, self.kept, self.vector_bytes)
        rows, loops = builder.dimensions(self.rows)

        def precedes(one: Expression, other: Expression) -> Expression:
            pairs = [
                builder.elements.at(
                    operand, [*rows[: self.dimension], place, *rows[self.dimension :]]
                )
                for operand in operands
                for place in (one, other)
            ]
            return inline_region(builder.table, comparator, pairs)[0][0]

        merging = MergeSort(builder.scheduler, rows, self.count, precedes)
        place = [self.buffer(f"p{i}", "i32") for i in range(2)]
        body = builder.scheduler.parallel(loops, merging.statements(place[0], place[1]))
        return builder.build_kernel(
            name, body, list(zip(self.places, place, strict=True)), merging.buffers
        )

    def move_kernel(self, places: Scratch) -> BuiltKernel:
        """The kernel that applies the permutation to the elements."""
        results = self.node.results
        builder = KernelBuilder(self.node.operands, self.kept, self.vector_bytes)
        order_ = self.buffer("p", "i32")
        outputs = [buffer_of(result, f"y{k}") for k, result in enumerate(results)]
        index, loops = builder.dimensions(results[0].shape)
        source = list(index)
        old = builder.table.load(order_, self.row_first(index))
        source[self.dimension] = builder.table.position(old, self.count - 1)
        body = [
            store
            for operand, result, output in zip(self.node.operands, results, outputs, strict=True)
            for store in stores(
                builder.table, result, output, index, builder.elements.at(operand, source)
            )
        ]
        memory: list[tuple[Tensor | Scratch, Buffer]] = [(places, order_)]
        memory += zip(results, outputs, strict=True)
        return builder.build_kernel(self.name, builder.scheduler.elementwise(loops, body), memory)


def order_preserving_bits(
    value: Expression, key: SortKey, is_unsigned: bool, element: str
) -> Expression:
    """The unsigned integer of an element whose order is that of the key."""
    table, register = value.table, value.type
    bits = BITS[register]
    if register in FLOATS:
        integer = f"i{bits}"
        if key.canonical or not key.total:
            zero, nan = table.bits(0, register), table.bits(NAN[register], register)
            value = table.apply("select", table.apply("feq", value, zero), zero, value)
            value = table.apply("select", table.apply("fne", value, value), nan, value)
        value = table.convert("bitcast", value, integer)
        sign = table.apply("ashr", value, table.bits(bits - 1, integer))
        value = value ^ (sign | (1 << (bits - 1)))
    elif register != "i1" and not is_unsigned:
        value = value ^ (1 << (bits - 1))
    if key.descending:
        value = table.apply("xor", value, table.bits(-1, value.type))
    return table.convert("zext", value, element)


def selects(node: Node, size: int) -> bool:
    """Whether it is faster to select so many first elements than to sort all."""
    shape, comparator = node.operands[0].shape, node.operation.comparator
    dimension = int(node.operation.dimension) % len(shape)
    keys = order(comparator)
    is_simple = len(keys) == 1 or (not keys and computed_key(comparator) is not None)
    few = 0 < size <= MOST_SELECTED and 8 * size <= shape[dimension]
    return is_simple and few and is_known(node)
