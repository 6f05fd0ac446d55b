"""Nodes whose inputs do not fit together: by ONNX's inference of types, and by StableHLO's rules.

Source: ONNX, Operator Schemas; StableHLO specification, the constraints of operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.frontends.onnx import onnx_package
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.model import Node, ValueType
from stablemate.frontends.onnx.text_tensors import TextTensor
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.ir.core import Operation, OpResult
from stablemate.ir.equality import VerifiedForms
from stablemate.ir.type_rules import TypeChecker
from stablemate.ir.verifier import errors_among, findings_of
from stablemate.numerics.elements import Array, IntegerType

FEW: Final = 64  # integers of an input on which the shape of a result may depend


def reject_invalid(
    operations: Iterable[Operation], node: Node, inputs: Sequence[object], verified: VerifiedForms
) -> None:
    """Rejects a node that is translated to operations which break rules.

    Args:
        operations: The operations.
        node: The node.
        inputs: Its inputs.
        verified: The forms of operations of this program that break none; those found are added.

    Raises:
        VerifyError: One does; a note says which rule.
    """
    types = TypeChecker()

    def errors(operation: Operation) -> list[Diagnostic]:
        return errors_among(findings_of(operation, types))

    for operation in operations:
        for error in verified.errors_of(operation, errors):
            text = f"its inputs do not fit together: {inputs_text(node, inputs)}"
            message = f"{node.qualified_operator} at node {node.label!r}: {text}"
            raise VerifyError(Diagnostic(message, notes=(error,)))


def reject_contradicting(call: Call, inputs: Sequence[object], types: Sequence[ValueType]) -> None:
    """Rejects a node whose inputs contradict the schema of its operator.

    Raises:
        VerifyError: Types, shapes or known values of inputs do.
    """
    values = {
        name: array
        for name, item in zip(call.node.inputs, inputs, strict=False)
        if call.node.operator != "Range"  # it takes lists of one number for scalars
        and (array := few_integers(call, item)) is not None
    }
    why = onnx_package.contradiction_of_types(call.node, call.version, types, values)
    if why:
        text = f"{why}; its inputs are {inputs_text(call.node, inputs)}"
        raise VerifyError(f"{call.name} at node {call.node.label!r}: {text}")


def few_integers(call: Call, item: object) -> Array | None:
    """The integers of an input that is a constant list of a few; None if it is none.

    Those that are computed are left out, as ONNX Runtime's inference has none of them either.
    """
    if not isinstance(item, Tensor) or item.rank > 1 or not isinstance(item.element, IntegerType):
        return None
    is_constant = isinstance(item.value, OpResult) and isinstance(item.value.operation, Constant)
    return call.array(item) if is_constant and item.value.type.size <= FEW else None


def inputs_text(node: Node, inputs: Sequence[Any]) -> str:
    """The names, element types and shapes of the inputs of a node, in words."""
    pairs = zip(node.inputs, inputs, strict=False)
    return ", ".join(f"{name!r} {type_text(item)}" for name, item in pairs if name)


def type_text(item: Tensor | TextTensor | list[Any] | None) -> str:
    """An element type and a shape, in words."""
    if isinstance(item, Tensor):
        return f"{item.element}{list(item.shape)}"
    if isinstance(item, list):
        return f"[{', '.join(map(type_text, item))}]"
    return "without a value" if item is None else "of strings"
