"""stablehlo.async_start and stablehlo.async_done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stablemate.dialects.stablehlo.reducers import returned_values
from stablemate.ir import request as requests
from stablemate.ir.definition import (
    Check,
    Op,
    RegionFunction,
    RequestOp,
    constraint,
    define,
    has_trait,
    holds,
    op,
)
from stablemate.ir.kinds import FUTURE_VALUE, PER_TENSOR_QUANTIZED, TENSOR
from stablemate.ir.request import OperationFuture, Process, ProcessFunction
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import FutureType, Type


@op(
    "stablehlo.async_start",
    isolated=True,
    effects=True,
    family=Family.CONTROL,
    traits=Trait.STRUCTURED,
)
class AsyncStart(Op):
    """Starts the operation in ``body``; ``async_done`` waits for its results.

    Source: StableHLO specification, async_start.
    """

    __slots__ = ()
    opcodes = ("async-start", "all-reduce-start", "all-gather-start")
    inputs = define.variadic("I1", TENSOR | PER_TENSOR_QUANTIZED).with_name("operands")
    body = define.region("I2")
    result = define.result(FUTURE_VALUE, element_type="C4", shape="C4")

    @constraint
    def c1(self) -> Check:
        """body contains a single operation and a return of its result"""
        names = [operation.name for operation in self.body.block.operations]
        returned = len(returned_values(self.body))
        return holds(len(names) == 2 and returned == 1, body=names, returned=returned)

    @constraint
    def c2(self) -> Check:
        """The operation in body is a collective or a slice"""
        operation = self.body.block.operations[0]
        return holds(has_trait(operation, Trait.ASYNCHRONOUS), operation=operation.name)

    @constraint
    def c3(self) -> Check:
        """type(arguments(body)...) = type(operands...)"""
        arguments: list[Type] = [argument.type for argument in self.body.block.arguments]
        operands: list[Type] = [value.type for value in self.inputs]
        return holds(arguments == operands, arguments=arguments, operands=operands)

    def infer(self) -> FutureType:
        """C4: the future of what the body returns."""
        return FutureType((returned_values(self.body)[0].type,))

    def evaluate(
        self, *operands: object, regions: Sequence[RegionFunction] = ()
    ) -> OperationFuture:
        """An operation without requests is executed at once."""
        return OperationFuture(regions[0](*operands))

    def prepare_process(self, regions: Sequence[ProcessFunction]) -> ProcessFunction:
        """An operation that issues requests runs concurrently with the process that starts it."""
        body = regions[0]

        def start(*operands: object) -> Process:
            future = yield requests.StartRequest(self, body(*operands))
            return future

        return start


@op("stablehlo.async_done", effects=True, family=Family.CONTROL, traits=Trait.FREE)
class AsyncDone(RequestOp):
    """Waits for an operation that ``async_start`` started, and returns its results.

    Source: StableHLO specification, async_done.
    """

    __slots__ = ()
    opcodes = ("async-done", "all-reduce-done", "all-gather-done")
    operand = define.operand("I1", FUTURE_VALUE)
    result = define.result(TENSOR | PER_TENSOR_QUANTIZED, element_type="C1", shape="C1")

    @constraint
    def c1(self) -> Check:
        """operand is a future of one value"""
        return holds(len(self.operand.type.types) == 1, operand=self.operand.type)

    def infer(self) -> Type:
        """C1: the types in the future."""
        return self.operand.type.types[0]

    def request(
        self, operands: Sequence[Any], regions: Sequence[RegionFunction]
    ) -> requests.DoneRequest:
        """Requests the results of the started operation."""
        return requests.DoneRequest(self, operands[0])
