"""Every operation that takes quantized tensors has an example with some."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

import stablemate as sm
from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import F32, IntegerType, QuantizedType

DIRECTORY: Final = Path(__file__).parent
QUANTIZED: Final = QuantizedType(IntegerType(8), F32, (0.5,), (1,), -128, 127)
SHAPES: Final = ((), (2,), (2, 2))


def takes_quantized(operation: type[Operation]) -> bool:
    """Whether an operand or a result may be quantized."""
    definition = definition_of(operation)
    kinds: list[Any] = [field.types for field in (*definition.operands, *definition.results)]
    return any(kind.accepts(TensorType(shape, QUANTIZED)) for kind in kinds for shape in SHAPES)


@cache
def shown() -> frozenset[str]:
    """Names of the operations that have quantized operands or results in some example."""
    names: set[str] = set()
    for path in DIRECTORY.glob("*.mlir"):
        if path.name.endswith(".invalid.mlir") or "quant.uniform" not in path.read_text():
            continue
        for operation in sm.load(path).operation.walk():
            types = (value.type for value in (*operation.operands, *operation.results))
            if any("quant.uniform" in str(each_type) for each_type in types):
                names.add(operation.name)
    return frozenset(names)


@pytest.mark.parametrize(
    "name",
    [
        n
        for n, definition in OPERATIONS.items()
        if n.startswith("stablehlo.") and takes_quantized(definition)
    ],
)
def test_quantized_operands_have_an_example(name: str) -> None:
    assert name in shown()
