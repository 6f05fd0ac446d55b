"""The factors of a convolution: its arithmetic, what lanes are, the elements of the image."""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import prod
from typing import Final

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Tensor
from stablemate.compiler.kernels.contraction.convolution.layouts import IntegerConvolution
from stablemate.compiler.kernels.contraction.convolution.line_words import LINES, WordTile
from stablemate.compiler.kernels.contraction.convolution.narrow_images import (
    NarrowImage,
    narrow_load,
)
from stablemate.compiler.kernels.contraction.convolution.tiled import FEWEST_TILED
from stablemate.compiler.kernels.contraction.group_turns import GroupTurns
from stablemate.compiler.kernels.contraction.matrix_tiles import FEWEST_WORDS, words_of_step
from stablemate.compiler.kernels.contraction.multiply_accumulate import (
    Sums,
    float_sums_of_bytes,
    packed_sums,
    tile_sums,
)
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder, Scratch
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Statement
from stablemate.compiler.lowering.movement import padded_place
from stablemate.numerics.symbolic_sizes import is_one, is_symbolic, typical_of

# Packed factors take an instruction for several products, and words that are filled up with
# zeros: ``python -m benchmarks.quantized`` measures them.
WHOLE_FEATURES: Final = 4  # a multiple that features are filled up to, where they are packed
FEWEST_PACKED: Final = 4  # points, and output features, that are worth packing factors


class ConvolutionFactors:
    """The arithmetic of one convolution, and what lanes and steps of the depth are.

    Attributes:
        geometry: Its dimensions.
        sums: Its arithmetic.
        depthwise: Whether lanes are groups, of one feature each.
        narrow: How elements of the image are computed from narrow ones; None if they are not.
        words: The tile of words of neighboring lines, and the arithmetic; None if there are none.
        turns: How lanes are features of several groups; None if they are those of one.
        columns: How many neighbors in lanes there are.
        groups: How many groups there are besides.
        before: The launches that copy operands.
        intermediates: The memory that these write.
    """

    def __init__(
        self,
        geometry: IntegerConvolution,
        sums: Sums,
        kept: Container[Tensor],
        machine: Machine,
        name: str,
    ) -> None:
        self.geometry = geometry
        self.kept = kept
        self.machine = machine
        self.name = name
        is_single = is_one(geometry.inputs) and is_one(geometry.outputs)
        self.depthwise = geometry.groups > 1 and is_single
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

    def add_launch(
        self, builder: KernelBuilder, suffix: str, body: Sequence[Statement],
        memory: tuple[Scratch, Buffer],
    ) -> None:  # fmt: skip
        """Adds a launch before the products, which writes memory."""
        kernel = builder.build_kernel(f"{self.name}_{suffix}", body, [memory])
        self.before.append(kernel)

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
        return NarrowImage.of(self.any_element(self.builder(self.geometry.image)), products)

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

    def any_element(self, builder: KernelBuilder) -> Expression:
        """An element of the image at any index, in the type of products.

        The first one may be computed in another way, as where the image is a concatenation.
        """
        index, _ = builder.dimensions(self.geometry.image.shape)
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
        """The sums by packed features of the image; None if nothing is to be packed."""
        geometry = self.geometry
        points = geometry.batch * prod(geometry.counts)
        if self.depthwise or min(points, self.columns) < FEWEST_PACKED:
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
        return self.geometry.kernel.depends_on_constants

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

    @property
    def is_consecutive(self) -> bool:
        """Whether neighbors in lanes are neighbors in the result."""
        last = self.geometry.numbers.output_feature_dimension == len(self.geometry.result.shape) - 1
        return last or self.columns == 1
