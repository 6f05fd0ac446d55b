"""The verifier: structure, then each operation's declaration, constraints and inferred types.

What upstream's verifier rejects, or what has no meaning, is an error. What the specification
forbids and upstream accepts is a warning; `upstream_leniency` has the rules.

Source: StableHLO specification, "Programs" and the constraints of each operation.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from stablemate.diagnostics.articles import article
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.ir.attributes import TypeAttribute
from stablemate.ir.core import Block, BlockArgument, Module, Operation, OpResult, Value
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
    is_size_list,
    operand_sizes,
    size_list_rule,
)
from stablemate.ir.discardable import broken_rules
from stablemate.ir.equality import VerifiedForms
from stablemate.ir.shapes import compatible
from stablemate.ir.type_rules import LENIENT_TYPES, TypeChecker, rule_diagnostic
from stablemate.ir.types import FutureType, TensorType, Type
from stablemate.ir.verification.diagnostic_order import (
    TERMINATED,
    has_implicit_terminator,
    is_found_by_parser,
    order_findings,
)
from stablemate.ir.verification.dominance import undominated_operands
from stablemate.ir.verification.upstream_leniency import (
    has_meaning,
    is_accepted_upstream,
    passes_values,
)

# What a rule may raise that assumes another rule, if that one is broken and accepted upstream.
ASSUMED: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)


def verify(module: Module, *, strict: bool = False) -> list[Diagnostic]:
    """Checks a whole module, and returns the warnings.

    Args:
        module: The module.
        strict: Whether warnings are errors.

    Raises:
        VerifyError: It breaks rules; the error carries at most one error for each operation.
    """
    diagnostics = diagnose(module.operation)
    errors = diagnostics if strict else errors_among(diagnostics)
    if errors:
        raise VerifyError([replace(error, severity="error") for error in errors])
    return diagnostics


def diagnose(top: Operation) -> list[Diagnostic]:
    """Diagnostics of an operation and those inside it: warnings, and one error for each."""
    found: list[tuple[Operation, Diagnostic]] = []
    types, verified = TypeChecker(), VerifiedForms()
    for operation in top.walk():
        form = verified.form_of(operation)
        if form is not None and form in verified.forms:
            continue
        findings = reported_findings(operation, types)
        if findings or types.broken:
            found += [(operation, finding) for finding in findings]
        elif form is not None:
            verified.forms.add(form)
    diagnostics = order_findings(top, found)
    if not errors_among(diagnostics):
        diagnostics += [
            rule_violation(
                operation, "", "every operand is defined before its use", f"operand {position}"
            )
            for operation, position in undominated_operands(top)
        ]
    return diagnostics


def reported_findings(operation: Operation, types: TypeChecker) -> Sequence[Diagnostic]:
    """The warnings and the first error of one operation as upstream orders them."""
    findings = findings_given_operands(operation, types)
    if errors_among(findings) and (earlier := found_by_parser(operation)) is not None:
        return [*(f for f in findings if f.severity == "warning"), earlier]
    return findings


def found_by_parser(operation: Operation) -> Diagnostic | None:
    """The error of an attribute that upstream's parser finds, before its verifier runs."""
    definition = definition_of(operation)
    if not definition.registered or not operation.parts:
        return None
    violations = attribute_violations(operation, definition)
    wrong = (v for v in violations if is_found_by_parser(operation, v))
    return next((v for v in wrong if not is_accepted_upstream(operation, v)), None)


def findings_given_operands(operation: Operation, types: TypeChecker) -> Sequence[Diagnostic]:
    """The warnings and the first error of one operation; its operands were checked before."""
    takes_invalid = types.broken and any(
        types.is_misused(value.type) for value in operation.operands
    )
    if takes_invalid and not passes_values(operation):
        return list(uses_of_lenient_types(operation, types))
    return findings_of(operation, types)


def uses_of_lenient_types(operation: Operation, types: TypeChecker) -> Iterator[Diagnostic]:
    """The error of an operation on a value of an invalid type, if it was a warning so far.

    Other invalid types were reported where the value is produced.
    """
    for position, value in enumerate(operation.operands):
        broken = types.broken.get(id(value.type))
        if broken is not None:
            violation = rule_diagnostic(broken, operation.part(f"operand {position}"))
            violation = with_operation(violation, operation)
            producer = producer_of(value)
            is_argument = isinstance(value, BlockArgument)
            if producer and (is_argument or is_accepted_upstream(producer, violation)):
                yield violation
                return


def producer_of(value: Value) -> Operation | None:
    """The operation whose result or block argument a value is."""
    match value:
        case OpResult():
            return value.operation
        case BlockArgument(block=block) if block.parent is not None:
            return block.parent.parent
        case _:
            return None


def errors_in(top: Operation) -> list[Diagnostic]:
    """The errors of an operation and those inside it, at most one for each operation."""
    return errors_among(diagnose(top))


def errors_among(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics that are errors."""
    return [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]


def findings_of(operation: Operation, types: TypeChecker) -> list[Diagnostic]:
    """The warnings and the first error of one operation, those of its types included."""
    findings = classify_violations(operation, type_violations(operation, types))
    if not errors_among(findings):
        findings += classify_violations(
            operation, passive_violations(operation, types), is_unused_or_accepted_upstream
        )
    return findings if errors_among(findings) else [*findings, *judged_rules(operation)]


def is_unused_or_accepted_upstream(operation: Operation, violation: Diagnostic) -> bool:
    """Whether upstream's verifier accepts a block argument or a future that breaks a rule of types.

    It checks the type of an argument where operations use it, and does not look into futures.
    """
    return violation.rule in LENIENT_TYPES or is_accepted_upstream(operation, violation)


def classify_violations(
    operation: Operation,
    violations: Iterable[Diagnostic],
    accepts: Callable[[Operation, Diagnostic], bool] = is_accepted_upstream,
) -> list[Diagnostic]:
    """Violations as warnings and errors, up to the first error: later rules assume earlier ones."""
    findings: list[Diagnostic] = []
    for violation in violations:
        findings.append(
            replace(violation, severity="warning") if accepts(operation, violation) else violation
        )
        if findings[-1].severity == "error":
            break
    return findings


def judged_rules(operation: Operation) -> list[Diagnostic]:
    """The warnings and the first error of one operation whose types are valid."""
    warnings: list[Diagnostic] = []
    return classify_violations(
        operation, collecting_warnings(operation_violations(operation, warnings), warnings)
    )


def collecting_warnings(
    violations: Iterable[Diagnostic], warnings: list[Diagnostic]
) -> Iterator[Diagnostic]:
    """Yields violations; appends each to a list if the consumer continues, so tolerates it."""
    for violation in violations:
        yield violation
        warnings.append(violation)


def operation_errors(operation: Operation) -> list[Diagnostic]:
    """The first error of one operation whose types are valid, if there is one."""
    return errors_among(judged_rules(operation))


def execution_errors(operation: Operation) -> list[Diagnostic]:
    """The errors that keep an operation with valid types from being executed."""
    return without_meaning(operation, judged_rules(operation))


def without_meaning(operation: Operation, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Those findings of an operation without which it could be executed, as errors."""
    return [
        replace(finding, severity="error")
        for finding in findings
        if finding.severity == "error" or not has_meaning(operation, finding)
    ]


def verify_executable(module: Module, unused: Collection[Operation] = ()) -> None:
    """Checks that every operation has a meaning, given that the module is accepted upstream.

    Args:
        module: The module.
        unused: Functions that are never called; they and what they hold need no meaning.

    Raises:
        VerifyError: Operations break rules without which they cannot be executed.
    """
    types = TypeChecker()
    left_out = {operation for function in unused for operation in function.walk()}
    errors = [
        error
        for operation in module.operation.walk()
        if operation not in left_out
        for error in without_meaning(operation, findings_of(operation, types))
    ]
    if errors:
        raise VerifyError(errors)


def rule_violation(
    operation: Operation, label: str, message: str, part: str = "", /, **values: object
) -> Diagnostic:
    """The diagnostic of a broken rule, at a part of an operation.

    If the part is on another line than the operation, the place is the operation, as in MLIR, and a
    note points at the part.
    """
    rule = f"{operation.name} {label}" if label else operation.name
    span, whole = operation.part(part) if part else operation.span, operation.span
    diagnostic = Diagnostic(message, rule=rule, span=span, values=values)
    if span is None or whole is None or whole.source.binary or span.line == whole.line:
        return diagnostic
    note = Diagnostic("the types are here" if part == "types" else f"{part} is here", span=span)
    return replace(diagnostic, span=whole, notes=(note,))


def with_operation(diagnostic: Diagnostic, operation: Operation) -> Diagnostic:
    """The diagnostic of a part, with a note at its operation if that begins on another line."""
    part, whole = diagnostic.span, operation.span
    if part is None or whole is None or whole.source.binary or part.line == whole.line:
        return diagnostic
    note = Diagnostic(f"the operation {operation.name} is here", span=whole)
    return replace(diagnostic, notes=(*diagnostic.notes, note))


def type_violations(operation: Operation, types: TypeChecker) -> Iterator[Diagnostic]:
    """The rules that types of attributes and results break, other than futures."""
    for value in operation.results:
        if not isinstance(value.type, FutureType):
            yield from type_violation(operation, value.type, types, "types")
    for name, attribute in operation.attributes.items():
        if isinstance(attribute, TypeAttribute):
            yield from type_violation(operation, attribute.type, types, name)


def passive_violations(operation: Operation, types: TypeChecker) -> Iterator[Diagnostic]:
    """The rules that types of futures and block arguments break."""
    for value in operation.results:
        if isinstance(value.type, FutureType):
            yield from type_violation(operation, value.type, types, "types")
    for region in operation.regions:
        for block in region.blocks:
            for argument in block.arguments:
                yield from type_violation(operation, argument.type, types, "operation")


def type_violation(
    operation: Operation, value_type: Type, types: TypeChecker, part: str
) -> Iterator[Diagnostic]:
    """The rule that a type in one part of an operation breaks."""
    if (violated := types.broken_rule(value_type)) is not None:
        yield with_operation(rule_diagnostic(violated, operation.part(part)), operation)


def operation_violations(
    operation: Operation, warnings: Sequence[Diagnostic] = ()
) -> Iterator[Diagnostic]:
    """The rules that one operation breaks.

    Args:
        operation: The operation.
        warnings: The rules so far that it breaks and upstream tolerates. While there are any, a
            rule that assumes them may be impossible to check, and is left out then.
    """
    definition = definition_of(operation)
    if not definition.registered:
        message = f"no dialect defines {operation.name}: it is neither verified nor executed"
        yield Diagnostic(message, span=operation.span)
        yield from unregistered_violations(operation)
        return
    yield from operand_violations(operation, definition)
    yield from attribute_violations(operation, definition)
    yield from region_violations(operation, definition)
    yield from result_violations(operation, definition)
    yield from constraint_violations(operation, definition, warnings)
    yield from inference_violations(operation, definition, warnings)
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
        message = f"expected the operands: {names}"
        yield rule_violation(operation, "", message, number=len(operation.operands))
        return
    position = 0
    for field, size in zip(definition.operands, sizes, strict=True):
        for value in operation.operands[position : position + size]:
            if not field.types.accepts(value.type):
                message = f"{field.name} is {article(field.types.description)}"
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
                message = f"expected the attribute {name}, {article(field.kind.description)}"
                yield rule_violation(operation, field.label, message)
        elif not field.kind.accepts(attribute):
            message = f"{name} is {article(field.kind.description)}"
            yield rule_violation(operation, field.label, message, name, **{name: attribute})
    for name, count in definition.size_lists.items():
        attribute = attributes.get(name)
        if attribute is not None and not is_size_list(attribute, count):
            rule = size_list_rule(name, count)
            yield rule_violation(operation, name, rule, name, **{name: attribute})


def region_violations(
    operation: Operation, definition: OperationDefinition
) -> Iterator[Diagnostic]:
    """Number of regions, terminators of their blocks, and that nothing jumps between blocks."""
    if operation.successors and not definition.successors:
        number = len(operation.successors)
        yield rule_violation(operation, "", "the operation has no successors", number=number)
    yield from block_violations(operation)
    fields, regions = definition.regions, operation.regions
    variadic = bool(fields) and isinstance(fields[-1], VariadicRegion)
    if len(regions) < len(fields) - variadic or (len(regions) > len(fields) and not variadic):
        names = ", ".join(field.name for field in fields) or "none"
        yield rule_violation(operation, "", f"expected the regions: {names}", number=len(regions))
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
            ended = bool(block.operations) and may_terminate(block.operations[-1])
            if field.terminated and not ended:
                message = f"{field.name} {TERMINATED}"
                violation = rule_violation(operation, field.label, message)
                if not has_implicit_terminator(operation):
                    violation = at_last_operation(violation, operation, block)
                yield violation


def block_violations(operation: Operation) -> Iterator[Diagnostic]:
    """The rules of blocks that hold in the regions of every operation."""
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations[:-1]:
                if inner.definition.terminator or inner.successors:
                    yield rule_violation(
                        inner, "", "a terminator is the last operation of its block"
                    )
            jumps = block.operations[-1].successors if block.operations else ()
            if region.blocks[0] in jumps:
                yield rule_violation(
                    block.operations[-1], "", "nothing jumps to the entry block of a region"
                )


def at_last_operation(violation: Diagnostic, operation: Operation, block: Block) -> Diagnostic:
    """The violation of an operation by the end of a block, at the last operation of the block."""
    if not block.operations:
        return violation
    return with_operation(replace(violation, span=block.operations[-1].span), operation)


def may_terminate(operation: Operation) -> bool:
    """Whether an operation may end a block: it is a terminator, or unregistered."""
    definition = definition_of(operation)
    return definition.terminator or not definition.registered


def unregistered_violations(operation: Operation) -> Iterator[Diagnostic]:
    """The rules that an operation without a definition can break: those of its blocks."""
    yield from block_violations(operation)
    for region in operation.regions:
        if len(region.blocks) > 1:
            for i, block in enumerate(region.blocks):
                if not block.operations or not may_terminate(block.operations[-1]):
                    yield rule_violation(
                        operation, "", "each of several blocks ends with a terminator", block=i
                    )


def result_violations(
    operation: Operation, definition: OperationDefinition
) -> Iterator[Diagnostic]:
    """Number and types of the results."""
    fields, count = definition.results, len(operation.results)
    variadic = any(isinstance(field, VariadicResult) for field in fields)
    if count < len(fields) - variadic or (count > len(fields) and not variadic):
        names = ", ".join(field_text(field) for field in fields) or "none"
        yield rule_violation(operation, "", f"expected the results: {names}", number=count)
        return
    for field, value in fields_of_results(operation, definition):
        if not field.types.accepts(value.type):
            message = f"{field.name} is {article(field.types.description)}"
            yield rule_violation(
                operation, field.element_type, message, "types", **{field.name: value.type}
            )


def fields_of_results(
    operation: Operation, definition: OperationDefinition
) -> Iterator[tuple[Result[object] | VariadicResult[object], Value]]:
    """Each result with its field."""
    for field in definition.results:
        field_value = getattr(operation, field.name)
        values: Sequence[Value] = (
            field_value if isinstance(field, VariadicResult) else (field_value,)
        )
        for value in values:
            yield field, value


def constraint_violations(
    operation: Operation, definition: OperationDefinition, warnings: Sequence[Diagnostic] = ()
) -> Iterator[Diagnostic]:
    """Checks the numbered constraints in order, and yields a diagnostic for each violation."""
    for constraint in definition.constraints:
        try:
            violation = constraint.check(operation)
        except ASSUMED:
            if not warnings:
                raise
            continue
        if violation is not None:
            values = fact_texts(violation)
            error = rule_violation(operation, constraint.label, constraint.formula, "", **values)
            yield error if violation.place is None else replace(error, span=violation.place.span)


def inference_violations(
    operation: Operation, definition: OperationDefinition, warnings: Sequence[Diagnostic] = ()
) -> Iterator[Diagnostic]:
    """Declared result types against inferred ones."""
    try:
        inferred = inferred_types(operation)
    except ASSUMED:
        if not warnings:
            raise
        return
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
    field: Result[object] | VariadicResult[object], declared: Type, expected: Type
) -> str:
    """The constraint that a wrong result type breaks."""
    if (
        isinstance(declared, TensorType)
        and isinstance(expected, TensorType)
        and declared.element_type != expected.element_type
    ):
        return field.element_type
    return field.shape or field.element_type
