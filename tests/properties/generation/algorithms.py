"""Steps that append whole algorithms: transforms, solvers, normalizations, random bits."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import FftType, RngAlgorithm, TransposeKind
from stablemate.ir.types import tensor
from stablemate.numerics.elements import (
    COMPLEX64,
    COMPLEX128,
    F32,
    F64,
    UI64,
    Array,
    ComplexType,
    ElementType,
)
from tests.properties.generation.program_builder import FLOATS, INTEGERS, Draft, Tensor

SOLVABLE: Final = (F32, F64, COMPLEX64, COMPLEX128)


def moderate(draft: Draft, element: ElementType, shape: list[int]) -> Tensor:
    """A new tensor of numbers around one."""
    return draft.fresh(tensor(element, *shape), "moderate")


def fft(draft: Draft) -> None:
    """A transform of one to three dimensions."""
    kind = draft.choices.of(tuple(FftType))
    precision = draft.choices.below(2)
    count = draft.choices.weighted(((1, 60), (2, 30), (3, 10)))
    batch = draft.shape(0, 1)
    length = [draft.choices.integer(1, 5) for _ in range(count)]
    element: ElementType = (F32, F64)[precision]
    sizes = list(length)
    if kind is not FftType.RFFT:
        element = (COMPLEX64, COMPLEX128)[precision]
    if kind is FftType.IRFFT:
        sizes[-1] = length[-1] // 2 + 1
    operand = draft.operand(
        [element], lambda t: t.shape == (*batch, *sizes), lambda: [*batch, *sizes], "moderate"
    )
    draft.emit("fft", operand=operand, fft_type=kind, fft_length=length)


def matrices(draft: Draft, element: ElementType, shape: list[int]) -> Array:
    """Arrays around one."""
    rng = draft.choices.generator()
    real = rng.uniform(-1, 1, shape)
    if isinstance(element, ComplexType):
        return real + 1j * rng.uniform(-1, 1, shape)
    return real


def cholesky(draft: Draft) -> None:
    """A factor of positive definite matrices."""
    element = draft.element(SOLVABLE)
    size = draft.size(1)
    shape = [*draft.shape(0, 1), size, size]
    root = matrices(draft, element, shape)
    a = root @ np.conj(np.swapaxes(root, -1, -2)) + np.eye(size) * size
    lower = draft.choices.chance(60)
    draft.emit("cholesky", a=draft.given(tensor(element, *shape), a), lower=lower)


def triangular_solve(draft: Draft) -> None:
    """Solutions for well-conditioned triangular matrices."""
    element = draft.element(SOLVABLE)
    choices = draft.choices
    batch, size, columns = draft.shape(0, 1), draft.size(1), draft.size()
    left_side = choices.chance(60)
    a = matrices(draft, element, [*batch, size, size]) * 0.5 + np.eye(size) * 3
    sides = [size, columns] if left_side else [columns, size]
    draft.emit(
        "triangular_solve",
        a=draft.given(tensor(element, *batch, size, size), a),
        b=moderate(draft, element, [*batch, *sides]),
        left_side=left_side,
        lower=choices.chance(50),
        unit_diagonal=choices.chance(30),
        transpose_a=choices.of(
            (TransposeKind.NO_TRANSPOSE, TransposeKind.TRANSPOSE, TransposeKind.ADJOINT)
        ),
    )


def batch_norm(draft: Draft) -> None:
    """One of the three normalizations."""
    name = draft.choices.of(("inference", "training", "grad"))
    element = draft.element(FLOATS)
    shape = draft.shape(1)
    shape = [max(size, 1) for size in shape]
    feature = draft.choices.below(len(shape))
    operand = draft.operand([element], lambda t: t.shape == tuple(shape), lambda: shape, "moderate")

    def features() -> Tensor:
        return moderate(draft, element, [shape[feature]])

    def variances() -> Tensor:
        return draft.emit("abs", operand=features()).results[0]

    operands: dict[str, Any] = {"operand": operand, "scale": features()}
    if name == "inference":
        operands |= {"offset": features(), "mean": features(), "variance": variances()}
    elif name == "training":
        operands |= {"offset": features()}
    else:
        operands |= {"mean": features(), "variance": variances()}
        operands["grad_output"] = moderate(draft, element, shape)
    draft.emit(f"batch_norm_{name}", **operands, epsilon=0.125, feature_index=feature)


def rng_bit_generator(draft: Draft) -> None:
    """Random bits."""
    algorithm = draft.choices.of(
        (RngAlgorithm.THREE_FRY, RngAlgorithm.PHILOX, RngAlgorithm.DEFAULT)
    )
    words = 2 if algorithm is RngAlgorithm.THREE_FRY else draft.choices.of((2, 3))
    state = draft.like(tensor(UI64, words))
    element = draft.element((*INTEGERS, *FLOATS))
    draft.emit(
        "rng_bit_generator",
        initial_state=state,
        rng_algorithm=algorithm,
        results=[state.type, tensor(element, *draft.shape())],
    )


STEPS: Final = (
    (fft, 20),
    (cholesky, 12),
    (triangular_solve, 20),
    (batch_norm, 15),
    (rng_bit_generator, 15),
)
