"""stablehlo.constant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.elementwise_math import Function
from stablemate.ir.attributes import ELIDED, DenseElementsAttribute, DenseResourceAttribute
from stablemate.ir.core import Resource
from stablemate.ir.definition import Op, RegionFunction, define, op
from stablemate.ir.kinds import ANY_TENSOR, ELEMENTS, TypeConstraint
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.array_limits import require_array
from stablemate.numerics.elements import Array, QuantizedType

STATIC_TENSOR: Final[TypeConstraint[TensorType]] = TypeConstraint(
    f"statically shaped {ANY_TENSOR.description}",
    lambda candidate: ANY_TENSOR.accepts(candidate) and candidate.is_static,
)


@op(
    "stablehlo.constant",
    family=Family.ELEMENTWISE,
    traits=Trait.CONSTANT_LIKE | Trait.FREE | Trait.ELEMENTWISE,
)
class Constant(Op):
    """The tensor with the elements of ``value``; for a quantized one these are stored values.

    Source: StableHLO specification, constant.
    """

    __slots__ = ()
    summary_attributes = ("value",)
    exact = True
    value = define.attribute("I1", ELEMENTS)
    output = define.result(STATIC_TENSOR, element_type="C1", shape="C1")
    assembly = "custom<Constant>"

    def infer(self) -> Type:
        """C1: the type of the literal; the quantized type if that is what is stored."""
        literal = self.value.type
        declared: object = self.results[0].type if self.results else None
        if isinstance(literal, TensorType) and isinstance(declared, TensorType):
            element = declared.element_type
            if (
                isinstance(element, QuantizedType)
                and literal.element_type == element.declared_storage
            ):
                return literal.with_element(element)
        return literal

    def prepare(self, regions: Sequence[RegionFunction]) -> Function:
        """A function that always returns the same array."""
        array = self.evaluate()
        return lambda: array

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """Returns the literal as a read-only array."""
        return self.elements({})

    def elements(self, resources: Mapping[str, Resource]) -> Array:
        """The literal, or the contents of the resource that it names; read-only, a view.

        Raises:
            UnsupportedError: There is no such resource, or its data are not these elements.
            LimitError: No array has this shape.
        """
        value = self.value
        if isinstance(value, DenseElementsAttribute):
            return value.array.view(self.output.type.element_type.dtype)
        return self.flat_elements(resources).reshape(self.output.type.shape)

    def flat_elements(self, resources: Mapping[str, Resource]) -> Array:
        """The elements in row-major order, one-dimensional, of any rank; one if all are equal.

        Raises:
            UnsupportedError: There is no such resource, or its data are not these elements.
        """
        tensor, value = self.output.type, self.value
        dtype = tensor.element_type.dtype
        if isinstance(value, DenseElementsAttribute):
            return value.data.view(dtype)
        resource = resources.get(value.key)
        if resource is None:
            raise UnsupportedError(f"the resource {value.key} has no data", span=self.span)
        require_array(tensor.shape)
        data = np.ascontiguousarray(resource.data).view(np.uint8).reshape(-1)
        if data.size != tensor.size * dtype.itemsize:
            message = f"the resource {value.key} has {data.size} bytes, which are not {value.type}"
            raise UnsupportedError(message, span=self.span)
        return data.view(dtype)


def is_unknown(value: DenseResourceAttribute, resources: Mapping[str, Resource]) -> bool:
    """Whether a program has no data for a resource: they were left out of its text."""
    return value.key == ELIDED or value.key not in resources
