"""Structural equality: of modules, names aside, and of operations as far as rules look at them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias, TypeVar

import numpy as np

from stablemate.ir.attributes import DenseElementsAttribute, SymbolAttribute
from stablemate.ir.core import Block, Module, Operation, OpResult, Region, Value
from stablemate.ir.definition import OperationDefinition, definition_of
from stablemate.ir.dialect import dialect_of
from stablemate.ir.traits import Trait
from stablemate.ir.types import Attribute, TensorType, Type
from stablemate.numerics.elements import FloatType

T = TypeVar("T")
Form: TypeAlias = tuple[object, ...]

# To compare a literal by value finds more equal operations, and takes time for each element.
SHORT: Final = 64  # elements of a literal that is compared by value


def difference(a: Module, b: Module, *, locations: bool = False) -> str:
    """The first difference of two modules, in words; empty if they are equal.

    Args:
        a: One module.
        b: The other.
        locations: Whether locations count.
    """
    comparison = ModuleComparison(locations)
    mismatch = comparison.operations(a.operation, b.operation)
    return mismatch or different_resources(a, b)


def different_resources(a: Module, b: Module) -> str:
    """The first difference of two resource sections."""
    if a.resources.keys() != b.resources.keys():
        return f"resources {sorted(a.resources)} and {sorted(b.resources)}"
    for key, blob in a.resources.items():
        if not np.array_equal(blob.data, b.resources[key].data):
            return f"resource {key}"
    return "" if a.external_resources == b.external_resources else "external resources"


def explicit_attributes(operation: Operation) -> dict[str, Attribute]:
    """The inherent attributes that differ from their defaults."""
    fields = definition_of(operation).attributes
    return {
        name: attribute
        for name, attribute in operation.attributes.items()
        if name not in fields or not fields[name].is_default(attribute)
    }


def same_operation(a: Operation, b: Operation) -> bool:
    """Whether two operations compute the same, each from operands of its own."""
    types = [[value.type for value in op.operands] for op in (a, b)]
    return types[0] == types[1] and not ModuleComparison(False, computed_by=a).operations(a, b)


class ModuleComparison:
    """Walks two modules at once."""

    def __init__(self, locations: bool, computed_by: Operation | None = None) -> None:
        """Compares modules, or what one operation computes.

        Args:
            locations: Whether locations count.
            computed_by: The operation whose operands may be any, and all whose discardable
                attributes do not count.
        """
        self.locations = locations
        self.computed_by = computed_by
        self.partners: dict[Value, Value] = {}
        self.blocks: dict[Block, Block] = {}

    def operations(self, a: Operation, b: Operation) -> str:
        """The first difference of two operations."""
        pending: list[tuple[Operation, Operation]] = [(a, b)]
        while pending:
            ours, theirs = pending.pop()
            if mismatch := self.heads(ours, theirs):
                return mismatch
            inner: list[tuple[Operation, Operation]] = []
            for x, y in zip(ours.regions, theirs.regions, strict=True):
                if mismatch := self.regions(ours, x, y):
                    return mismatch
                for p, q in zip(x.blocks, y.blocks, strict=True):
                    inner += zip(p.operations, q.operations, strict=True)
            pending += reversed(inner)
        return ""

    def heads(self, a: Operation, b: Operation) -> str:
        """The first difference of two operations, their regions aside."""
        where = f"{a.name} at {a.span}" if a.span else a.name
        if a.name != b.name:
            return f"{where}: {b.name}"
        partners = [self.partners.get(operand) for operand in a.operands]
        if a is not self.computed_by and partners != list(b.operands):
            return f"{where}: operands"
        if [result.type for result in a.results] != [result.type for result in b.results]:
            return f"{where}: result types"
        for name, x, y in (
            ("attributes", explicit_attributes(a), explicit_attributes(b)),
            ("discardable attributes", a.discardable, b.discardable),
        ):
            if x != y and (self.computed_by is None or name == "attributes"):
                return f"{where}: {name}"
        if self.locations and a.location != b.location:
            return f"{where}: location {a.location} and {b.location}"
        if len(a.regions) != len(b.regions):
            return f"{where}: number of regions"
        if [self.blocks.get(successor) for successor in a.successors] != list(b.successors):
            return f"{where}: successors"
        self.partners.update(zip(a.results, b.results, strict=True))
        return ""

    def regions(self, operation: Operation, a: Region, b: Region) -> str:
        """The first difference of the blocks of two regions; pairs their arguments."""
        if len(a.blocks) != len(b.blocks):
            return f"{operation.name}: number of blocks"
        for x, y in zip(a.blocks, b.blocks, strict=True):
            if [argument.type for argument in x.arguments] != [
                argument.type for argument in y.arguments
            ]:
                return f"{operation.name}: arguments of a block"
            if len(x.operations) != len(y.operations):
                return f"{operation.name}: number of operations"
            self.blocks[x] = y
            self.partners.update(zip(x.arguments, y.arguments, strict=True))
        return ""


def is_self_contained(definition: OperationDefinition) -> bool:
    """Whether the rules of an operation depend on its form only, if it names no symbol."""
    return (
        dialect_of(definition.name).verifies_form
        and not definition.regions
        and not definition.terminator
        and not definition.effects
        and not definition.successors
    )


def is_constant_like(operation: Operation) -> bool:
    """Whether the result of an operation is the value of its attribute ``value``."""
    return Trait.CONSTANT_LIKE in definition_of(operation).traits


class VerifiedForms:
    """The forms of one module's operations that were found valid: equal ones need no second check.

    The layers of a program repeat a few hundred forms thousands of times.

    Types, attributes and short literals are compared by value, once for each object; long literals
    are distinguished by identity. What was compared stays alive, so that no other object takes its
    identity.
    """

    def __init__(self) -> None:
        self.forms: set[Form] = set()
        self.identities: dict[int, tuple[int, object]] = {}
        self.equal: dict[Hashable, object] = {}
        self.classes: dict[type[Operation], bool] = {}

    def errors_of(
        self, operation: Operation, check: Callable[[Operation], Sequence[T]]
    ) -> Sequence[T]:
        """The errors that a check finds; none, unchecked, if it found none for an equal form."""
        form = self.form_of(operation)
        if form is not None and form in self.forms:
            return ()
        errors = check(operation)
        if form is not None and not errors:
            self.forms.add(form)
        return errors

    def form_of(self, operation: Operation) -> Form | None:
        """The facts on which an operation's rules depend; None if they may depend on more.

        That is its class, the types of operands and results, and attributes. Rules of shape
        operands also look at the values of integer constants; those of constants look at the type
        of the literal.
        """
        cls = type(operation)
        is_known = self.classes.get(cls)
        if is_known is None:
            is_known = self.classes[cls] = is_self_contained(definition_of(cls))
        if not is_known or operation.regions or operation.discardable or operation.successors:
            return None
        form: list[object] = [cls]
        for value in operation.operands:
            form.append(self.identity(value.type))
            if isinstance(value, OpResult) and may_be_sizes(value):
                form.append(self.identity(value.operation.attributes.get("value")))
        form.append(None)
        form += [self.identity(value.type) for value in operation.results]
        is_literal = is_constant_like(operation)
        for name, attribute in operation.attributes.items():
            if isinstance(attribute, SymbolAttribute):
                return None
            if is_literal and isinstance(attribute, DenseElementsAttribute):
                form += (name, self.identity(attribute.type))
            else:
                form += (name, self.identity(attribute))
        return tuple(form)

    def identity(self, part: Attribute | Type | None) -> int:
        """The identity of the first attribute or type that is equal; of a long literal itself."""
        known = self.identities.get(id(part))
        if known is None:
            first: object = part
            with suppress(TypeError):  # an attribute with a part that has no hash
                first = self.equal.setdefault(comparison_key(part), part)
            known = self.identities[id(part)] = id(first), part
        return known[0]


def may_be_sizes(value: OpResult) -> bool:
    """Whether a value is a constant whose elements may be sizes."""
    element = value.type.element_type if isinstance(value.type, TensorType) else None
    return not isinstance(element, FloatType) and is_constant_like(value.operation)


def comparison_key(part: Attribute | Type | None) -> Hashable:
    """The key by which a type or an attribute is compared; of a long literal, its identity."""
    if not isinstance(part, DenseElementsAttribute):
        return part
    if part.data.size > SHORT:
        return id(part)
    return part.type, part.data.dtype.str, part.data.tobytes()
