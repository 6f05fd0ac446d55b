"""The errors of attributes that upstream's parser finds, before its verifier runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.verification.diagnostic_order import (
    at_dictionary,
    end_in_text,
    is_found_by_parser,
)
from stablemate.ir.verification.upstream_leniency import is_accepted_upstream
from stablemate.ir.verifier import attribute_violations


def first_wrong_attribute(operations: Iterable[Operation]) -> Diagnostic | None:
    """The error of the first operation, in order of their ends in the text, with such an attribute.

    Args:
        operations: The operations that were read before the text ends, or before another error.
    """
    found = [
        (end_in_text(operation), violation)
        for outer in operations
        for operation in outer.walk()
        for violation in wrong_attributes(operation)
    ]
    return min(found, key=lambda item: item[0])[1] if found else None


def wrong_attributes(operation: Operation) -> Iterator[Diagnostic]:
    """The errors of the attributes of one operation that upstream's parser finds."""
    definition = definition_of(operation)
    if not definition.registered:
        return
    for violation in attribute_violations(operation, definition):
        if is_found_by_parser(operation, violation) and not is_accepted_upstream(
            operation, violation
        ):
            yield at_dictionary(operation, violation)
