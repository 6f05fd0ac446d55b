"""Lowers special functions of JAX to composites that keep their names.

JAX lowers them to operations of CHLO, which portable artifacts do not have. Of most of these
operations jaxlib writes composites with their names; the others it decomposes into operations of
StableHLO, each of which rounds: lgamma of a subnormal number is off by thousands of units then.
Here a composite takes the place of the operation, which becomes its decomposition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, Final, Protocol, TypeAlias

from stablemate.bridges import jax_internals
from stablemate.transforms.chlo_recompose_ops import VERSION

Rule: TypeAlias = Callable[..., object]  # of JAX: from a context and operands to results


class MlirValue(Protocol):
    """A value of MLIR, ``ir.Value``."""

    @property
    def type(self) -> object:
        """The type of the value, an ``ir.Type`` of jaxlib."""
        ...


class FunctionOperation(Protocol):
    """A function of MLIR, ``func.FuncOp``."""

    type: Any
    name: Any
    arguments: Sequence[MlirValue]

    def add_entry_block(self) -> object:
        """Its block, which takes its arguments."""
        ...


class SymbolTable(Protocol):
    """The functions of a module by name, ``ir.SymbolTable``."""

    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, name: str, /) -> FunctionOperation: ...
    def insert(self, function: FunctionOperation, /) -> object:
        """Adds a function behind those that a module has."""
        ...


class FunctionPlaces(Protocol):
    """Where functions of a module that JAX lowers are added, ``mlir.ModuleContext``."""

    @property
    def symbol_table(self) -> SymbolTable:
        """The functions of the module by their names."""
        ...

    @property
    def ip(self) -> object:
        """The point of a module where its functions are inserted."""
        ...


class CompositeContext(Protocol):
    """The context of a rule, ``mlir.LoweringRuleContext``, as far as composites need it."""

    @property
    def module_context(self) -> FunctionPlaces:
        """The module that is lowered, which all rules share."""
        ...


# Operations that jaxlib decomposes.
DECOMPOSED: Final = (
    "bessel_i1e", "digamma", "erf_inv", "erfc", "lgamma", "polygamma", "zeta",
)  # fmt: skip


@cache
def lowering_rules() -> Sequence[tuple[object, Rule, Rule]]:
    """The primitives of these functions, each with JAX's own rule and with that for a composite.

    The rules are always the same objects: JAX keeps lowered functions by them.
    """
    return [
        (primitive, rule, composite_rule(name, rule))
        for name in DECOMPOSED
        for primitive, rule in [common_rule(name)]
        if hasattr(rule, "func")
    ]


def common_rule(name: str) -> tuple[object, partial[object]]:
    """The primitive of a function, and JAX's rule for all platforms, a ``functools.partial``."""
    mlir = jax_internals.mlir()
    special = jax_internals.special()

    primitive = getattr(special, f"{name}_p")
    entry = mlir._lowerings[primitive]
    return primitive, getattr(entry, "rule", entry)  # the rule itself before JAX 0.7


def composite_rule(name: str, rule: partial[object]) -> Rule:
    """The rule that creates a composite, from the rule that creates an operation of CHLO."""
    create, *others = rule.args

    def lower(ctx: CompositeContext, *operands: MlirValue, **parameters: object) -> object:
        function = partial(composite, ctx, f"chlo.{name}", create)
        return rule.func(function, *others, ctx, *operands, **rule.keywords, **parameters)

    return lower


def composite(
    ctx: CompositeContext, name: str, create: Callable[..., object], *operands: MlirValue
) -> object:
    """The result of a composite whose decomposition is an operation.

    Args:
        ctx: The context of a rule.
        name: The name of the operation.
        create: Creates the operation.
        *operands: Its operands.
    """
    ir = jax_internals.ir()
    stablehlo = jax_internals.stablehlo()

    function = decomposition(ctx.module_context, name, create, [x.type for x in operands])
    return stablehlo.CompositeOp(
        function.type.results,
        operands,
        name=ir.StringAttr.get(name),
        decomposition=ir.FlatSymbolRefAttr.get(function.name.value),
        version=ir.IntegerAttr.get(ir.IntegerType.get_signless(32), VERSION),
    ).result


def decomposition(
    context: FunctionPlaces, name: str, create: Callable[..., object], types: list[object]
) -> FunctionOperation:
    """The private function that applies an operation to such operands; one for each type."""
    ir = jax_internals.ir()
    func = jax_internals.func()

    symbol = re.sub(r"\W+", "_", "_".join([name, *map(str, types)])).strip("_")
    if symbol in context.symbol_table:
        return context.symbol_table[symbol]
    function: FunctionOperation = func.FuncOp(
        symbol, (types, types[:1]), visibility="private", ip=context.ip
    )
    context.symbol_table.insert(function)
    with ir.InsertionPoint(function.add_entry_block()):
        func.ReturnOp([create(*function.arguments)])
    return function
