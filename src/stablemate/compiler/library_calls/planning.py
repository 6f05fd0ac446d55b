"""Decides which custom calls become library calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from math import prod
from typing import Final, cast

import numpy as np

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.library_calls.blocked.planning import TiledMatrices
from stablemate.compiler.library_calls.calls import (
    LARGEST_CONCURRENT,
    CallSequence,
    SequenceBuilder,
    kernel_for,
)
from stablemate.compiler.library_calls.compact.planning import SmallMatrices
from stablemate.compiler.library_calls.finished_factors import FinishedFactors
from stablemate.compiler.library_calls.lapack import ANY, CALLS, Matrices
from stablemate.compiler.library_calls.loading import find_routine
from stablemate.compiler.library_calls.targets import TARGETS
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import EvaluationError
from stablemate.dialects.mhlo.frontend_attributes import FRONTEND_ATTRIBUTES
from stablemate.dialects.stablehlo.triangular_solve import BLAS_TRANSPOSE, TriangularSolve
from stablemate.execution.custom_calls.batched_matrices import (
    WHOLE_BATCH,
    Options,
    Routine,
    Shape,
    is_empty,
    named_sizes,
    options_of,
    shapes_fit,
)
from stablemate.execution.custom_calls.call import TargetCall, target_call
from stablemate.execution.custom_calls.lapack import PREFIXES, ROUTINES
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import DType

# Estimates for chunks of a batch alone: shorter chunks balance threads, and cost handing them
# out; results do not depend on them.
CALL_SECONDS: Final = 1e-6  # of a call of a library, by which chunks of a batch are sized
OPERATION_SECONDS: Final = 0.2e-9  # of an arithmetic operation in a library, likewise
INDICES: Final[DType] = np.dtype(np.int32)
LARGEST_SIZE: Final = (1 << 31) - 1  # that routines take


@dataclass(frozen=True, slots=True)
class BatchedCall:
    """A custom call of a routine for a batch of matrices.

    Attributes:
        call: What it says besides its operands.
        name: The name of the routine.
        letter: LAPACK's letter for the element type.
        operands: The types of its operands.
        results: The types of its results.
        finishes: What the routine does with its results; only compact ones do anything.
    """

    call: TargetCall
    name: str
    letter: str
    operands: Sequence[TensorType]
    results: Sequence[TensorType]
    finishes: Options = field(default_factory=dict[str, object])

    @property
    def routine(self) -> Routine:
        """The arguments of the routine."""
        return ROUTINES[self.name]

    @property
    def dtype(self) -> DType:
        """The element type that the routine's prefix letter names."""
        return PREFIXES[self.letter]

    @property
    def shapes(self) -> list[Shape]:
        """The shapes of the matrices."""
        return [operand.shape for operand in self.operands[: len(self.routine.operands)]]

    @property
    def factors(self) -> Sequence[TensorType]:
        """The types of operands that are scalars."""
        return self.operands[len(self.routine.operands) :]

    @property
    def batch(self) -> Shape:
        """The dimensions of the batch."""
        shape = self.shapes[0]
        return shape[: len(shape) - len(self.routine.dimensions[0])]

    @property
    def whole_batch(self) -> int:
        """How many matrices there are on all devices that share a batch, where they do."""
        marks = self.call.attributes.get(FRONTEND_ATTRIBUTES)
        if not isinstance(marks, Mapping):
            return prod(self.batch)
        stated = str(cast(Mapping[str, object], marks).get(WHOLE_BATCH))
        return int(stated) if stated.isdigit() else prod(self.batch)

    @property
    def sizes(self) -> Mapping[str, int]:
        """The sizes of the dimensions of a matrix, with those that follow from them."""
        sizes = dict(named_sizes(self.routine, self.shapes))
        if "m" in sizes and "n" in sizes:
            sizes["p"] = min(sizes["m"], sizes["n"])
        if "n" in sizes:
            sizes["e"] = max(sizes["n"] - 1, 0)
        return sizes

    def options(self) -> Options | None:
        """The options of the call; None if one is missing or unknown."""
        try:
            return options_of(self.routine, self.call.config, self.call) | self.finishes
        except EvaluationError:
            return None

    def operands_fit(self) -> bool:
        """Whether the routine takes operands of these types."""
        routine = self.routine
        dtypes = [INDICES if text.startswith("i32") else self.dtype for text in routine.operands]
        if [dtype_of(operand) for operand in self.operands[: len(dtypes)]] != dtypes:
            return False
        if not shapes_fit(routine, self.shapes) or len(self.factors) > len(routine.factors):
            return False
        if any(factor.shape or dtype_of(factor) != self.dtype for factor in self.factors):
            return False
        return max(size for shape in self.shapes for size in (0, *shape)) <= LARGEST_SIZE

    def results_fit(self, options: Options) -> bool:
        """Whether the routine gives results of these types."""
        expected = CALLS[self.name].results(options, self.dtype.kind == "c")
        if len(self.results) > len(expected):
            return False
        pairs = zip(self.results, expected, strict=False)
        if not all(text == ANY or self.is_of_type(result, text) for result, text in pairs):
            return False
        iterations = max(prod(self.batch), 1)
        return all(bytes_of(result) % iterations == 0 for result in self.results)

    def is_of_type(self, result: TensorType, text: str) -> bool:
        """Whether a result is of a type, as ``LapackCall.results`` has it."""
        kinds: dict[str, DType] = {
            "i32": INDICES,
            "real": np.dtype(f"f{real_bytes(self.dtype)}"),
            "complex": np.result_type(self.dtype, np.complex64),
        }
        first, *rest = text.split()
        letters = rest if first in kinds else [first, *rest]
        shape = (*self.batch, *[self.sizes[letter] for letter in letters])
        return dtype_of(result) == kinds.get(first, self.dtype) and result.shape == shape

    def calls(self) -> CallSequence | None:
        """The calls for all matrices; None if something does not fit."""
        options = self.options()
        if options is None or not self.operands_fit() or not self.results_fit(options):
            return None
        condition, sizes = self.routine.condition, self.sizes
        if condition is not None and not condition[1](sizes, options):
            return None
        named = dict(named_sizes(self.routine, self.shapes))
        if not prod(self.batch) or is_empty(self.routine, named):
            return zeros_for(self.results)
        if not all(named.values()):
            return None
        iterations = prod(self.batch)
        operand_bytes = [bytes_of(operand) // iterations for operand in self.operands]
        result_bytes = [bytes_of(result) // iterations for result in self.results]
        alpha = len(self.routine.operands) if self.factors else None
        for kind in (SmallMatrices, TiledMatrices):
            own = kind(
                self.name, self.letter, iterations, sizes, options, alpha, operand_bytes,
                result_bytes, self.whole_batch,
            )  # fmt: skip
            if own.fits():
                return own.calls()
        builder = SequenceBuilder(operand_bytes, result_bytes)
        how = CALLS[self.name]
        how.build(Matrices(builder, self.letter, self.dtype, sizes, options, alpha))
        seconds = CALL_SECONDS + how.weight * OPERATION_SECONDS * self.arithmetic()
        largest = max(sizes.values())
        concurrent = largest <= LARGEST_CONCURRENT
        kernel = kernel_for(largest)
        return builder.sequence(iterations, seconds, concurrent=concurrent, kernel=kernel)

    def arithmetic(self) -> float:
        """About how many operations it takes to multiply matrices of these sizes."""
        sizes = self.sizes
        rows, columns = sizes.get("m", sizes.get("n", 1)), sizes.get("n", 1)
        inner = sizes.get("r", sizes.get("p", columns))
        return rows * columns * inner * (4.0 if self.dtype.kind == "c" else 1.0)


def library_calls(node: Node) -> CallSequence | None:
    """The calls that carry out an operation; None if it is carried out elsewhere.

    Custom calls that are wrong are among those: what carries them out reports the error.
    """
    operation = node.operation
    operands = static_tensors(node.operands)
    results = static_tensors(node.results)
    if operands is None or results is None:
        return None
    batched = None
    if operation.name == "stablehlo.triangular_solve":
        batched = triangular_solve(operation, operands, results)
    elif operation.name == "stablehlo.custom_call":
        finishes: Options = {}
        if isinstance(operation, FinishedFactors):
            operation, finishes = operation.originals[0], operation.options
        call = target_call(operation, ())
        if call.target in TARGETS and call.target not in REGISTERED:
            batched = BatchedCall(call, *TARGETS[call.target], operands, results, finishes)
    if batched is None or find_routine(batched.letter + "gemm") is None:
        return None
    return batched.calls()


def triangular_solve(
    operation: TriangularSolve, operands: Sequence[TensorType], results: Sequence[TensorType]
) -> BatchedCall | None:
    """An operation that is the custom call of trsm by another name."""
    letters = [letter for letter, dtype in PREFIXES.items() if dtype == dtype_of(operands[0])]
    if not letters:
        return None
    config = {
        "side": ord("L" if operation.left_side else "R"),
        "uplo": ord("L" if operation.lower else "U"),
        "trans_x": ord("NTC"[BLAS_TRANSPOSE[operation.transpose_a]]),
        "diag": ord("U" if operation.unit_diagonal else "N"),
    }
    call = TargetCall(operation.name, tuple(operands), tuple(results), config)
    return BatchedCall(call, "trsm", letters[0], operands, results)


def static_tensors(values: Sequence[Tensor]) -> list[TensorType] | None:
    """The types of values; None if they are not tensors of known sizes."""
    types = [value.type for value in values if isinstance(value.type, TensorType)]
    if len(types) < len(values) or not all(value_type.is_static for value_type in types):
        return None
    return types


def zeros_for(results: Sequence[TensorType]) -> CallSequence:
    """The calls that fill all results with zeros."""
    builder = SequenceBuilder([], [bytes_of(result) for result in results])
    for position, size in enumerate(builder.result_bytes):
        if size:
            builder.call("zero", builder.result(position), builder.number(size))
    return builder.sequence(1, CALL_SECONDS, concurrent=False)


def dtype_of(value_type: TensorType) -> DType:
    """NumPy's type of the elements of a tensor."""
    return value_type.element_type.dtype


def real_bytes(dtype: DType) -> int:
    """The bytes of a real number, of which a complex one has two."""
    return dtype.itemsize // (2 if dtype.kind == "c" else 1)


def bytes_of(value_type: TensorType) -> int:
    """The bytes of a tensor."""
    return prod(value_type.shape) * dtype_of(value_type).itemsize
