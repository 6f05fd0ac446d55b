"""Creates operations and verifies them at once.

What breaks a constraint is refused with its rule, before any formula that relies on it is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.ir.builder import create
from stablemate.ir.core import Operation
from stablemate.ir.definition import (
    OperationDefinition,
    definition_of,
    inferred_types,
)
from stablemate.ir.types import Type
from stablemate.ir.verifier import (
    attribute_violations,
    constraint_violations,
    inference_violations,
    operand_violations,
    region_violations,
    result_violations,
)


def create_operation(
    cls: type[Operation], results: Sequence[Type] | None, **fields: Any
) -> Operation:
    """A new operation.

    Args:
        cls: Its class.
        results: Its result types; inferred if not given.
        **fields: As ``ir.builder.create`` takes them.

    Raises:
        VerifyError: It breaks a rule.
    """
    operation = create(cls, results=results or (), **fields)
    definition = definition_of(cls)
    refuse_first(broken_inputs(operation, definition))
    failure = None if results is not None else infer_results(operation)
    refuse_first(constraint_violations(operation, definition))
    if failure is not None:
        raise failure  # no constraint is broken: the formula itself is wrong
    if results is not None:
        refuse_first(result_violations(operation, definition))
        refuse_first(inference_violations(operation, definition))
    return operation


def broken_inputs(operation: Operation, definition: OperationDefinition) -> Iterator[Diagnostic]:
    """The errors in operands, attributes and regions."""
    yield from operand_violations(operation, definition)
    yield from attribute_violations(operation, definition)
    yield from region_violations(operation, definition)


def infer_results(operation: Operation) -> Exception | None:
    """Sets the results of the operation that its operands determine.

    Inference may assume the constraints; where one is broken it may fail in any way. Then the
    results are placeholders, so that constraints can be asked, and what it raised is returned.
    """
    try:
        operation.set_result_types(inferred_types(operation) or ())
    except Exception as failure:
        operation.set_result_types([operand.type for operand in operation.operands])
        return failure
    return None


def refuse_first(findings: Iterator[Diagnostic]) -> None:
    """Raises the first finding, if there is one.

    Raises:
        VerifyError: There is one.
    """
    finding = next(findings, None)
    if finding is not None:
        raise VerifyError(finding)
