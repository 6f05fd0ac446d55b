"""Products of matrices: the builders of their kernels, and the kernel that multiplies."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from math import prod

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.kernels.contraction.epilogues import Epilogue, Template, loops_of_index
from stablemate.compiler.kernels.contraction.matrix_operands import (
    ComputedMatrix,
    ConsecutiveRows,
    ContractionOperand,
    Panels,
    PanelsAhead,
    Reader,
    delinearized_indices,
)
from stablemate.compiler.kernels.contraction.multiply_accumulate import Sums
from stablemate.compiler.kernels.contraction.register_tiles import Tile, TileNest, nest_loops
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, KernelBuilder, Scratch
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.statements import Statement, TileShape
from stablemate.compiler.schedule.schedule import LoopDimension
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.dot_general import AnyDot, result_dimensions

EpilogueTemplate = Callable[[Expression, Expression, Expression], list[Statement]]


@dataclass(frozen=True, slots=True)
class MatrixProduct:
    """A dot as a product of matrices.

    Attributes:
        node: The operation.
        sums: Its arithmetic.
        lhs: The operand whose rows are the results' rows.
        rhs: The operand whose columns are the results' columns.
        epilogue: What is stored of the result.
        is_swapped: Whether the dimensions of columns stand before those of rows in the result.
    """

    node: Node
    sums: Sums
    lhs: ContractionOperand
    rhs: ContractionOperand
    epilogue: Epilogue
    is_swapped: bool = False

    @property
    def result(self) -> Tensor:
        """The result of the dot."""
        return self.node.results[0]

    @property
    def swapped(self) -> MatrixProduct:
        """The same product with rows and columns exchanged."""
        return replace(self, lhs=self.rhs, rhs=self.lhs, is_swapped=not self.is_swapped)

    @property
    def batch(self) -> tuple[int, ...]:
        """The sizes of the batching dimensions."""
        return self.lhs.sizes(self.lhs.batch)

    @property
    def rows(self) -> int:
        """How many rows the results have."""
        return prod(self.lhs.sizes(self.lhs.free))

    @property
    def columns(self) -> int:
        """How many columns the results have."""
        return prod(self.rhs.sizes(self.rhs.free))

    @property
    def depth(self) -> int:
        """How many products a sum has; those of packed factors count as one."""
        return prod(self.lhs.steps(self.sums))


def product_of(node: Node, sums: Sums, value: Tensor) -> MatrixProduct:
    """Describes a dot as a product of matrices with an epilogue."""
    operation: AnyDot = node.operation
    numbers = operation.numbers
    lhs, rhs = node.operands
    rows, columns = result_dimensions(numbers, len(lhs.shape), len(rhs.shape))
    return MatrixProduct(
        node,
        sums,
        ContractionOperand(
            lhs,
            numbers.lhs_batching_dimensions,
            rows,
            numbers.lhs_contracting_dimensions,
            is_left=True,
        ),
        ContractionOperand(
            rhs, numbers.rhs_batching_dimensions, columns, numbers.rhs_contracting_dimensions
        ),
        Epilogue(node.results[0], value),
    )


class ProductBuilder:
    """Makes the builders of the kernels of one product."""

    def __init__(
        self, product: MatrixProduct, kept: Container[Tensor], machine: Machine, name: str
    ) -> None:
        self.product = product
        self.kept = kept
        self.machine = machine
        self.name = name

    def kernel_builder(self, *operands: ContractionOperand) -> KernelBuilder:
        """A builder of a kernel that reads operands."""
        return KernelBuilder([operand.tensor for operand in operands], self.kept, self.machine)

    def final_builder(self, *operands: ContractionOperand) -> KernelBuilder:
        """A builder of the kernel that reads operands and stores the results of the epilogue."""
        more = self.product.epilogue.inputs(self.kept)
        return KernelBuilder(
            [*(operand.tensor for operand in operands), *more], self.kept, self.machine
        )

    def matrix(self, operand: ContractionOperand) -> ComputedMatrix:
        """How an operand would be read."""
        kernel_builder = self.kernel_builder(operand)
        batch, _ = kernel_builder.dimensions(self.product.batch)
        return ComputedMatrix(kernel_builder, operand, self.product.sums, batch)


class ProductKernel:
    """The kernel that multiplies, with those before it that copy operands.

    Attributes:
        builder: Its builder.
        batch: The index of the batch.
    """

    def __init__(self, builder: ProductBuilder, *, reads_rows: bool, reads_columns: bool) -> None:
        product = builder.product
        self.builder = builder
        self.product = product
        self.reads_rows = reads_rows
        self.reads_columns = reads_columns
        read = [*[product.lhs] * reads_rows, *[product.rhs] * reads_columns]
        self.kernel_builder = builder.final_builder(*read)
        self.batch, self.outer = self.kernel_builder.dimensions(product.batch)
        self.before: list[BuiltKernel] = []
        self.intermediates: list[tuple[Tensor | Scratch, Buffer]] = []
        self.panels: Panels | None = None
        self.fill: EpilogueTemplate | None = None

    def rows(self) -> Reader:
        """Reads the left operand at a row and a step."""
        operand, sums = self.product.lhs, self.product.sums
        if self.reads_rows:
            return ComputedMatrix(self.kernel_builder, operand, sums, self.batch).factor
        rows = ConsecutiveRows.of(operand, sums)
        self.before.append(
            rows.build_kernel(self.builder.kernel_builder(operand), f"{self.builder.name}_lhs")
        )
        self.intermediates.append((rows.scratch, rows.buffer))
        return rows.reader(self.kernel_builder, self.batch)

    def columns(self, tile: Tile, panel: Expression, first: Expression) -> Reader:
        """Reads the right operand at a column of a tile and a step."""
        operand, sums = self.product.rhs, self.product.sums
        if self.reads_columns:
            matrix = ComputedMatrix(self.kernel_builder, operand, sums, self.batch)
            return lambda column, step: matrix.factor(first + column, step)
        panels = Panels.of(operand, sums, tile)
        self.before.append(
            panels.build_kernel(self.builder.kernel_builder(operand), f"{self.builder.name}_rhs")
        )
        self.intermediates.append((panels.scratch, panels.buffer))
        self.panels = panels
        return panels.reader(self.kernel_builder, (*self.batch, panel))

    def tile(
        self,
        nest: TileNest,
        left: Reader,
        right: Reader,
        first_row: Expression,
        first_column: Expression,
        ahead: PanelsAhead | None = None,
    ) -> list[Statement]:
        """The results of a tile that begins at a row and a column.

        Args:
            nest: Writes the statements of the tile.
            left: Reads the left operand at a row and a step.
            right: Reads the right operand at a column of the tile and a step.
            first_row: Its first row.
            first_column: Its first column.
            ahead: What is fetched meanwhile, if columns are read from panels.
        """
        depth = self.product.depth
        step = self.kernel_builder.scheduler.index(depth)
        products = nest.step(
            lambda row, _: left(first_row + row, step), lambda column: right(column, step)
        )

        if ahead is not None and self.panels is not None:
            products += ahead.fetches(self.panels.buffer, self.batch, step)

        def finish(row: Expression, column: Expression, value: Expression) -> list[Statement]:
            return self.stores(first_row + row, first_column + column, value)

        steps = nest_loops([LoopDimension(step, depth)], products)
        return nest.tile_loops(steps, finish)

    def stores(self, row: Expression, column: Expression, value: Expression) -> list[Statement]:
        """The end of a loaded sum."""
        if self.fill is None:
            self.fill = self.template(value.detail)
        return self.fill(value, row, column)

    def template(self, totals: Buffer) -> EpilogueTemplate:
        """The epilogue of the sum at a position of a buffer, given its row and its column."""
        product, scheduler = self.product, self.kernel_builder.scheduler
        free, loops = self.kernel_builder.dimensions(product.result.shape[len(product.batch) :])
        count = len(product.rhs.free if product.is_swapped else product.lhs.free)
        halves = free[:count], free[count:]
        of_rows, of_columns = halves[::-1] if product.is_swapped else halves
        index = [*self.batch, *free]
        template = Template(self.kernel_builder, product.epilogue, product.sums, totals, index)
        self.output = template.buffer
        rows, body = scheduler.collapse(loops_of_index(loops, of_rows), template.body)
        columns, template.body = scheduler.collapse(loops_of_index(loops, of_columns), body)

        def fill(value: Expression, row: Expression, column: Expression) -> list[Statement]:
            numbers = [*delinearized_indices(row, rows), *delinearized_indices(column, columns)]
            atoms = [row.atom for row in (*rows, *columns)]
            return template.at(value, list(zip(atoms, numbers, strict=True)))

        return fill

    def build_kernels(
        self,
        loops: Sequence[LoopDimension],
        body: Sequence[Statement],
        local_buffers: Sequence[Buffer],
        tiles: Sequence[TileShape] = (),
    ) -> list[BuiltKernel]:
        """All kernels, in the order of their launches."""
        statements = self.kernel_builder.scheduler.parallel([*self.outer, *loops], body)
        memory = [*self.intermediates, (self.product.epilogue.value, self.output)]
        return [
            *self.before,
            self.kernel_builder.build_kernel(
                self.builder.name, statements, memory, local_buffers, tiles
            ),
        ]
