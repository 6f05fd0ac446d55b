"""Random bits that compiled programs draw are those of the interpreter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.compiler.result_comparison import same_bits

NEAR_THE_END = 2**64 - 3  # counters run over the end of their low word


def program(algorithm: str, words: int, shape: Sequence[int], element: str) -> str:
    """A program that fills a tensor."""
    state = f"tensor<{words}xui64>"
    output = f"tensor<{'x'.join(map(str, (*shape, element)))}>"
    return f"""
func.func @main(%state: {state}) -> ({state}, {output}) {{
  %next, %bits = stablehlo.rng_bit_generator %state, algorithm = {algorithm}
    : ({state}) -> ({state}, {output})
  return %next, %bits : {state}, {output}
}}"""


@pytest.mark.parametrize("shape", [(), (1,), (7,), (3, 5), (5, 6, 7), (0, 3), (300,)])
@pytest.mark.parametrize("element", ["ui8", "ui16", "ui32", "ui64", "ui4", "bf16", "f64"])
@pytest.mark.parametrize(
    ("algorithm", "words"), [("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3), ("DEFAULT", 3)]
)
def test_bits(algorithm: str, words: int, shape: tuple[int, ...], element: str) -> None:
    state = np.array([0x0123456789ABCDEF, NEAR_THE_END, 42][:words], np.uint64)
    same_bits(program(algorithm, words, shape, element), state)
