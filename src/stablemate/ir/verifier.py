"""The verifier: structure, then each operation's declaration, constraints and inferred types.

Source: StableHLO specification, "Programs" and the constraints of each operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.ir.attributes import TypeAttribute
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.definition import (
    Op,
    OperationDefinition,
    Result,
    ValueField,
    VariadicRegion,
    VariadicResult,
    definition_of,
    fact_texts,
    inferred_types,
    operand_sizes,
)
from stablemate.ir.discardable import broken_rules
from stablemate.ir.dominance import undominated_operands
from stablemate.ir.shapes import compatible
from stablemate.ir.type_rules import TypeChecker, rule_diagnostic
from stablemate.ir.types import TensorType, Type


def verify(module: Module) -> None:
    """Checks a whole module.

    Raises:
        VerifyError: It breaks rules; the error carries one diagnostic per operation that does.
    """
    diagnostics = diagnose(module.operation)
    if diagnostics:
        raise VerifyError(diagnostics)


def diagnose(top: Operation) -> list[Diagnostic]:
    """Diagnostics of an operation and those inside it, at most one for each operation."""
    diagnostics: list[Diagnostic] = []
    types = TypeChecker()
    for operation in top.walk():
        if types.broken and any(id(value.type) in types.broken for value in operation.operands):
            continue  # reported where the value is produced
        diagnostics += first_finding(type_violations(operation, types)) or first_finding(
            operation_violations(operation)
        )
    if not diagnostics:
        diagnostics += [
            rule_violation(
                operation, "", "every operand is defined before its use", f"operand {position}"
            )
            for operation, position in undominated_operands(top)
        ]
    return diagnostics


def first_finding(findings: Iterator[Diagnostic]) -> list[Diagnostic]:
    """The first finding, if there is one: later rules may assume earlier ones."""
    return [diagnostic for _, diagnostic in zip(range(1), findings, strict=False)]


def rule_violation(
    operation: Operation, label: str, message: str, part: str = "", /, **values: object
) -> Diagnostic:
    """The diagnostic of a broken rule."""
    rule = f"{operation.name} {label}" if label else operation.name
    span = operation.part(part) if part else operation.span
    return Diagnostic(message, rule=rule, span=span, values=values)


def type_violations(operation: Operation, types: TypeChecker) -> Iterator[Diagnostic]:
    """The rules that types of results, block arguments and attributes break."""
    for value in operation.results:
        yield from type_violation(operation, value.type, types, "types")
    for name, attribute in operation.attributes.items():
        if isinstance(attribute, TypeAttribute):
            yield from type_violation(operation, attribute.type, types, name)
    for region in operation.regions:
        for block in region.blocks:
            for argument in block.arguments:
                yield from type_violation(operation, argument.type, types, "operation")


def type_violation(
    operation: Operation, value_type: Type, types: TypeChecker, part: str
) -> Iterator[Diagnostic]:
    """The rule that a type in one part of an operation breaks."""
    if (violated := types.broken_rule(value_type)) is not None:
        yield rule_diagnostic(violated, operation.part(part))


def operation_violations(operation: Operation) -> Iterator[Diagnostic]:
    """The rules that one operation breaks."""
    definition = definition_of(operation)
    yield from operand_violations(operation, definition)
    yield from attribute_violations(operation, definition)
    yield from region_violations(operation, definition)
    yield from result_violations(operation, definition)
    yield from constraint_violations(operation, definition)
    yield from inference_violations(operation, definition)
    if operation.discardable:
        yield from discardable_violations(operation)


def discardable_violations(operation: Operation) -> Iterator[Diagnostic]:
    """The rules of dialects for their attributes on operations of other dialects."""
    for name, rule in broken_rules(operation):
        label = f"{name} {rule.label}".rstrip()
        yield rule_violation(operation, label, rule.formula, "", **fact_texts(rule.violation))


def operand_violations(
    operation: Operation, definition: OperationDefinition
) -> Iterator[Diagnostic]:
    """Number and types of the operands."""
    sizes = operand_sizes(operation)
    if not sizes and (definition.operands or operation.operands):
        names = ", ".join(field_text(field) for field in definition.operands) or "none"
        message = f"expected the operands {names}"
        yield rule_violation(operation, "", message, number=len(operation.operands))
        return
    position = 0
    for field, size in zip(definition.operands, sizes, strict=True):
        for value in operation.operands[position : position + size]:
            if not field.types.accepts(value.type):
                message = f"{field.name} is a {field.types.description}"
                part = f"operand {position}"
                yield rule_violation(
                    operation, field.label, message, part, **{field.name: value.type}
                )
            position += 1


def field_text(field: ValueField) -> str:
    """A field's name, with its arity."""
    return {"one": field.name, "optional": f"{field.name}?", "variadic": f"{field.name}..."}[
        field.arity
    ]


def attribute_violations(
    operation: Operation, definition: OperationDefinition
) -> Iterator[Diagnostic]:
    """Presence and kinds of the declared attributes."""
    attributes = operation.attributes
    for name, field in definition.attributes.items():
        attribute = attributes.get(name)
        if attribute is None:
            if field.required:
                message = f"expected the attribute {name}, a {field.kind.description}"
                yield rule_violation(operation, field.label, message)
        elif not field.kind.accepts(attribute):
            message = f"{name} is a {field.kind.description}"
            yield rule_violation(operation, field.label, message, name, **{name: attribute})


def region_violations(
    operation: Operation, definition: OperationDefinition
) -> Iterator[Diagnostic]:
    """Number of regions, terminators of their blocks, and that nothing jumps between blocks."""
    if operation.successors:
        number = len(operation.successors)
        yield rule_violation(operation, "", "no operation has successors", number=number)
    fields, regions = definition.regions, operation.regions
    variadic = bool(fields) and isinstance(fields[-1], VariadicRegion)
    if len(regions) < len(fields) - variadic or (len(regions) > len(fields) and not variadic):
        names = ", ".join(field.name for field in fields) or "none"
        yield rule_violation(operation, "", f"expected the regions {names}", number=len(regions))
        return
    for i, region in enumerate(regions):
        field = fields[min(i, len(fields) - 1)]
        if not region.blocks and not field.empty:
            yield rule_violation(operation, field.label, f"{field.name} has a block")
        if len(region.blocks) > 1 and not field.several:
            blocks = len(region.blocks)
            yield rule_violation(
                operation, field.label, f"{field.name} has one block", blocks=blocks
            )
        for block in region.blocks:
            for inner in block.operations[:-1]:
                if inner.definition.terminator:
                    yield rule_violation(
                        inner, "", "a terminator is the last operation of its block"
                    )
            ended = bool(block.operations) and block.operations[-1].definition.terminator
            if field.terminated and not ended:
                yield rule_violation(operation, field.label, f"{field.name} ends with a terminator")


def result_violations(
    operation: Operation, definition: OperationDefinition
) -> Iterator[Diagnostic]:
    """Number and types of the results."""
    fields, count = definition.results, len(operation.results)
    variadic = any(isinstance(field, VariadicResult) for field in fields)
    if count < len(fields) - variadic or (count > len(fields) and not variadic):
        names = ", ".join(field_text(field) for field in fields) or "none"
        yield rule_violation(operation, "", f"expected the results {names}", number=count)
        return
    for field, value in fields_of_results(operation, definition):
        if not field.types.accepts(value.type):
            message = f"{field.name} is a {field.types.description}"
            yield rule_violation(
                operation, field.element_type, message, "types", **{field.name: value.type}
            )


def fields_of_results(
    operation: Operation, definition: OperationDefinition
) -> Iterator[tuple[Result[Any] | VariadicResult[Any], Value[Any]]]:
    """Each result with its field."""
    for field in definition.results:
        field_value = getattr(operation, field.name)
        values: Sequence[Value[Any]] = (
            field_value if isinstance(field, VariadicResult) else (field_value,)
        )
        for value in values:
            yield field, value


def constraint_violations(
    operation: Operation, definition: OperationDefinition
) -> Iterator[Diagnostic]:
    """The numbered constraints."""
    for constraint in definition.constraints:
        violation = constraint.check(operation)
        if violation is not None:
            values = fact_texts(violation)
            yield rule_violation(operation, constraint.label, constraint.formula, "", **values)


def inference_violations(
    operation: Operation, definition: OperationDefinition
) -> Iterator[Diagnostic]:
    """Declared result types against inferred ones."""
    inferred = inferred_types(operation)
    if inferred is None:
        return
    if len(inferred) != len(operation.results):
        counts = {"results": len(operation.results), "expected": len(inferred)}
        message = "the number of results follows from the operands"
        yield rule_violation(operation, "", message, "", **counts)
        return
    is_exact = isinstance(operation, Op) and operation.exact
    pairs = zip(fields_of_results(operation, definition), inferred, strict=True)
    for (field, value), expected in pairs:
        if value.type != expected and (is_exact or not compatible(value.type, expected)):
            label = label_of_mismatch(field, value.type, expected)
            message = f"{field.name} has the type that follows from the operands"
            values = {"type": value.type, "expected": expected}
            yield rule_violation(operation, label, message, "types", **values)


def label_of_mismatch(
    field: Result[Any] | VariadicResult[Any], declared: Type, expected: Type
) -> str:
    """The constraint that a wrong result type breaks."""
    if (
        isinstance(declared, TensorType)
        and isinstance(expected, TensorType)
        and declared.element_type != expected.element_type
    ):
        return field.element_type
    return field.shape or field.element_type
