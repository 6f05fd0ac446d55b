"""The image of a convolution: read where it is, or copied with its padding, features last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.compiler.kernels.contraction.convolution.factors import ConvolutionFactors
from stablemate.compiler.kernels.contraction.convolution.narrow_images import narrow_load
from stablemate.compiler.kernels.contraction.matrix_operands import (
    ALIAS,
    LINE,
    packed_factors,
    scalar_view,
)
from stablemate.compiler.kernels.kernel_builder import KernelBuilder, Scratch
from stablemate.compiler.loops.buffers import Buffer, row_major
from stablemate.compiler.loops.expressions import Expression, Expressions, terms_of
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.statements import StoreElement
from stablemate.compiler.lowering.movement import padded_place

ONE_SET: Final = 4096  # bytes: points at a multiple of it fall into one set of the nearest cache


class ConvolutionImage:
    """Reads the image of a convolution, or a copy of it.

    Attributes:
        factors: What the convolution multiplies.
        geometry: Its dimensions.
        sums: Its arithmetic.
    """

    def __init__(self, factors: ConvolutionFactors) -> None:
        self.factors = factors
        self.geometry = factors.geometry
        self.sums = factors.sums

    def value(
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
            return self.factors.image_element(builder, index)

        if not sums.packing:
            return factor(feature)
        return sums.add_bias(packed_factors(builder, sums, feature, factor))

    def is_in_place(self) -> bool:
        """Whether the image is read where it is."""
        geometry = self.geometry
        if geometry.is_padded or self.factors.is_widened:
            return False
        builder = self.factors.builder(geometry.image)
        features = (
            (geometry.groups, self.factors.features)
            if self.factors.turns is None
            else (1, self.factors.columns)
        )
        shape = (features[0], geometry.batch, *geometry.padded, features[1])
        index = [builder.scheduler.index(size) for size in shape]
        value = self.value(builder, index[0], index[1], index[2:-1], index[-1])
        load = value if self.factors.narrow is None else narrow_load(value)
        if load is None or load.operator != "load":
            return False
        terms = dict(terms_of(load.operands[0])[1])
        if any(atom.operator != "index" for atom in terms):
            return False
        lane = index[0] if self.factors.depthwise else index[-1]
        point = index[-2] if len(index) > 3 else index[1]
        stride = terms.get(terms_of(lane)[1][0][0], 0)
        far = terms.get(terms_of(point)[1][0][0], 0) * BYTES[self.sums.register]
        is_apart = self.factors.has_groups_in_lanes or not far or far % ONE_SET != 0
        return (stride == 1 or shape[-1] == 1) and is_apart

    def padded_buffer(self) -> Buffer:
        """Memory for the image with its padding: ``(batch, points..., groups, features)``."""
        geometry = self.geometry
        storage = (
            self.sums.storage if self.factors.narrow is None else self.factors.narrow.load.type
        )
        size = BYTES[storage]
        shape = (geometry.batch, *geometry.padded, geometry.groups, self.factors.features)
        features = geometry.groups * self.factors.features
        gap = (
            LINE // size
            if features * size % ALIAS == 0 and not self.factors.has_groups_in_lanes
            else 0
        )
        strides = row_major((*shape[:-2], features + gap))
        return Buffer("image", storage, shape, strides=(*strides[:-1], self.factors.features, 1))

    def copy(self) -> Buffer:
        """The image with its padding, by launches before."""
        geometry, image = self.geometry, self.padded_buffer()
        scratch = Scratch(image.strides[0] * image.shape[0] * BYTES[image.type])
        is_filled = geometry.is_padded or self.factors.is_widened
        if self.has_one_word:
            self.pad_words(image, scratch)
        elif not is_filled or self.is_dilated:
            if is_filled:
                self.clear_image(image, scratch)
            self.copy_image(image, scratch)
        else:
            self.pad_image(image, scratch)
        self.factors.intermediates.append((scratch, image))
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
            and self.factors.features == 1 < self.geometry.inputs
            and (not is_last and dilations <= {1})
        )

    def pad_words(self, image: Buffer, scratch: Scratch) -> None:
        """The launch that packs the features of each point, and writes the padding."""
        geometry, sums = self.geometry, self.sums
        builder = self.factors.builder(geometry.image)
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
            return self.factors.image_element(builder, index)

        packed = sums.pack_factors([factor(table.sum(i, ())) for i in range(sums.factors)])
        value = table.apply("select", inside, sums.add_bias(packed), self.padding_word(table))
        place = table.place(image, (batch, *points, group, word))
        body = builder.scheduler.elementwise(loops, [StoreElement(image, place, value)])
        self.factors.add_launch(builder, "lhs", body, (scratch, image))

    def padding_word(self, table: Expressions) -> Expression:
        """The padding of an image of packed factors."""
        return table.bits(self.sums.correction, self.sums.storage)

    def clear_image(self, image: Buffer, scratch: Scratch) -> None:
        """The launch that fills the padded image with its padding."""
        builder = self.factors.builder()
        flat = Buffer("image", image.type, (scratch.bytes // BYTES[image.type],))
        index, loops = builder.dimensions(flat.shape)
        table = builder.table
        zero = self.padding_word(table) if self.sums.packing else table.bits(0, image.type)
        store = StoreElement(flat, table.place(flat, index), zero)
        body = builder.scheduler.elementwise(loops, [store])
        self.factors.add_launch(builder, "zero", body, (scratch, flat))

    def pad_image(self, image: Buffer, scratch: Scratch) -> None:
        """The launch that copies the image and writes its padding, each element once."""
        geometry, builder = self.geometry, self.factors.builder(self.geometry.image)
        table = builder.table
        sums = self.sums
        memory = scalar_view(image, sums.packing) if sums.packing else image
        (batch, *points, group, feature), loops = builder.dimensions(memory.shape)
        lows = [low for low, _ in geometry.windows.padding]
        places, inside = padded_place(table, geometry.sizes, points, lows, [1] * len(lows))
        if self.factors.is_widened:
            feature_, is_one = self.factors.feature_place(builder, feature)
            inside = inside & is_one
        else:
            feature_ = feature
        index = geometry.image_index(group, batch, places, feature_)
        stored, padding = self.factors.copied_element(self.factors.image_element(builder, index))
        value = table.apply("select", inside, stored, padding)
        place = table.place(memory, (batch, *points, group, feature))
        body = builder.scheduler.elementwise(loops, [StoreElement(memory, place, value)])
        self.factors.add_launch(builder, "lhs", body, (scratch, memory))

    def copy_image(self, image: Buffer, scratch: Scratch) -> None:
        """The launch that copies the elements of the image that windows read."""
        geometry, windows = self.geometry, self.geometry.windows
        builder = self.factors.builder(geometry.image)
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
        value, _ = self.factors.copied_element(self.factors.image_element(builder, index))
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
        self.factors.add_launch(builder, "lhs", body, (scratch, memory))
