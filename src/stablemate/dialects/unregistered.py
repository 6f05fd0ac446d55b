"""Operations of dialects that nobody registered: kept as they are, without any meaning.

Source: MLIR language reference, "Operations"; what MLIR's tools do with
``-allow-unregistered-dialect``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final
from weakref import WeakValueDictionary

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.ir.attributes import DictionaryAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import Op, OperationDefinition, RegionFunction
from stablemate.ir.types import Attribute

WHOLE: Final = ""  # the name under which properties are kept that are no dictionary with entries


class UnregisteredOp(Op):
    """An operation without a definition: any operands, attributes, regions and results.

    Its properties are in ``attributes``, all its other attributes in ``discardable``.
    """

    __slots__ = ()

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """Rejects the operation: nobody knows what it computes."""
        raise UnsupportedError(
            f"no dialect defines {self.name}: it cannot be executed", span=self.span
        )


CLASSES: Final[WeakValueDictionary[str, type[UnregisteredOp]]] = WeakValueDictionary()


def unregistered_class(name: str) -> type[UnregisteredOp]:
    """The class of the operations with this name."""
    cls = CLASSES.get(name)
    if cls is None:
        definition = OperationDefinition(name=name, effects=True, registered=False)
        attributes = {"__slots__": (), "name": name, "definition": definition}
        cls = CLASSES[name] = type("UnregisteredOp", (UnregisteredOp,), attributes)
    return cls


def whole_properties(operation: Operation) -> Attribute | None:
    """The properties of an unregistered operation as one attribute; None if it has none."""
    if WHOLE in operation.attributes:
        return operation.attributes[WHOLE]
    return DictionaryAttribute(operation.attributes) if operation.attributes else None


def property_entries(attribute: Attribute) -> dict[str, Attribute]:
    """The attributes of an operation that has these properties."""
    if isinstance(attribute, DictionaryAttribute) and attribute.entries:
        return dict(attribute.entries)
    return {WHOLE: attribute}
