"""Convolutions: sums of products in register tiles, of output points by output features.

The image is read where it is if no window leaves it and its neighbors are well apart, else copied
with its padding, features last. The kernel is read where it is if its output features are
consecutive and it is small, else copied in panels as wide as a tile. A result whose features are
not consecutive is made in memory where they are, and copied into its own order at the end.
Depthwise, lanes are groups: each has an element of the image and of the kernel of its own. Of
groups of a few features, lanes are the features of several (``group_turns``).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from itertools import product
from math import prod
from typing import Final

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.contraction.convolution_layouts import (
    IntegerConvolution,
    geometry_of,
)
from stablemate.compiler.kernels.contraction.depth_blocks import DepthBlocks, tiles_on_shelf
from stablemate.compiler.kernels.contraction.depthwise.line_words import LINES, WordTile
from stablemate.compiler.kernels.contraction.depthwise.narrow_images import NarrowImage, narrow_load
from stablemate.compiler.kernels.contraction.epilogues import Epilogue
from stablemate.compiler.kernels.contraction.group_turns import GroupTurns
from stablemate.compiler.kernels.contraction.matrix_operands import (
    ALIAS,
    LINE,
    NEAREST,
    bytes_ahead,
    linear_index,
    packed_factors,
    scalar_view,
)
from stablemate.compiler.kernels.contraction.matrix_tiles import (
    FEWEST_WORDS,
    MatrixTiles,
    TileRows,
    starts_kernel,
    words_of_step,
)
from stablemate.compiler.kernels.contraction.multiply_accumulate import (
    Sums,
    float_sums_of_bytes,
    packed_sums,
    sums_of,
    tile_sums,
)
from stablemate.compiler.kernels.contraction.register_tiles import (
    Tile,
    TileNest,
    nest_loops,
    tile_of_images,
)
from stablemate.compiler.kernels.contraction.tiled_convolutions import (
    FEWEST_TILED,
    TiledDepth,
    image_block,
    rows_of,
    stride_of,
)
from stablemate.compiler.kernels.kernel_builder import (
    BuiltKernel,
    KernelBuilder,
    Scratch,
    register_builder,
)
from stablemate.compiler.loops.buffers import Buffer, row_major
from stablemate.compiler.loops.expressions import Expression, Expressions, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import (
    Loop,
    Statement,
    StoreElement,
    substitute_expression,
)
from stablemate.compiler.lowering.movement import padded_place
from stablemate.compiler.schedule.schedule import LoopDimension, subexpressions, substitute_indices
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import is_symbolic, typical_of

ONE_SET: Final = 4096  # bytes: points at a multiple of it fall into one set of the nearest cache
# Of how many points, and of how large a kernel, a copy in panels pays: it is read in one
# direction, but written first. ``python -m benchmarks.heuristics`` measures FEW and NEAR.
FEW: Final = 40  # points that do not pay for a copy of the kernel
NEAR: Final = 1 << 17  # bytes of a kernel that stay near without a copy
# Packed factors take an instruction for several products, and words that are filled up with
# zeros: ``python -m benchmarks.quantized`` measures them.
WHOLE_FEATURES: Final = 4  # a multiple that features are filled up to, where they are packed
FEWEST_PACKED: Final = 4  # points, and output features, that are worth packing factors


def is_known(node: Node) -> bool:
    """Whether kernels exist for the element types of a convolution."""
    return sums_of(node) is not None


def convolution_to(
    node: Node, value: Tensor, kept: Container[Tensor], machine: Machine, name: str
) -> Sequence[BuiltKernel]:
    """Returns the kernels of a convolution fused with its epilogue; only the epilogue is stored."""
    sums = sums_of(node)
    assert sums is not None
    epilogue = Epilogue(node.results[0], value)
    return ConvolutionBuilder(
        geometry_of(node), sums, epilogue, kept, machine, name
    ).build_kernels()


def reads_image_in_place(node: Node, machine: Machine) -> bool:
    """Whether the kernel of a convolution reads its image where it is in memory."""
    sums = sums_of(node)
    if sums is None:
        return False
    epilogue = Epilogue(node.results[0], node.results[0])
    builder = ConvolutionBuilder(geometry_of(node), sums, epilogue, node.operands, machine, "k")
    return builder.reads_image()


@register_builder("stablehlo.convolution", admits=is_known, inlines=True, builds_to=convolution_to)
def convolution(
    node: Node, kept: Container[Tensor], machine: Machine, name: str
) -> Sequence[BuiltKernel]:
    """The kernels of a convolution: those that copy operands, the products, the result's order."""
    return convolution_to(node, node.results[0], kept, machine, name)


@dataclass(frozen=True, slots=True)
class SumOfProducts:
    """The sum of products at each point of the result, before it is tiled.

    Attributes:
        group: The index of the feature group.
        outer: The loops over groups.
        loops: The loops over batch and output points.
        indices: The indices of the summed dimensions, in the order of their loops.
        depth: The same indices, in the order of the kernel's dimensions.
        steps: The loops over the summed dimensions.
        column: The index of the output feature in its group.
        slot: The index of the sum in a tile.
        accumulators: The registers of a tile.
        nowhere: The register that holds a factor.
        memory: What is stored, and where.
        body: The factor of the image, and the stores of the complete sum.
    """

    group: Expression
    outer: Sequence[LoopDimension]
    loops: Sequence[LoopDimension]
    indices: Sequence[Expression]
    depth: Sequence[Expression]
    steps: Sequence[LoopDimension]
    column: Expression
    slot: Expression
    accumulators: Buffer
    nowhere: Buffer
    memory: tuple[Tensor | Scratch, Buffer]
    body: Sequence[Statement]


@dataclass(frozen=True, slots=True)
class TileLoops:
    """The loops over the tiles of a convolution.

    Attributes:
        shared: Those that threads share.
        together: Those over tiles that pass over a block of the depth, before the next block; none
            if each tile passes over the whole depth.
        panel: The number of the panel of a tile.
        first: The first column of a tile.
        line: Its first line.
        point: Its first point of a line.
    """

    shared: Sequence[LoopDimension]
    together: Sequence[LoopDimension]
    panel: Expression
    first: Expression
    line: Expression
    point: Expression


class ConvolutionBuilder:
    """Builds the kernels of one convolution.

    Attributes:
        depthwise: Whether lanes are groups, of one feature each.
        narrow: How elements of the image are computed from narrow ones; None if they are not.
        words: The tile of words of neighboring lines, and the arithmetic; None if there are none.
        turns: How lanes are features of several groups; None if they are those of one.
        columns: How many neighbors in lanes there are.
        groups: How many groups there are besides.
    """

    def __init__(
        self,
        geometry: IntegerConvolution,
        sums: Sums,
        epilogue: Epilogue,
        kept: Container[Tensor],
        machine: Machine,
        name: str,
    ) -> None:
        self.geometry = geometry
        self.epilogue = epilogue
        self.kept = kept
        self.machine = machine
        self.name = name
        self.depthwise = geometry.groups > 1 and geometry.inputs == geometry.outputs == 1
        self.columns = geometry.groups if self.depthwise else geometry.outputs
        self.groups = 1 if self.depthwise else geometry.groups
        self.sums = self.in_floats(sums) or self.in_tiles(sums) or self.in_words(sums) or sums
        self.words = self.words_of_lines(sums) if self.depthwise else None
        self.narrow = self.narrow_image() if self.depthwise else None
        if self.narrow is None:
            self.words = None
        self.turns = GroupTurns.of(geometry, self.sums, machine)
        if self.turns is not None:
            self.columns, self.groups = geometry.groups * geometry.outputs, 1
        self.before: list[BuiltKernel] = []
        self.intermediates: list[tuple[Tensor | Scratch, Buffer]] = []

    def builder(self, *operands: Tensor) -> KernelBuilder:
        """A builder of a kernel that reads operands."""
        return KernelBuilder(operands, self.kept, self.machine)

    def in_floats(self, sums: Sums) -> Sums | None:
        """The sums of a depthwise convolution of bytes, which floats hold; None for others."""
        products = prod(self.geometry.windows.sizes)
        return float_sums_of_bytes(self.geometry.node, sums, products) if self.depthwise else None

    def narrow_image(self) -> NarrowImage | None:
        """How elements of the image are computed from narrow ones; None if they are not."""
        windows = self.geometry.windows
        if self.sums.packing is not None or set(windows.base_dilations) - {1}:
            return None
        products = -(-prod(windows.sizes) // prod(windows.strides))
        if self.words is not None:  # they are made of narrow elements
            products = 0
        return NarrowImage.of(self.first_element(self.builder(self.geometry.image)), products)

    def words_of_lines(self, sums: Sums) -> tuple[WordTile, Sums] | None:
        """The tile of words of lines, and the arithmetic on them; None if there are none."""
        geometry = self.geometry
        instructions, sizes = self.machine.instructions, (*geometry.counts, self.columns)
        packed = packed_sums(geometry.node, sums, instructions, [LINES] * 2)
        if packed is None or packed.factors != LINES or any(map(is_symbolic, sizes)):
            return None
        if geometry.batch_groups > 1 or not self.is_consecutive:
            return None
        tile = WordTile.of(geometry.windows, geometry.counts, self.columns, self.machine)
        return None if tile is None else (tile, packed)

    def first_element(self, builder: KernelBuilder) -> Expression:
        """An element of the image, in the type of products."""
        zero = builder.table.sum(0, ())
        points = [zero] * len(self.geometry.counts)
        index = self.geometry.image_index(zero, zero, points, zero)
        return self.image_element(builder, index)

    def image_element(self, builder: KernelBuilder, index: Sequence[Expression]) -> Expression:
        """An element of the image, in the type of products."""
        image = self.geometry.image
        return self.sums.left_factor(builder.elements.at(image, index)[0], image)

    def copied_element(self, element: Expression) -> tuple[Expression, Expression]:
        """The number that a copy of the image holds for an element, and that for its padding."""
        sums, table = self.sums, element.table
        if self.narrow is not None:
            load = narrow_load(element)
            assert load is not None, "all elements are computed in the same way"
            return load, table.bits(self.narrow.padding, load.type)
        stored = sums.left_stored(element)
        return stored, table.bits(sums.zero_point if sums.keeps_zero_point else 0, stored.type)

    def in_tiles(self, sums: Sums) -> Sums | None:
        """The sums in tile registers; None if there are none, or it is not worth it."""
        geometry = self.geometry
        sizes = *geometry.counts, self.columns, geometry.inputs
        tiled = tile_sums(geometry.node, sums, self.machine.instructions)
        if tiled is None or self.depthwise or any(map(is_symbolic, sizes)):
            return None
        points = typical_of(geometry.batch) * prod(geometry.counts)
        words = -(-geometry.inputs // tiled.factors)
        windows = geometry.windows
        if geometry.groups == 1 and windows.sizes and windows.window_dilations[-1] == 1:
            words *= windows.sizes[-1]
        is_large = min(points, self.columns) >= FEWEST_TILED
        return tiled if is_large and words_of_step(words) >= FEWEST_WORDS else None

    def in_words(self, sums: Sums) -> Sums | None:
        """The sums by packed features of the image; None if there are no integers to pack."""
        geometry = self.geometry
        points = geometry.batch * prod(geometry.counts)
        if sums.register != "i32" or min(points, self.columns) < FEWEST_PACKED:
            return None
        instructions, inputs = self.machine.instructions, geometry.inputs
        whole = -(-inputs // WHOLE_FEATURES) * WHOLE_FEATURES
        candidates = (
            packed_sums(geometry.node, sums, instructions, [features] * 2)
            for features in (inputs, whole)
        )
        return next(filter(None, candidates), None)

    def split(self, builder: KernelBuilder, group: Expression, column: Expression) -> tuple[
        Expression, Expression
    ]:  # fmt: skip
        """Group and feature in it, of a group's column.

        With turns, features are numbered through all groups, as if all were in the first one.
        """
        zero = builder.table.sum(0, ())
        return (column, zero) if self.depthwise else (group, column)

    @property
    def has_groups_in_lanes(self) -> bool:
        """Whether lanes are features of the image, of different groups."""
        return self.depthwise or self.turns is not None

    @property
    def depth_sizes(self) -> tuple[int, ...]:
        """Points of the kernel, then its input features, of which one holds all that are packed.

        With turns, their number is in the place of that of features.
        """
        return (*self.geometry.windows.sizes, self.features)

    @property
    def features(self) -> int:
        """The features of the image in a group; those that are packed count as one."""
        return -(-self.geometry.inputs // self.sums.factors)

    @property
    def is_widened(self) -> bool:
        """Whether there are more packed features than the image has."""
        return self.geometry.inputs % self.sums.factors != 0

    def feature_place(
        self, builder: KernelBuilder, feature: Expression
    ) -> tuple[Expression, Expression]:
        """The place of a packed feature among those of the image, and whether it is one of them."""
        inputs = [self.geometry.inputs]
        (place,), is_one = padded_place(builder.table, inputs, [feature], [0], [1])
        return place, is_one

    @property
    def has_constant_kernel(self) -> bool:
        """Whether the kernel is copied once, when a program is compiled."""
        return depends_on_constants(self.geometry.kernel)

    @property
    def depth_order(self) -> list[int]:
        """The order in which products are added: the order of the kernel in memory.

        It is copied fastest in that order. Of a constant one, which is copied once, it is that of
        the image, which is read fastest. Tiles take neighbors in the depth that are neighbors in
        the image.
        """
        numbers = self.geometry.numbers
        if self.sums.is_in_tiles or self.turns is not None or self.has_constant_kernel:
            return [*range(len(numbers.kernel_spatial_dimensions) + 1)]
        dimensions = (*numbers.kernel_spatial_dimensions, numbers.kernel_input_feature_dimension)
        return sorted(range(len(dimensions)), key=lambda i: dimensions[i])

    # The image

    def image_value(
        self,
        builder: KernelBuilder,
        group: Expression,
        batch: Expression,
        points: Sequence[Expression],
        feature: Expression,
    ) -> Expression:
        """The factor of the image at points of the padded image that are inside the image."""
        geometry, sums = self.geometry, self.sums
        inside = [
            point - low for point, (low, _) in zip(points, geometry.windows.padding, strict=True)
        ]

        def factor(feature: Expression) -> Expression:
            index = geometry.image_index(group, batch, inside, feature)
            return self.image_element(builder, index)

        if not sums.packing:
            return factor(feature)
        return sums.add_bias(packed_factors(builder, sums, feature, factor))

    def reads_image(self) -> bool:
        """Whether the image is read where it is."""
        geometry = self.geometry
        if geometry.is_padded or self.is_widened:
            return False
        builder = self.builder(geometry.image)
        features = (geometry.groups, self.features) if self.turns is None else (1, self.columns)
        shape = (features[0], geometry.batch, *geometry.padded, features[1])
        index = [builder.scheduler.index(size) for size in shape]
        value = self.image_value(builder, index[0], index[1], index[2:-1], index[-1])
        load = value if self.narrow is None else narrow_load(value)
        if load is None or load.operator != "load":
            return False
        terms = dict(terms_of(load.operands[0])[1])
        if any(atom.operator != "index" for atom in terms):
            return False
        lane = index[0] if self.depthwise else index[-1]
        point = index[-2] if len(index) > 3 else index[1]
        stride = terms.get(terms_of(lane)[1][0][0], 0)
        far = terms.get(terms_of(point)[1][0][0], 0) * BYTES[self.sums.register]
        is_apart = self.has_groups_in_lanes or not far or far % ONE_SET != 0
        return (stride == 1 or shape[-1] == 1) and is_apart

    def padded_image(self) -> Buffer:
        """Memory for the image with its padding: ``(batch, points..., groups, features)``."""
        geometry = self.geometry
        storage = self.sums.storage if self.narrow is None else self.narrow.load.type
        size = BYTES[storage]
        shape = (geometry.batch, *geometry.padded, geometry.groups, self.features)
        features = geometry.groups * self.features
        gap = LINE // size if features * size % ALIAS == 0 and not self.has_groups_in_lanes else 0
        strides = row_major((*shape[:-2], features + gap))
        return Buffer("image", storage, shape, strides=(*strides[:-1], self.features, 1))

    def copied_image(self) -> Buffer:
        """The image with its padding, by launches before."""
        geometry, image = self.geometry, self.padded_image()
        scratch = Scratch(image.strides[0] * image.shape[0] * BYTES[image.type])
        is_filled = geometry.is_padded or self.is_widened
        if self.has_one_word:
            self.pad_words(image, scratch)
        elif not is_filled or self.is_dilated:
            if is_filled:
                self.clear_image(image, scratch)
            self.copy_image(image, scratch)
        else:
            self.pad_image(image, scratch)
        self.intermediates.append((scratch, image))
        return image

    @property
    def is_dilated(self) -> bool:
        """Whether elements of the image, or factors of one, do not lie side by side."""
        is_packed = self.sums.packing is not None and not self.sums.is_in_tiles
        return is_packed or set(self.geometry.windows.base_dilations) != {1}

    @property
    def has_one_word(self) -> bool:
        """Whether all features of a point are packed in one word, of points that lie apart."""
        numbers = self.geometry.numbers
        is_last = numbers.input_feature_dimension == len(self.geometry.image.shape) - 1
        dilations = set(self.geometry.windows.base_dilations)
        return (
            self.sums.packing is not None
            and self.features == 1 < self.geometry.inputs
            and (not is_last and dilations <= {1})
        )

    def pad_words(self, image: Buffer, scratch: Scratch) -> None:
        """The launch that packs the features of each point, and writes the padding."""
        geometry, sums, builder = self.geometry, self.sums, self.builder(self.geometry.image)
        table = builder.table
        assert sums.packing is not None
        (batch, *points, group, word), loops = builder.dimensions(image.shape)
        lows = [low for low, _ in geometry.windows.padding]
        places, inside = padded_place(table, geometry.sizes, points, lows, [1] * len(lows))
        padding = table.bits(sums.zero_point if sums.keeps_zero_point else 0, sums.register)

        def factor(feature: Expression) -> Expression:
            if feature.low >= geometry.inputs:
                return padding
            index = geometry.image_index(group, batch, places, feature)
            return self.image_element(builder, index)

        packed = sums.pack_factors([factor(table.sum(i, ())) for i in range(sums.factors)])
        value = table.apply("select", inside, sums.add_bias(packed), self.padding_word(table))
        place = table.place(image, (batch, *points, group, word))
        body = builder.scheduler.elementwise(loops, [StoreElement(image, place, value)])
        self.before.append(builder.build_kernel(f"{self.name}_lhs", body, [(scratch, image)]))

    def padding_word(self, table: Expressions) -> Expression:
        """The padding of an image of packed factors."""
        return table.bits(self.sums.correction, self.sums.storage)

    def clear_image(self, image: Buffer, scratch: Scratch) -> None:
        """The launch that fills the padded image with its padding."""
        builder = self.builder()
        flat = Buffer("image", image.type, (scratch.bytes // BYTES[image.type],))
        index, loops = builder.dimensions(flat.shape)
        table = builder.table
        zero = self.padding_word(table) if self.sums.packing else table.bits(0, image.type)
        store = StoreElement(flat, table.place(flat, index), zero)
        body = builder.scheduler.elementwise(loops, [store])
        self.before.append(builder.build_kernel(f"{self.name}_zero", body, [(scratch, flat)]))

    def pad_image(self, image: Buffer, scratch: Scratch) -> None:
        """The launch that copies the image and writes its padding, each element once."""
        geometry, builder = self.geometry, self.builder(self.geometry.image)
        table = builder.table
        sums = self.sums
        memory = scalar_view(image, sums.packing) if sums.packing else image
        (batch, *points, group, feature), loops = builder.dimensions(memory.shape)
        lows = [low for low, _ in geometry.windows.padding]
        places, inside = padded_place(table, geometry.sizes, points, lows, [1] * len(lows))
        if self.is_widened:
            feature_, is_one = self.feature_place(builder, feature)
            inside = inside & is_one
        else:
            feature_ = feature
        index = geometry.image_index(group, batch, places, feature_)
        stored, padding = self.copied_element(self.image_element(builder, index))
        value = table.apply("select", inside, stored, padding)
        place = table.place(memory, (batch, *points, group, feature))
        body = builder.scheduler.elementwise(loops, [StoreElement(memory, place, value)])
        self.before.append(builder.build_kernel(f"{self.name}_lhs", body, [(scratch, memory)]))

    def copy_image(self, image: Buffer, scratch: Scratch) -> None:
        """The launch that copies the elements of the image that windows read."""
        geometry, windows = self.geometry, self.geometry.windows
        builder = self.builder(geometry.image)
        starts: list[int] = []
        sizes: list[int] = []
        for size, padded, (low, _), dilation in zip(
            geometry.sizes, geometry.padded, windows.padding, windows.base_dilations, strict=True
        ):
            first = -(low // dilation) if low < 0 else 0  # the first element at 0 or behind
            last = min(size - 1, (padded - 1 - low) // dilation)
            starts.append(first)
            sizes.append(last - first + 1)
        if any(size <= 0 for size in (*sizes, geometry.batch)):
            return
        shape = (geometry.batch, *sizes, geometry.groups, geometry.inputs)
        (batch, *points, group, feature), loops = builder.dimensions(shape)
        inside = [point + first for point, first in zip(points, starts, strict=True)]
        index = geometry.image_index(group, batch, inside, feature)
        value, _ = self.copied_element(self.image_element(builder, index))
        window_points = [
            point * dilation + low
            for point, dilation, (low, _) in zip(
                inside, windows.base_dilations, windows.padding, strict=True
            )
        ]
        sums = self.sums
        memory = scalar_view(image, sums.packing) if sums.packing else image
        place = builder.table.place(memory, (batch, *window_points, group, feature))
        store = StoreElement(memory, place, value)
        body = builder.scheduler.elementwise(loops, [store])
        self.before.append(builder.build_kernel(f"{self.name}_lhs", body, [(scratch, memory)]))

    # The kernel

    def kernel_value(
        self,
        builder: KernelBuilder,
        group: Expression,
        depth: Sequence[Expression],
        column: Expression,
    ) -> Expression:
        """The factor of the kernel: an element, or those of several features in an ``i32``."""
        geometry, sums = self.geometry, self.sums
        *steps, feature = depth
        group, output = self.split(builder, group, column)
        if self.turns is not None:
            turn, feature = feature, column % self.turns.size
            output = self.turns.output(column, turn)

        def factor(feature: Expression) -> Expression:
            place, is_one = feature, None
            if self.is_widened:
                place, is_one = self.feature_place(builder, feature)
            index = geometry.kernel_index(group, steps, place, output)
            element = builder.elements.at(geometry.kernel, index)[0]
            value = sums.factor(element, geometry.kernel)
            if is_one is None:
                return value
            return value.table.apply("select", is_one, value, value.table.bits(0, value.type))

        if not sums.packing:
            return factor(feature)
        return packed_factors(builder, sums, feature, factor)

    def reads_kernel(self) -> bool:
        """Whether the kernel is read where it is."""
        geometry = self.geometry
        if self.turns is not None:
            return False
        builder = self.builder(geometry.kernel)
        column = builder.scheduler.index(self.columns)
        group = builder.scheduler.index(self.groups)
        depth = [builder.scheduler.index(size) for size in self.depth_sizes]
        value = self.kernel_value(builder, group, depth, column)
        if value.operator != "load":
            return False
        terms = dict(terms_of(value.operands[0])[1])
        if any(atom.operator != "index" for atom in terms):
            return False
        size = prod(self.depth_sizes) * self.columns * BYTES[self.sums.register]
        few = geometry.batch * prod(geometry.counts) <= FEW
        return terms.get(terms_of(column)[1][0][0], 0) == 1 and (few or size <= NEAR)

    def copied_kernel(self, tile: Tile) -> Buffer:
        """The kernel in panels, ``(group, panel, step, column)``, by a launch before."""
        geometry = self.geometry
        builder = self.builder(geometry.kernel)
        scheduler = builder.scheduler
        count = -(-self.columns // tile.columns)
        steps = prod(self.depth_sizes)
        shape = (self.groups, count, steps, tile.columns)
        panels = Buffer("kernel", self.sums.storage, shape)
        if self.turns is None:  # otherwise its panels are short
            panels.ahead = bytes_ahead(panels)
        scratch = Scratch(panels.bytes)
        (group,), outer = builder.dimensions((self.groups,))
        panel, first = tile.starts(scheduler, self.columns, tile.columns)
        order = self.depth_order
        sizes = [self.depth_sizes[i] for i in order]
        indices, loops = builder.dimensions(sizes)
        depth = [indices[order.index(i)] for i in range(len(order))]
        part, lane = scheduler.index(tile.vectors), scheduler.index(tile.width)
        column = part * tile.width + lane
        value = self.kernel_value(builder, group, depth, first + column)
        step = linear_index(indices, sizes, builder)
        place = builder.table.place(panels, (group, panel.index, step, column))
        is_square = False
        loops, body = scheduler.collapse(
            loops, [StoreElement(panels, place, self.sums.to_memory(value))]
        )
        (store,) = body
        assert isinstance(store, StoreElement)
        if loops and is_consecutive(store.value, loops[-1]) and loops[-1].extent >= tile.width > 1:
            strip, index, vector = scheduler.strip(loops[-1].extent, tile.width)
            vector.body = substitute_indices(body, [(loops[-1].atom, index)])
            loops = [*loops[:-1], strip]
            body, is_square = [Loop(lane, tile.width, "unroll", [vector])], True
        else:
            body = [Loop(lane, tile.width, "vector", body)]
        copied = tile.over_vectors(part, body, is_square=is_square)
        statements = scheduler.parallel([*outer, panel, *loops], [copied])
        self.before.append(
            builder.build_kernel(f"{self.name}_rhs", statements, [(scratch, panels)])
        )
        self.intermediates.append((scratch, panels))
        return panels

    # The result

    @property
    def is_consecutive(self) -> bool:
        """Whether neighbors in lanes are neighbors in the result."""
        last = self.geometry.numbers.output_feature_dimension == len(self.geometry.result.shape) - 1
        return last or self.columns == 1

    def in_lanes(self) -> Buffer:
        """Memory for the result with its features last."""
        geometry = self.geometry
        shape = (geometry.batch, *geometry.counts, geometry.groups, geometry.outputs)
        return Buffer("sums", self.sums.scalar_factors.storage, shape)

    def ordered_result(self, source: Buffer, scratch: Scratch) -> BuiltKernel:
        """The launch that copies sums into the order of the result."""
        geometry, builder = self.geometry, self.builder(*self.epilogue.inputs(self.kept))
        numbers, output = geometry.numbers, self.epilogue.buffer
        spatial = len(geometry.counts)
        parts = {numbers.output_batch_dimension: [0]}
        parts[numbers.output_feature_dimension] = [spatial + 1, spatial + 2]
        parts |= {d: [1 + i] for i, d in enumerate(numbers.output_spatial_dimensions)}
        order = [i for d in sorted(parts) for i in parts[d]]
        dimensions, loops = builder.dimensions([source.shape[i] for i in order])
        batch, *points, group, output_feature = (
            dimensions[order.index(i)] for i in range(len(order))
        )
        index = geometry.result_index(group, batch, points, output_feature)
        loaded = builder.table.load(source, (batch, *points, group, output_feature))
        stores = self.epilogue.store_result(
            builder, self.sums, index, self.sums.from_memory(loaded), output
        )
        body = builder.scheduler.elementwise(loops, stores)
        return builder.build_kernel(
            f"{self.name}_order", body, [(scratch, source), (self.epilogue.value, output)]
        )

    # The products

    def build_kernels(self) -> list[BuiltKernel]:
        """All kernels, in the order of their launches."""
        geometry = self.geometry
        if geometry.inputs == 0 or 0 in geometry.image.shape:
            return [self.empty_sums()]
        image = None if self.reads_image() else self.copied_image()
        if self.words is not None:
            products = self.products_of_words(image, *self.words)
            return [*self.before, products]
        if self.is_consecutive:
            products = self.products(image, None)
            return [*self.before, products]
        output = self.in_lanes()
        scratch = Scratch(output.bytes)
        products = self.products(image, (scratch, output))
        return [*self.before, products, self.ordered_result(output, scratch)]

    def sum_of_products(
        self, builder: KernelBuilder, image: Buffer | None, aside: tuple[Scratch, Buffer] | None
    ) -> SumOfProducts:
        """The loops over the points of the result, with the epilogue of each point.

        Args:
            builder: Builds the kernel.
            image: The padded copy of the image, if there is one.
            aside: Where sums are stored; None: the epilogue is stored in the result.
        """
        geometry, sums = self.geometry, self.sums
        scheduler, table = builder.scheduler, builder.table
        (group,), outer = builder.dimensions((self.groups,))
        (batch, *points), loops = builder.dimensions((geometry.batch, *geometry.counts))
        order = self.depth_order
        indices, steps = builder.dimensions([self.depth_sizes[i] for i in order])
        depth = [indices[order.index(i)] for i in range(len(order))]
        column = scheduler.index(self.columns)
        inner, feature = self.split(builder, group, column)
        window_points = geometry.window_points(points, depth[:-1])
        read = depth[-1] if self.turns is None else column
        if image is None:
            factor = self.image_value(builder, inner, batch, window_points, read)
        else:
            element = table.load(image, (batch, *window_points, inner, read))
            factor = (
                sums.from_memory(element)
                if self.narrow is None
                else self.narrow.widen_element(element)
            )
        slot = scheduler.index(1 << 20)
        accumulators = self.epilogue.accumulators(  # as large as a tile, which comes later
            sums, is_partial=self.turns is not None
        )
        total = table.load_at(accumulators, slot)
        memory: tuple[Tensor | Scratch, Buffer]
        if aside is None:
            memory = self.epilogue.value, self.epilogue.buffer
            index = geometry.result_index(inner, batch, points, feature)
            final = self.epilogue.store_result(builder, sums, index, total, memory[1])
        else:
            memory = aside
            place = table.place(memory[1], [batch, *points, inner, feature])
            final = [StoreElement(memory[1], place, sums.to_memory(total))]
        nowhere = Buffer("nowhere", sums.register_type, ())
        product = StoreElement(nowhere, table.sum(0, ()), factor)
        loops, body = scheduler.collapse(loops, [product, *final])
        while len(loops) < 2:
            loops.insert(0, LoopDimension(scheduler.index(1), 1))
        return SumOfProducts(
            group,
            outer,
            loops,
            indices,
            depth,
            steps,
            column,
            slot,
            accumulators,
            nowhere,
            memory,
            body,
        )

    def tile_of(self, lines: int, points: int) -> tuple[Tile, int]:
        """The tile for lines of points, and how many points of a line it has."""
        sums, turns = self.sums, self.turns.size if self.turns else 1
        factors = typical_of(prod(self.depth_sizes) * self.columns)
        return tile_of_images(
            (lines, points), self.columns, sums.register, self.machine,
            spare=sums.is_corrected and not self.has_starts, has_products=sums.has_products,
            turns=turns, is_near=factors * BYTES[sums.storage] <= NEAREST,
        )  # fmt: skip

    def weight(
        self, builder: KernelBuilder, total: SumOfProducts, tile: Tile, number: Expression,
        first: Expression,
    ) -> Expression:  # fmt: skip
        """The factor of the kernel at a step and a column.

        Args:
            builder: Builds the kernel that multiplies.
            total: The sum.
            tile: The tile that sums are in.
            number: The number of its panel, where the kernel is copied.
            first: Its first column.
        """
        if self.reads_kernel():
            return self.kernel_value(builder, total.group, total.depth, total.column)
        place = total.group, number, self.step_number(builder, total), total.column - first
        return self.sums.from_memory(builder.table.load(self.copied_kernel(tile), place))

    def step_number(self, builder: KernelBuilder, total: SumOfProducts) -> Expression:
        """The number of a step of the depth, in the order in which panels hold its factors."""
        sizes = [self.depth_sizes[i] for i in self.depth_order]
        return linear_index(total.indices, sizes, builder)

    def products(self, image: Buffer | None, aside: tuple[Scratch, Buffer] | None) -> BuiltKernel:
        """The launch that multiplies; it stores the epilogue, or sums that are stored aside."""
        geometry, sums = self.geometry, self.sums
        if sums.is_in_tiles:
            return self.tiled_products(image, aside)
        read = [geometry.image] * (image is None) + [geometry.kernel] * self.reads_kernel()
        read += [] if aside else self.epilogue.inputs(self.kept)
        builder = self.builder(*read)
        scheduler, table = builder.scheduler, builder.table
        total = self.sum_of_products(builder, image, aside)
        *_, lines, line = total.loops
        tile, across = self.tile_of(lines.extent, line.extent)
        loops = self.tile_loops(builder, total, tile, across)
        weight = self.weight(builder, total, tile, loops.panel, loops.first)
        first_product, *final = total.body
        body = [first_product, StoreElement(total.nowhere, table.sum(0, ()), weight)]
        steps, (stored, weighed) = scheduler.collapse(
            total.steps[: -1 if self.turns else None], body
        )
        blocks = None
        if loops.together:
            total.accumulators.scope = "stack"
            blocks = DepthBlocks.of(scheduler, tile, sums, steps[-1], loops.together)
            steps, (stored, weighed) = blocks.cut(steps, (stored, weighed))
        assert isinstance(stored, StoreElement)
        assert isinstance(weighed, StoreElement)
        start = self.start_of(table, sums, total.group, loops.first) if self.has_starts else None
        nest = TileNest(scheduler, tile, sums, total.accumulators, self.turns, start)
        atom = terms_of(total.column)[1][0][0]

        def places(row: Expression, lane: Expression) -> list[tuple[Expression, Expression]]:
            return [
                (lines.atom, loops.line + row // across),
                (line.atom, loops.point + row % across),
                (atom, loops.first + lane),
            ]

        def finish(row: Expression, lane: Expression, value: Expression) -> list[Statement]:
            slot_atom = terms_of(total.slot)[1][0][0]
            return substitute_indices(final, [(slot_atom, value.operands[0]), *places(row, lane)])

        def kernel_factor(turn: Expression, lane: Expression) -> Expression:
            values = {total.steps[-1].atom: turn} if self.turns else {}
            return substitute_expression(weighed.value, {**values, atom: loops.first + lane}, {})

        products = nest.products(
            lambda row, lane: substitute_expression(stored.value, dict(places(row, lane)), {}),
            kernel_factor,
        )
        if blocks is None:
            body = nest.tile_loops(nest_loops(steps, products), finish)
        else:
            factor = kernel_factor(table.sum(0, ()), table.sum(0, ()))
            body = blocks.statements(nest, steps, products, factor, finish)
        statements = scheduler.parallel([*total.outer, *loops.shared], body)
        return builder.build_kernel(
            self.name, statements, [*self.intermediates, total.memory], nest.local_buffers
        )

    def tile_loops(
        self, builder: KernelBuilder, total: SumOfProducts, tile: Tile, across: int
    ) -> TileLoops:
        """The loops over tiles, and where each begins.

        Args:
            builder: Builds the kernel that multiplies.
            total: The sum.
            tile: The tile.
            across: How many points of a line it has.
        """
        scheduler, sums = builder.scheduler, self.sums
        *images, lines, line = total.loops
        point_tiles, point = tile.starts(scheduler, line.extent, across)
        size = prod(self.depth_sizes) * BYTES[sums.register]
        if self.has_blocks(tile, lines.extent, line.extent):
            panel, first = tile.starts(scheduler, self.columns, tile.columns)
            most = tiles_on_shelf(tile, sums) // point_tiles.extent
            chunk, line_tiles, first_line = tile.chunks(
                scheduler, lines.extent, tile.rows // across, most
            )
            shared = [panel, *images, chunk]
            together = [line_tiles, point_tiles]
            return TileLoops(shared, together, panel.index, first, first_line, point)
        group_of, panel, number, first = tile.column_groups(scheduler, self.columns, size)
        line_tiles, first_line = tile.starts(scheduler, lines.extent, tile.rows // across)
        # Factors of turns are many and those of the image few: they stay near for a line.
        inner = [point_tiles, panel] if self.turns is None else [panel, point_tiles]
        shared = [group_of, *images, line_tiles, *inner]
        return TileLoops(shared, [], number, first, first_line, point)

    def has_blocks(self, tile: Tile, lines: int, points: int) -> bool:
        """Whether several tiles pass over the kernel block by block of the depth."""
        if self.turns is not None or self.depthwise or self.reads_kernel():
            return False
        if any(map(is_symbolic, (lines, points, self.columns))):
            return False
        *_, features = [self.depth_sizes[i] for i in self.depth_order]
        tiles = lines * points // tile.rows
        return DepthBlocks.pay(tile, self.sums, prod(self.depth_sizes), features, tiles)

    def tiled_products(
        self, image: Buffer | None, aside: tuple[Scratch, Buffer] | None
    ) -> BuiltKernel:
        """As ``products``, in tile registers."""
        geometry, sums = self.geometry, self.sums
        read = [geometry.image] * (image is None)
        read += [] if aside else self.epilogue.inputs(self.kept)
        builder = self.builder(*read)
        scheduler, table = builder.scheduler, builder.table
        total = self.sum_of_products(builder, image, aside)
        *images, lines, line = total.loops
        points = image_block(lines.extent, line.extent, self.columns)
        tile, across = points.block.results, points.across
        group_of, panel, number, first = tile.column_groups(
            scheduler, self.columns, prod(self.depth_sizes) * BYTES[sums.storage]
        )
        line_tiles, first_line = tile.starts(scheduler, lines.extent, points.lines)
        point_tiles, first_point = tile.starts(scheduler, line.extent, across)
        panels = self.copied_kernel(tile)
        weight_step = self.step_number(builder, total)
        weight = table.load(panels, (total.group, number, weight_step, table.sum(0, ())))
        product, *final = total.body
        body = [product, StoreElement(total.nowhere, table.sum(0, ()), weight)]
        (*outer_steps, depth), (stored, weighed) = scheduler.collapse(total.steps, body)
        assert isinstance(stored, StoreElement)
        assert isinstance(weighed, StoreElement)
        inner = TiledDepth.of(scheduler, depth, stored.value)
        point_stride = stride_of(stored.value, line.atom)
        starts = self.starts(table, total.group, first)

        def places(row: Expression) -> list[tuple[Expression, Expression]]:
            return [
                (lines.atom, first_line + row // across),
                (line.atom, first_point + row % across),
            ]

        def left_rows(row: int) -> TileRows:
            return rows_of(stored.value, [*places(table.sum(row, ())), inner.here], point_stride)

        def right_rows(column: int) -> TileRows:
            rows = rows_of(weighed.value, [inner.here], tile.columns)
            return TileRows(rows.buffer, rows.place + column, rows.stride)

        def finish(row: Expression, lane: Expression, value: Expression) -> list[Statement]:
            slot_atom, atom = (terms_of(index)[1][0][0] for index in (total.slot, total.column))
            replacements = [(slot_atom, value.operands[0]), *places(row), (atom, first + lane)]
            return substitute_indices(final, replacements)

        tiles = MatrixTiles(scheduler, points.block, inner.words, sums, total.accumulators)
        statements = scheduler.parallel(
            [*total.outer, group_of, *images, line_tiles, point_tiles, panel],
            tiles.block_loops(
                nest_loops([*outer_steps, inner.loop], tiles.step(left_rows, right_rows)),
                finish,
                starts,
            ),
        )
        memory = [*self.intermediates, total.memory]
        return builder.build_kernel(self.name, statements, memory, [tiles.totals], tiles.shapes)

    def starts(
        self, table: Expressions, group: Expression, first: Expression
    ) -> Callable[[int], TileRows] | None:
        """Where the initial values of sums are, from a column of a block on; None if all are zero.

        Args:
            table: Makes the places of the kernel that multiplies.
            group: The index of the feature group.
            first: The first column of the block.
        """
        if not self.has_starts:
            return None
        start = self.start_of(table, self.sums, group, first)

        def rows(column: int) -> TileRows:
            load = start(table.sum(column, ()))
            return TileRows(load.detail, load.operands[0], 0)

        return rows

    def products_of_words(self, image: Buffer | None, tile: WordTile, sums: Sums) -> BuiltKernel:
        """As ``products``, of words of neighboring lines."""
        geometry, epilogue = self.geometry, self.epilogue
        output, read = epilogue.buffer, [geometry.image] * (image is None)
        builder = self.builder(*read, *epilogue.inputs(self.kept))
        scheduler, table = builder.scheduler, builder.table
        zero = table.sum(0, ())
        (batch,), images = builder.dimensions((geometry.batch,))
        block = Tile(tile.lines * tile.points, 1, tile.width)
        line_tiles, first_line = block.starts(scheduler, geometry.counts[0], tile.lines)
        point_tiles, first_point = block.starts(scheduler, geometry.counts[1], tile.points)
        panel, first = block.starts(scheduler, self.columns, tile.width)
        start = self.start_of(table, sums, zero, first) if sums.is_corrected else None
        kernel = self.kernel_words(tile, sums)
        nest = TileNest(scheduler, block, sums, epilogue.accumulators(sums), None, start)
        words = Buffer("words", sums.storage, (tile.columns * tile.width,), "register")

        def word_at(word: int, column: Expression, lane: Expression) -> Expression:
            strides = geometry.windows.strides

            def load(line: int) -> Expression:
                points = [first_line * strides[0] + line, first_point * strides[1] + column]
                if image is not None:
                    return table.load(image, (batch, *points, first + lane, zero))
                value = narrow_load(self.image_value(builder, first + lane, batch, points, zero))
                assert value is not None, "the image is one of bytes"
                return value

            return tile.word_of_lines(sums, word, load)

        def factors_at(word: int, line: int, step: Expression, lane: Expression) -> Expression:
            return table.load(
                kernel, (panel.index, step, table.sum(word, ()), table.sum(line, ()), lane)
            )

        def finish(row: Expression, lane: Expression, value: Expression) -> list[Statement]:
            points = [first_line + row // tile.points, first_point + row % tile.points]
            index = geometry.result_index(first + lane, batch, points, zero)
            return epilogue.store_result(builder, sums, index, value, output)

        steps = [*tile.products(nest, words, word_at, factors_at)]
        statements = scheduler.parallel(
            [*images, line_tiles, point_tiles, panel], nest.tile_loops(steps, finish)
        )
        memory = [*self.intermediates, (epilogue.value, output)]
        registers = [buffer for buffer in nest.local_buffers if buffer is not nest.line]
        return builder.build_kernel(self.name, statements, memory, [*registers, words])

    def kernel_words(self, tile: WordTile, sums: Sums) -> Buffer:
        """The kernel in words, ``(panel, point, word, line, feature)``, by a launch before."""
        geometry, builder = self.geometry, self.builder(self.geometry.kernel)
        table, points = builder.table, geometry.windows.sizes[1]
        panels = -(-self.columns // tile.width)
        shape = (panels, points, tile.words, tile.lines, tile.width)
        buffer = Buffer("kernel", sums.storage, shape)
        scratch = Scratch(buffer.bytes)
        block = Tile(1, 1, tile.width)
        panel, first = block.starts(builder.scheduler, self.columns, tile.width)
        (point,), loops = builder.dimensions((points,))
        lane, zero = builder.scheduler.index(tile.width), table.sum(0, ())

        def factor(row: int) -> Expression:
            index = geometry.kernel_index(first + lane, [table.sum(row, ()), point], zero, zero)
            value = sums.factor(builder.elements.at(geometry.kernel, index)[0], geometry.kernel)
            return sums.narrow_factor(value)

        stores: list[Statement] = []
        for word, line in product(range(tile.words), range(tile.lines)):
            if tile.has_factors(word, line):
                place = table.place(
                    buffer, (panel.index, point, table.sum(word, ()), table.sum(line, ()), lane)
                )
                stores.append(StoreElement(buffer, place, tile.word_of_factors(word, line, factor)))
        body = [Loop(lane, tile.width, "vector", stores)]
        statements = builder.scheduler.parallel([panel, *loops], body)
        self.before.append(
            builder.build_kernel(f"{self.name}_rhs", statements, [(scratch, buffer)])
        )
        self.intermediates.append((scratch, buffer))
        return buffer

    @property
    def has_starts(self) -> bool:
        """Whether sums begin with what is subtracted from them, which a launch before computes.

        Of a constant kernel it is computed when a program is compiled.
        """
        return self.sums.is_corrected and (self.sums.is_in_tiles or self.has_constant_kernel)

    def start_of(
        self, table: Expressions, sums: Sums, group: Expression, first: Expression
    ) -> Callable[[Expression], Expression]:
        """The start of the sums of a column: products of the kernel with the zero point.

        Args:
            table: Makes the expressions of the kernel that multiplies.
            sums: The arithmetic.
            group: The index of the feature group.
            first: The first column of a tile; what is returned takes the one of a sum in it.
        """
        geometry, builder = self.geometry, self.builder(self.geometry.kernel)
        buffer = Buffer("starts", sums.register, (self.groups, self.columns))
        scratch = Scratch(buffer.bytes)
        (kernel_group, column), loops = builder.dimensions(buffer.shape)
        sizes = (*geometry.windows.sizes, geometry.inputs)
        (*steps, feature), depth = builder.dimensions(sizes)
        kernel_group_, output = self.split(builder, kernel_group, column)
        index = geometry.kernel_index(kernel_group_, steps, feature, output)
        value = sums.factor(builder.elements.at(geometry.kernel, index)[0], geometry.kernel)
        start = starts_kernel(
            builder,
            f"{self.name}_start",
            sums,
            (scratch, buffer),
            (kernel_group, column),
            value,
            loops,
            depth,
        )
        self.before.append(start)
        self.intermediates.append((scratch, buffer))
        return lambda lane: table.load(buffer, (group, first + lane))

    def empty_sums(self) -> BuiltKernel:
        """Stores the results of empty sums."""
        epilogue, builder = self.epilogue, self.builder(*self.epilogue.inputs(self.kept))
        output = epilogue.buffer
        index, loops = builder.dimensions(self.geometry.result.shape)
        stores = epilogue.store_result(
            builder, self.sums, index, self.sums.zero(builder.table), output
        )
        body = builder.scheduler.elementwise(loops, stores)
        return builder.build_kernel(self.name, body, [(epilogue.value, output)])


def depends_on_constants(value: Tensor) -> bool:
    """Whether a value is computed from constants alone."""
    pending, seen = [value], {value}
    while pending:
        tensor = pending.pop()
        if tensor.is_constant:
            continue
        if tensor.node is None or tensor.node.regions or not tensor.node.operands:
            return False
        operands = set(tensor.node.operands) - seen
        pending += operands
        seen |= operands
    return True


def is_consecutive(value: Expression, loop: LoopDimension) -> bool:
    """Whether a value is loaded from neighbors along a loop."""
    loads = [expression for expression in subexpressions([value]) if expression.operator == "load"]
    strides = [dict(terms_of(load.operands[0])[1]).get(loop.atom) for load in loads]
    return strides == [1]
