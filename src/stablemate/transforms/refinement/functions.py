"""Functions for the types they are called with.

A function whose first arguments are known integers loses them: these are the sizes that exporters
hand from function to function. Each combination of types and sizes has a function of its own; the
first one keeps the name unless something that is not refined still calls the former function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.fresh_names import FreshNames
from stablemate.dialects.func import Call, FuncOp
from stablemate.dialects.stablehlo.composite import Composite
from stablemate.ir.attributes import (
    ArrayAttribute,
    DictionaryAttribute,
    StringAttribute,
    SymbolAttribute,
)
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.types import Attribute, TensorType, TokenType, Type
from stablemate.numerics.elements import IntegerType


class Use(NamedTuple):
    """How a function is called.

    Attributes:
        name: The function.
        tokens: How many tokens come first.
        sizes: The known integers behind them.
        types: The types of all other arguments, tokens aside.
    """

    name: str
    tokens: int
    sizes: tuple[int, ...]
    types: tuple[Type, ...]

    @property
    def dropped(self) -> range:
        """The arguments that are known."""
        return range(self.tokens, self.tokens + len(self.sizes))


def use_of(call: Call, operands: Sequence[Value], values_of: Mapping[Value[Type], object]) -> Use:
    """How a call with these operands uses the function."""
    types: list[Type] = [value.type for value in operands]
    tokens = next((i for i, t in enumerate(types) if not isinstance(t, TokenType)), len(types))
    sizes: list[int] = []
    for value in operands[tokens:]:
        if not is_size(value.type) or value not in values_of:
            break
        sizes.append(int(np.asarray(values_of[value])))
    kept = types[:tokens] + types[tokens + len(sizes) :]
    return Use(call.callee, tokens, tuple(sizes), tuple(kept))


def is_size(value_type: Type) -> bool:
    """Whether this is a type of single integers."""
    return (
        isinstance(value_type, TensorType)
        and not value_type.shape
        and isinstance(value_type.element_type, IntegerType)
    )


class RefinedFunctions:
    """The functions of a module, as they were and as they are refined.

    The entry may be another function of its name: the declared one with other argument types.

    Attributes:
        declared: The functions by name.
        needed: Names of functions that stay as they are.
        used_names: The names of functions, declared and refined.
        refined_names: The declared functions that have been refined.
    """

    def __init__(self, module: Module, entry: FuncOp) -> None:
        self.declared = {
            operation.symbol: operation
            for operation in module.body.operations
            if isinstance(operation, FuncOp)
        }
        self.declared[entry.symbol] = entry
        self.needed = self.unrefined_callees(entry) - {entry.symbol}
        self.used_names = FreshNames(self.declared)
        self.refined_names: set[str] = set()

    def unrefined_callees(self, entry: FuncOp) -> set[str]:
        """The functions that something calls which is not refined."""
        refined: set[str] = set()
        named: list[str] = []
        pending = [entry.symbol]
        while pending:
            name = pending.pop()
            if name in refined or name not in self.declared:
                continue
            refined.add(name)
            for operation in self.declared[name].walk():
                called = refined_symbol(operation)
                if called is None:
                    named += all_symbols(operation)
                else:
                    pending.append(called)
        others = [name for name in self.declared if name not in refined]
        return reachable_functions([*others, *named], self.declared)

    def function(self, name: str, caller: Operation) -> FuncOp:
        """The function that is called.

        Raises:
            UnsupportedError: It has no body, or one of several blocks.
        """
        function = self.declared.get(name)
        if function is None or len(function.body.blocks) != 1:
            message = f"@{name} has no body of one block: its types cannot be refined"
            raise UnsupportedError(message, caller.span)
        return function

    def new_name(self, use: Use) -> str:
        """A name for a function that is refined for another use than all before."""
        stays = use.name in self.refined_names or use.name in self.needed
        self.refined_names.add(use.name)
        return self.used_names.with_number(use.name) if stays else use.name


def refined_symbol(operation: Operation) -> str | None:
    """The function that an operation calls, if it is refined with the operation."""
    match operation:
        case Call():
            return operation.callee
        case Composite():
            return operation.decomposition
        case _:
            return None


def all_symbols(operation: Operation) -> Sequence[str]:
    """Everything that the attributes of an operation name."""
    attributes = operation.attributes
    return (
        [name for value in attributes.values() for name in symbols_in(value)] if attributes else ()
    )


def symbols_in(attribute: Attribute) -> Sequence[str]:
    """The names in an attribute."""
    match attribute:
        case SymbolAttribute():
            return (attribute.root,)
        case ArrayAttribute():
            return [name for item in attribute.items for name in symbols_in(item)]
        case DictionaryAttribute():
            return [name for item in attribute.values() for name in symbols_in(item)]
        case _:
            return ()


def reachable_functions(names: Sequence[str], functions: Mapping[str, FuncOp]) -> set[str]:
    """These functions and those that they name, directly or not."""
    reached: set[str] = set()
    pending = [name for name in names if name in functions]
    while pending:
        name = pending.pop()
        if name not in reached:
            reached.add(name)
            for operation in functions[name].walk():
                pending += [symbol for symbol in all_symbols(operation) if symbol in functions]
    return reached


def without_positions(stored: Attribute | None, dropped: Sequence[int]) -> Attribute | None:
    """A list with an item for each argument, without those of some arguments."""
    if not isinstance(stored, ArrayAttribute):
        return stored
    return ArrayAttribute(tuple(x for i, x in enumerate(stored.items) if i not in dropped))


def function_attributes(
    function: FuncOp, name: str, dropped: Sequence[int]
) -> dict[str, Attribute]:
    """The attributes of a function under another name, without some arguments."""
    attributes = dict(function.attributes)
    if name != function.symbol:
        attributes["sym_visibility"] = StringAttribute("private")
    attributes["sym_name"] = StringAttribute(name)
    left = without_positions(attributes.get("arg_attrs"), dropped)
    if left is not None:
        attributes["arg_attrs"] = left
    return attributes
