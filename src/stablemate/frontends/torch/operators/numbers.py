"""Numbers that PyTorch computes from sizes: Python's operators on symbolic numbers.

A size that is a polynomial of other sizes stays one; a comparison or a float becomes a scalar of
the program.

Source: PyTorch, dynamic shapes, "SymInt", "SymFloat", "SymBool".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import BOOLEAN, F64, ElementType

Function = Callable[..., Tensor]

COMPARISONS: Final[dict[str, Function]] = {
    "lt": lambda x, y: x < y, "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y,
    "eq": lambda x, y: x.equals(y), "ne": lambda x, y: x.differs(y),
}  # fmt: skip
LOGIC: Final[dict[str, Function]] = {
    "and_": lambda x, y: x & y, "or_": lambda x, y: x | y, "xor": lambda x, y: x ^ y,
    "not_": lambda x: ~x, "sym_not": lambda x: ~x,
}  # fmt: skip
ARITHMETIC: Final[dict[str, Function]] = {
    "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y,
    "neg": lambda x: -x, "abs": abs, "sym_max": f.maximum, "sym_min": f.minimum,
}  # fmt: skip
FLOATS: Final[dict[str, Function]] = {
    "truediv": lambda x, y: x / y, "pow": f.power, "sym_float": lambda x: x,
    "_sym_sqrt": f.sqrt, "_sym_exp": f.exp, "_sym_log2": lambda x: f.log(x) / f.log(x * 0 + 2),
}  # fmt: skip


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
