"""Numbers that PyTorch computes from sizes: Python's operators on symbolic numbers.

A size that is a polynomial of other sizes stays one; a comparison or a float becomes a scalar of
the program.

Source: PyTorch, dynamic shapes, "SymInt", "SymFloat", "SymBool".
"""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Final, TypeAlias

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import BOOLEAN, F64, ElementType

Function: TypeAlias = Callable[..., Tensor]


def identity(x: Tensor) -> Tensor:
    """A number as it is."""
    return x


def log2(x: Tensor) -> Tensor:
    """The logarithm to base 2."""
    return f.log(x) / log(2)


COMPARISONS: Final[dict[str, Function]] = {
    "lt": Tensor.__lt__, "le": Tensor.__le__, "gt": Tensor.__gt__, "ge": Tensor.__ge__,
    "eq": Tensor.equals, "ne": Tensor.differs,
}  # fmt: skip
LOGIC: Final[dict[str, Function]] = {
    "and_": Tensor.__and__, "or_": Tensor.__or__, "xor": Tensor.__xor__, "not_": Tensor.__invert__,
    "sym_not": Tensor.__invert__,
}  # fmt: skip
ARITHMETIC: Final[dict[str, Function]] = {
    "add": Tensor.__add__, "sub": Tensor.__sub__, "mul": Tensor.__mul__, "neg": Tensor.__neg__,
    "abs": Tensor.__abs__, "sym_max": f.maximum, "sym_min": f.minimum,
}  # fmt: skip
FLOATS: Final[dict[str, Function]] = {
    "truediv": Tensor.__truediv__, "pow": f.power, "sym_float": identity, "_sym_sqrt": f.sqrt,
    "_sym_exp": f.exp, "_sym_log2": log2,
}  # fmt: skip


@lowers("_local_scalar_dense", "item")
def number_of(call: Call, self: Tensor) -> Tensor:
    """The only element of a tensor"""
    return call.tensor(m.reshape(self, ()))


def common_element(operands: tuple[Operand, ...]) -> ElementType:
    """The element type of arithmetic: floats if there is one."""
    floats = [
        operand.is_float if isinstance(operand, Tensor) else isinstance(operand, float)
        for operand in operands
    ]
    return F64 if any(floats) else INT64


def register(name: str, function: Function, element: ElementType | None = None) -> None:
    """Registers a function of scalars, which computes in an element type or in a common one."""

    @lowers(f"python.{name}")
    def lowering(call: Call, *operands: Operand) -> Tensor:
        kind = element or common_element(operands)
        return function(*call.tensors(*operands, element=kind))


for _name, _function in (COMPARISONS | ARITHMETIC).items():
    register(_name, _function)
for _name, _function in LOGIC.items():
    register(_name, _function, BOOLEAN)
for _name, _function in FLOATS.items():
    register(_name, _function, F64)
