"""Calls, loops, branches, order.

Source: XLA, operation semantics, "Call", "While", "Conditional", "OptimizationBarrier",
"AfterAll".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from stablemate.diagnostics.errors import ArgumentTypeError
from stablemate.xla.builder.argument_types import Computation, Operand
from stablemate.xla.builder.core import Core, creates
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.renaming import renamed_arguments
from stablemate.xla.builder.values import items_of
from stablemate.xla.shape import TOKEN_SHAPE


def dictionary_text(attributes: Mapping[str, object]) -> str:
    """A dictionary in MLIR's syntax: ``{n = 1 : i64}``."""
    entries = [f"{name} = {text_of(attribute)}" for name, attribute in attributes.items()]
    return f"{{{', '.join(entries)}}}"


def text_of(value: object) -> str:
    """A value of Python as an attribute in MLIR's syntax."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value} : i64"
        case float():
            return f"{value:e} : f64"
        case str():
            escaped = value.replace("\\", "\\5C").replace('"', "\\22").replace("\n", "\\0A")
            return f'"{escaped}"'
        case Mapping():
            return dictionary_text(cast(Mapping[str, object], value))
        case list() | tuple():
            return f"[{', '.join(map(text_of, cast(Sequence[object], value)))}]"
        case _:
            message = "attributes are numbers, strings, lists and mappings"
            raise ArgumentTypeError(f"{message}, not {type(value).__name__}")


class ControlFlow(Core):
    """Methods that decide what runs, and when."""

    @creates("func.call")
    def call(self, computation: Computation, *args: Operand | Sequence[Operand]) -> XlaOp:
        """The result of a computation; arguments one by one, or one sequence of them."""
        operands = self.spread(args)
        shapes = [self.shape(operand) for operand in operands]
        name = self.computation(computation, shapes, "callee")
        return self.add_instruction("call", operands, {"to_apply": name})

    @creates("stablehlo.composite")
    def composite_call(
        self,
        computation: Computation,
        args: Sequence[Operand],
        name: str,
        attributes: Mapping[str, object] | str | None = None,
        version: int = 0,
    ) -> XlaOp:
        """A call of the decomposition of a composite operation.

        Args:
            computation: What the operation means.
            args: Its operands.
            name: The name of the operation.
            attributes: Its attributes, as a mapping of Python values or as MLIR's text of one.
            version: The version of the operation.
        """
        operands = [self.handle(argument) for argument in args]
        shapes = [self.shape(operand) for operand in operands]
        attribute_text = (
            attributes if isinstance(attributes, str) else dictionary_text(attributes or {})
        )
        frontend = {
            "composite.attributes": attribute_text,
            "composite.name": name,
            "composite.version": str(version),
        }
        callee = self.computation(computation, shapes, "composite")
        call_attributes = {
            "to_apply": callee,
            "is_composite": True,
            "frontend_attributes": frontend,
        }
        return self.add_instruction("call", operands, call_attributes)

    @creates("stablehlo.while")
    def while_(self, condition: Computation, body: Computation, init: Operand) -> XlaOp:
        """The value after ``body`` was applied as long as ``condition`` held.

        A sequence of values is a tuple; functions get it as one handle.
        """
        start = self.root_of(init)
        shape = self.shape(start)
        attributes = {
            "condition": self.computation(condition, [shape], "condition"),
            "body": self.computation(body, [shape], "body"),
        }
        return self.add_instruction("while", [start], attributes)

    @renamed_arguments(
        branch_index="pred", branch_computations="true_operand", branch_operands="true_computation"
    )
    @creates("stablehlo.case")
    def conditional(
        self,
        pred: Operand,
        true_operand: object,
        true_computation: Any,
        false_operand: Operand = None,
        false_computation: Computation = None,
    ) -> XlaOp:
        """The result of one of several computations of one argument each.

        ``conditional(pred, true_operand, true_computation, false_operand, false_computation)``, or
        ``conditional(branch_index, branch_computations, branch_operands)``: an index that is none
        of the branches takes the last one.
        """
        branches = items_of(true_operand)
        if false_computation is None and branches is not None:
            return self.switch(pred, branches, true_computation)
        operands = [self.handle(pred), self.root_of(true_operand), self.root_of(false_operand)]
        first, second = (self.shape(operand) for operand in operands[1:])
        attributes = {
            "true_computation": self.computation(true_computation, [first], "on_true"),
            "false_computation": self.computation(false_computation, [second], "on_false"),
        }
        return self.add_instruction("conditional", operands, attributes)

    def switch(
        self,
        branch_index: Operand,
        branch_computations: Sequence[Computation],
        branch_operands: Sequence[Operand],
    ) -> XlaOp:
        """Adds a ``conditional`` that selects one of many computations by an index."""
        arguments = [self.root_of(branch_operand) for branch_operand in branch_operands]
        counts = len(arguments) == len(branch_computations) > 0
        message = "there is an operand for each branch, and at least one"
        values = {"computations": len(branch_computations), "operands": len(arguments)}
        self.require(counts, message, "conditional", **values)
        names = [
            self.computation(branch_computation, [self.shape(argument)], "branch")
            for branch_computation, argument in zip(branch_computations, arguments, strict=True)
        ]
        operands = [self.handle(branch_index), *arguments]
        attributes = {"branch_computations": tuple(names)}
        return self.add_instruction("conditional", operands, attributes)

    def optimization_barrier(self, operand: Operand | Sequence[Operand]) -> XlaOp:
        """The operand; nothing is moved across. Several are a tuple."""
        return self.add_instruction("opt-barrier", [self.root_of(operand)])

    def after_all(self, *operands: XlaOp | Sequence[XlaOp]) -> XlaOp:
        """A token ordered after all these tokens."""
        tokens = self.spread(operands)
        self.require(bool(tokens), "there is at least one token", "after-all")
        for token in tokens:
            shape = self.shape(token)
            self.require(shape == TOKEN_SHAPE, "operands are tokens", "after-all", operand=shape)
        return self.add_instruction("after-all", tokens)

    def create_token(self) -> XlaOp:
        """Adds an ``after-all`` without operands, a token that depends on nothing."""
        return self.add_instruction("after-all")

    def spread(self, operands: Sequence[Operand | Sequence[Operand]]) -> list[XlaOp]:
        """Operands that were passed one by one, or as one sequence."""
        listed = items_of(operands[0]) if len(operands) == 1 else None
        return [self.handle(operand) for operand in (operands if listed is None else listed)]
