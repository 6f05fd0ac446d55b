"""vhlo-legalize-to-stablehlo: a program of VHLO in StableHLO and func.

Attributes that say what their absence says are removed, parts of structured attributes are put
together, and casts between VHLO and other dialects go.

Source: StableHLO, legalization of VHLO to StableHLO.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from stablemate.diagnostics.errors import VerifyError
from stablemate.dialects import func
from stablemate.dialects.builtin import UnrealizedConversionCast
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.vhlo.conversion import NoCounterpart, from_vhlo
from stablemate.dialects.vhlo.definition import VhloOp
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.ir.core import Block, Module, Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.equality import VerifiedForms
from stablemate.ir.types import Attribute, Type
from stablemate.ir.verifier import operation_errors
from stablemate.transforms.vhlo.attribute_conversions import conversions_of, stablehlo_class
from stablemate.transforms.vhlo.attributes import attribute_from_vhlo
from stablemate.transforms.vhlo.defaults import defaults_of
from stablemate.transforms.vhlo.rebuilding import Rebuilding, refuse
from stablemate.transforms.vhlo.vhlo_to_version import newest_attributes

COUNTERPARTS: Final[Mapping[str, type[Operation]]] = {
    name: stablehlo_class(name) for name in REVISIONS
}


def legalize_to_stablehlo(module: Module) -> Module:
    """The module in StableHLO; operations of other dialects stay.

    Args:
        module: A module in VHLO, of any revisions.

    Raises:
        VerifyError: An operation of VHLO is not as its revision is declared.
        UnsupportedError: It says something that StableHLO has no form for.
    """
    check(module)
    return StablehloLegalization().module(module)


def check(module: Module) -> None:
    """Checks that operations of VHLO are as their revisions are declared.

    Raises:
        VerifyError: One is not.
    """
    verified = VerifiedForms()
    for operation in module.operation.walk():
        if not isinstance(operation, VhloOp):
            continue
        if errors := verified.errors_of(operation, operation_errors):
            raise VerifyError(errors)


class StablehloLegalization(Rebuilding):
    """The conversion of one module.

    Attributes:
        attributes_by_form: The attributes of StableHLO, by class and the identities of those of
            VHLO, which the module keeps alive.
    """

    def __init__(self) -> None:
        super().__init__()
        self.attributes_by_form: dict[tuple[Hashable, ...], Mapping[str, Attribute]] = {}

    def block_types(self, block: Block) -> Sequence[Type]:
        """The types that those of VHLO stand for."""
        try:
            return [from_vhlo(argument.type) for argument in block.arguments]
        except NoCounterpart as error:
            parent = block.parent.parent if block.parent else None
            assert parent is not None
            refuse(parent, str(error))

    def place(self, operation: Operation, block: Block) -> None:
        """Puts the operation of StableHLO at the end of a new block."""
        name = "types"
        try:
            types = [from_vhlo(result.type) for result in operation.results]
            operands = self.new_operands(operation)
            if isinstance(operation, UnrealizedConversionCast) and types == [
                operand.type for operand in operands
            ]:
                self.values.update(zip(operation.results, operands, strict=True))
                return
            cls: type[Operation] = type(operation)
            if isinstance(operation, VhloOp):
                cls = counterpart(operation)
                attributes = self.converted_attributes(operation, cls)
            else:
                attributes = {**operation.attributes, **operation.discardable}
        except NoCounterpart as error:
            refuse(operation, str(error), name)
        self.make(cls, operation, operands, types, attributes, block)

    def converted_attributes(
        self, operation: VhloOp, cls: type[Operation]
    ) -> Mapping[str, Attribute]:
        """The attributes of StableHLO, the same ones for equal operations.

        Raises:
            NoCounterpart: Those of VHLO stand for none.
        """
        stored = {**operation.attributes, **operation.discardable}
        form = (cls, type(operation), *((name, id(value)) for name, value in stored.items()))
        attributes = self.attributes_by_form.get(form)
        if attributes is None:
            newest = {**newest_attributes(operation), **operation.discardable}
            converted = attributes_of(operation.revision.mnemonic, newest)
            attributes = {**definition_of(cls).filled, **converted}
            self.attributes_by_form[form] = attributes
        return attributes


def counterpart(operation: VhloOp) -> type[Operation]:
    """The operation of StableHLO or func that an operation of VHLO stands for."""
    mnemonic = operation.revision.mnemonic
    if mnemonic == "return":
        parent = operation.parent_operation()
        in_function = isinstance(parent, func.FuncOp) or (
            isinstance(parent, VhloOp) and parent.revision.mnemonic == "func"
        )
        return func.Return if in_function else Return
    return COUNTERPARTS[mnemonic]


def attributes_of(mnemonic: str, stored: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """The attributes of StableHLO that those of VHLO stand for.

    Raises:
        NoCounterpart: They stand for none.
    """
    left = without_defaults(mnemonic, stored)
    attributes: dict[str, Attribute] = {}
    for name, conversion in conversions_of(mnemonic).items():
        parts = {name: left.pop(name) for name in conversion.names if name in left}
        joined = conversion.join(parts) if parts else None
        if joined is not None:
            attributes[name] = joined
    attributes.update((name, attribute_from_vhlo(attribute)) for name, attribute in left.items())
    return attributes


def without_defaults(mnemonic: str, stored: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """The attributes that say more than their absence would."""
    left = dict(stored)
    for name, default in defaults_of(mnemonic).items():
        attribute = stored.get(name)
        if attribute is None or not default.is_default(attribute):
            continue
        beside = stored.get(default.beside) if default.beside else None
        if beside is None or default.is_default(beside):
            del left[name]
    return left
