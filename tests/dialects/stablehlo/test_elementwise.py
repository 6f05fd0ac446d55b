"""The functions of elementwise operations: element types, shapes, broadcasting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stablemate.dialects.stablehlo import elementwise
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.clamp import Clamp
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.elementwise import Add, Elementwise
from stablemate.dialects.stablehlo.select import Select
from stablemate.ir.builder import create
from stablemate.ir.core import Value
from stablemate.ir.definition import Op, definition_of
from stablemate.ir.kinds import TypeConstraint
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import (
    BOOLEAN,
    COMPLEX64,
    COMPLEX128,
    F32,
    I4,
    I32,
    UI8,
    ElementType,
    FloatType,
    QuantizedType,
)

QUANTIZED = QuantizedType(I4, F32, (0.5,), (1,), -8, 7)
ELEMENTS: tuple[ElementType, ...] = (
    BOOLEAN, I4, UI8, I32, FloatType("f4E2M1FN"), FloatType("f8E4M3FN"), FloatType("bf16"),
    FloatType("f16"), F32, FloatType("f64"), COMPLEX64, COMPLEX128, QUANTIZED,
)  # fmt: skip
OPERATIONS: list[type[Op]] = [
    cls
    for cls in vars(elementwise).values()
    if isinstance(cls, type) and issubclass(cls, Elementwise) and "definition" in vars(cls)
]


def operation(cls: type[Op], element: ElementType, *shapes: tuple[int, ...], **fields: Any) -> Op:
    """The operation on operands of one element type."""
    names = [field.name for field in definition_of(cls).operands]
    types = [TensorType(shape, element) for shape in shapes or ((),) * len(names)]
    operands = {name: Value(value_type) for name, value_type in zip(names, types, strict=True)}
    return create(cls, **operands, **fields)


def accepts(cls: type[Op], element: ElementType) -> bool:
    """Whether the operation has operands of this element type."""
    types: TypeConstraint[Any] = definition_of(cls).operands[0].types
    return types.accepts(TensorType((), element))


def has_function(cls: type[Op], element: ElementType) -> bool:
    """Whether the specification defines the operation for an element type."""
    return accepts(cls, element)


@pytest.mark.parametrize("cls", OPERATIONS, ids=lambda cls: cls.definition.name)
def test_results_have_the_element_type_and_the_shape_of_whole_arrays(cls: type[Op]) -> None:
    for element in ELEMENTS:
        if not has_function(cls, element):
            continue
        op = operation(cls, element)
        function = op.prepare(())
        count = len(op.operands)
        scalars = [np.ones((), element.dtype)[()] for _ in range(count)]
        arrays = [np.ones((2, 3), element.dtype) for _ in range(count)]
        mixed = [*scalars[: count - 1], arrays[-1]]
        dtype = op.results[0].type.element_type.dtype
        with np.errstate(all="ignore"):
            for operands, shape in ((scalars, ()), (arrays, (2, 3)), (mixed, (2, 3))):
                result = function(*operands)
                assert result.dtype == dtype
                assert np.shape(result) == shape
                again = np.asarray(op.evaluate(*operands))
                assert again.tobytes() == np.asarray(result).tobytes()


@pytest.mark.parametrize("cls", OPERATIONS, ids=lambda cls: cls.definition.name)
def test_operands_are_not_changed(cls: type[Op]) -> None:
    for element in ELEMENTS:
        if not has_function(cls, element):
            continue
        op = operation(cls, element)
        arrays = [np.ones(3, element.dtype) for _ in op.operands]
        before = [array.tobytes() for array in arrays]
        with np.errstate(all="ignore"):
            op.evaluate(*arrays)
        assert [array.tobytes() for array in arrays] == before


def test_scalars_broadcast_where_regions_are_called_on_arrays() -> None:
    array = np.array([1.0, 5.0, 9.0], np.float32)
    low, high = np.float32(2), np.float32(6)
    compare = operation(Compare, F32, (), (), comparison_direction=ComparisonDirection.LT)
    assert compare.prepare(())(array, high).tolist() == [True, True, False]
    assert operation(Clamp, F32).prepare(())(low, array, high).tolist() == [2.0, 5.0, 6.0]
    types = (TensorType((), BOOLEAN), TensorType((), F32), TensorType((), F32))
    pred, on_true, on_false = (Value(value_type) for value_type in types)
    select = create(Select, pred=pred, on_true=on_true, on_false=on_false).prepare(())
    assert select(array < 6, array, low).tolist() == [1.0, 5.0, 2.0]


def test_the_most_specific_type_of_the_operands_is_inferred() -> None:
    op = operation(Add, F32, (-1, 3), (2, -1))
    assert op.results[0].type == TensorType((2, 3), F32)


def test_f32_functions_are_correctly_rounded() -> None:
    values = np.random.default_rng(0).uniform(-8, 8, 10_000).astype(np.float32)
    for name in ("Tanh", "Sine", "Cosine", "Exponential", "ExponentialMinusOne", "Cbrt", "Tan"):
        cls: type[Op] = getattr(elementwise, name)
        reference = getattr(np, NUMPY[name])(values.astype(np.longdouble)).astype(np.float32)
        assert operation(cls, F32).evaluate(values).tolist() == reference.tolist()


NUMPY = {
    "Tanh": "tanh",
    "Sine": "sin",
    "Cosine": "cos",
    "Exponential": "exp",
    "ExponentialMinusOne": "expm1",
    "Cbrt": "cbrt",
    "Tan": "tan",
}
