"""The interpreter dialect: grids of programs within a program, and inspection of its values.

Source: StableHLO's interpreter dialect, which its test programs are written with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError
from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.func import FuncOp
from stablemate.ir import request as requests
from stablemate.ir.definition import (
    Check,
    RegionFunction,
    RequestOp,
    constraint,
    define,
    holds,
    op,
)
from stablemate.ir.kinds import ANY_TENSOR, STRING, SYMBOL, TOKEN_VALUE, list_kind
from stablemate.ir.shapes import compatible
from stablemate.ir.types import TensorType, Type


@op("interpreter.run_parallel", effects=True)
class RunParallel(RequestOp):
    """Runs a grid of functions, each as a process.

    results = those of the process (0, 0), then those of (0, 1), and so on; ``inputs`` likewise.
    ``programs`` has a row for each replica. Each function of ``infeed`` returns one record of the
    infeed, which all processes share.

    Source: interpreter dialect, run_parallel.
    """

    __slots__ = ()
    inputs = define.variadic("", ANY_TENSOR | TOKEN_VALUE)
    infeed = define.optional_attribute("", list_kind(SYMBOL))
    programs = define.attribute("", list_kind(list_kind(SYMBOL)))
    outputs = define.variadic_result(ANY_TENSOR | TOKEN_VALUE).with_name("results")

    @constraint("programs")
    def is_a_grid(self) -> Check:
        """The rows of programs have one length, which is not 0"""
        sizes = [len(row) for row in self.programs]
        fits = bool(sizes) and sizes[0] > 0 and len(set(sizes)) == 1
        return holds(fits, sizes=sizes)

    @constraint("functions")
    def functions_exist(self) -> Check:
        """Programs are functions of the module"""
        names = [name for row in self.programs for name in row]
        unknown = [f"@{name}" for name in names if self.function(name) is None]
        return holds(not unknown, unknown=unknown)

    @constraint("inputs")
    def inputs_fit(self) -> Check:
        """There are as many inputs as the programs take"""
        expected = sum(len(function.type.inputs) for function in self.functions)
        return holds(len(self.inputs) == expected, inputs=len(self.inputs), expected=expected)

    @constraint("results")
    def results_fit(self) -> Check:
        """There are as many results as the programs give"""
        expected = sum(len(function.type.results) for function in self.functions)
        return holds(len(self.results) == expected, results=len(self.results), expected=expected)

    @constraint("infeed")
    def infeed_fits(self) -> Check:
        """Infeed has functions of the module that give one tensor each"""
        if self.infeed is None:
            return None
        functions = {name: self.function(name) for name in self.infeed}
        unfit = [
            f"@{name}" for name, function in functions.items() if not returns_one_tensor(function)
        ]
        return holds(bool(functions) and not unfit, functions=len(functions), unfit=unfit)

    def function(self, name: str) -> FuncOp | None:
        """The function of this name."""
        operation = find_symbol(self, name)
        return operation if isinstance(operation, FuncOp) else None

    @property
    def functions(self) -> Iterator[FuncOp]:
        """The functions that run, replica-major; they exist."""
        for row in self.programs:
            for name in row:
                function = self.function(name)
                assert function is not None
                yield function

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.Spawn:
        """Requests a run of the grid.

        Raises:
            EvaluationError: Inputs or results have other types than the programs.
        """
        arguments: list[Sequence[object]] = []
        inputs: list[Type] = []
        results: list[Type] = []
        for function in self.functions:
            start, end = len(inputs), len(inputs) + len(function.type.inputs)
            arguments.append(operands[start:end])
            inputs += function.type.inputs
            results += function.type.results
        self.require("inputs", [value.type for value in self.inputs], inputs)
        self.require("results", [value.type for value in self.results], results)
        return requests.Spawn(self, self.programs, arguments, self.infeed or ())

    def require(self, what: str, actual: Sequence[Type], expected: Sequence[Type]) -> None:
        """Ends the run unless values have the types of the programs."""
        for i, (own, other) in enumerate(zip(actual, expected, strict=True)):
            if not compatible(own, other):
                message = f"{what} have the types that the programs say"
                values = {f"{what}[{i}]": own, "program": other}
                raise EvaluationError(Diagnostic(message, self.name, self.span, values))


def returns_one_tensor(function: FuncOp | None) -> bool:
    """Whether a function has one result, which is a tensor."""
    if function is None:
        return False
    results = function.type.results
    return len(results) == 1 and isinstance(results[0], TensorType)


@op("interpreter.print", effects=True)
class Print(RequestOp):
    """Prints the name of ``operand``, its type and its elements.

    Source: interpreter dialect, print.
    """

    __slots__ = ()
    operand = define.operand("", ANY_TENSOR)
    assembly = "$operand attr-dict `:` type($operand)"

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.PrintRequest:
        """Requests that the operand is printed."""
        return requests.PrintRequest(self, operands[0])


@op("interpreter.probe", effects=True)
class Probe(RequestOp):
    """Records ``operand`` under ``probe_id``, and returns it.

    Source: interpreter dialect, probe.
    """

    __slots__ = ()
    exact = True
    operand = define.operand("", ANY_TENSOR)
    probe_id = define.attribute("", STRING)
    result = define.result(ANY_TENSOR)
    assembly = "$operand `,` `probe_id` `=` $probe_id attr-dict `:` same-type"

    def infer(self) -> TensorType:
        """The type of the operand."""
        return self.operand.type

    def request(
        self, operands: Sequence[object], regions: Sequence[RegionFunction]
    ) -> requests.ProbeRequest:
        """Requests that the operand is recorded."""
        return requests.ProbeRequest(self, operands[0], self.probe_id)
