"""Forms of operations that the verifier has found valid: equal ones need no second check.

The layers of a program repeat a few hundred forms thousands of times.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from stablemate.ir.attributes import SymbolAttribute
from stablemate.ir.core import Operation, OpResult
from stablemate.ir.definition import OperationDefinition, definition_of

Form: TypeAlias = tuple[object, ...]

# Their operations without effects look at nothing but operands, attributes and results, unless they
# name a symbol.
DIALECTS: Final = ("stablehlo.", "chlo.", "vhlo.")
CONSTANTS: Final = frozenset({"stablehlo.constant", "arith.constant", "chlo.constant"})


def is_self_contained(definition: OperationDefinition) -> bool:
    """Whether the rules of an operation depend on its form only, if it names no symbol."""
    return (
        definition.name.startswith(DIALECTS)
        and not definition.regions
        and not definition.terminator
        and not definition.effects
        and not definition.successors
    )


class VerifiedForms:
    """The forms of one module's operations that were found valid.

    Types and attributes are distinguished by identity; the module keeps them alive.
    """

    def __init__(self) -> None:
        self.forms: set[Form] = set()
        self.classes: dict[type[Operation], bool] = {}

    def form_of(self, operation: Operation) -> Form | None:
        """What the rules of an operation depend on; None if they may depend on more.

        That is its class, the types of operands and results, and attributes. Rules of shape
        operands also look at the values of constants.
        """
        cls = type(operation)
        is_known = self.classes.get(cls)
        if is_known is None:
            is_known = self.classes[cls] = is_self_contained(definition_of(cls))
        if not is_known or operation.regions or operation.discardable or operation.successors:
            return None
        form: list[object] = [cls]
        for value in operation.operands:
            form.append(id(value.type))
            if isinstance(value, OpResult) and value.operation.name in CONSTANTS:
                form.append(id(value.operation.attributes.get("value")))
        form.append(None)
        form += [id(value.type) for value in operation.results]
        for name, attribute in operation.attributes.items():
            if isinstance(attribute, SymbolAttribute):
                return None
            form += (name, id(attribute))
        return tuple(form)
