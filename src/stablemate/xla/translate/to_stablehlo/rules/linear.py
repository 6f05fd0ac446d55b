"""Decompositions, Fourier transforms, normalizations, random numbers.

Source: XLA, operation semantics, the operations of the same names.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.attributes import (
    FftType,
    RngAlgorithm,
    RngDistribution,
    TransposeKind,
)
from stablemate.ir.definition import definition_of
from stablemate.numerics.elements import I64
from stablemate.xla.translate.to_stablehlo.step import Fields, Rules, TranslationStep, Values

ALGORITHMS: Final = {
    "rng_default": RngAlgorithm.DEFAULT,
    "rng_three_fry": RngAlgorithm.THREE_FRY,
    "rng_philox": RngAlgorithm.PHILOX,
}
DISTRIBUTIONS: Final = {
    "rng_uniform": RngDistribution.UNIFORM,
    "rng_normal": RngDistribution.NORMAL,
}


def cholesky(step: TranslationStep) -> Values:
    """``cholesky``."""
    return [step.one("stablehlo.cholesky", a=step.array(0), lower=step.get("lower", False))]


def triangular_solve(step: TranslationStep) -> Values:
    """``triangular_solve``."""
    fields: Fields = {
        name: step.get(name, False) for name in ("left_side", "lower", "unit_diagonal")
    }
    transpose = TransposeKind[step.get("transpose_a", "NO_TRANSPOSE")]
    fields |= {"a": step.array(0), "b": step.array(1), "transpose_a": transpose}
    return [step.one("stablehlo.triangular_solve", **fields)]


def fft(step: TranslationStep) -> Values:
    """``fft``."""
    fields: Fields = {
        "operand": step.array(0),
        "fft_type": FftType[step.need("fft_type")],
        "fft_length": step.need("fft_length"),
    }
    return [step.one("stablehlo.fft", **fields)]


def batch_norm(step: TranslationStep) -> Values:
    """The operation of the same name."""
    name = f"stablehlo.{step.opcode.replace('-', '_')}"
    operands = definition_of(OPERATIONS[name]).operands
    fields: Fields = {field.name: step.array(i) for i, field in enumerate(operands)}
    fields |= {name: step.need(name) for name in ("epsilon", "feature_index")}
    return step.emit(name, **fields).results


def rng(step: TranslationStep) -> Values:
    """``rng``; the shape becomes an operand."""
    result = step.result_type
    fields: Fields = {
        "a": step.array(0),
        "b": step.array(1),
        "shape": step.constant(np.array(result.shape, np.int64), I64),
        "rng_distribution": DISTRIBUTIONS[step.need("distribution")],
    }
    return [step.one("stablehlo.rng", results=[result], **fields)]


def rng_bit_generator(step: TranslationStep) -> Values:
    """``rng_bit_generator``."""
    state = step.array(0)
    fields: Fields = {"rng_algorithm": ALGORITHMS[step.need("algorithm")], "initial_state": state}
    results = step.result_types
    return step.emit("stablehlo.rng_bit_generator", results=results, **fields).results


RULES: Final[Rules] = {
    "cholesky": cholesky,
    "triangular-solve": triangular_solve,
    "fft": fft,
    "rng": rng,
    "rng-bit-generator": rng_bit_generator,
    **dict.fromkeys(("batch-norm-training", "batch-norm-inference", "batch-norm-grad"), batch_norm),
}
