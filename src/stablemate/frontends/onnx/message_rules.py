"""The rules of ONNX for the messages of a model, each by itself.

Each function returns what is wrong in words, or an empty text.

Source: ONNX, Intermediate Representation; onnx.proto.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from stablemate.frontends.onnx.element_types import DATA_TYPES

Proto = Any  # a message of the package
# The field in which an attribute of each type has its value.
VALUE_FIELDS: Final = {
    1: "f", 2: "i", 3: "s", 4: "t", 5: "g", 6: "floats", 7: "ints", 8: "strings", 9: "tensors",
    10: "graphs", 11: "sparse_tensor", 12: "sparse_tensors", 13: "tp", 14: "type_protos",
}  # fmt: skip
ALL_VALUE_FIELDS: Final = frozenset(VALUE_FIELDS.values())
ELEMENT_FIELDS: Final = (
    "float_data", "int32_data", "string_data", "int64_data", "double_data", "uint64_data",
)  # fmt: skip


def wrong_versions(imports: Iterable[tuple[str, int]]) -> str:
    """Whether versions of domains are not positive, or stated twice."""
    seen: dict[str, int] = {}
    for domain, version in imports:
        what = f"the domain {domain}" if domain else "the default domain"
        if version < 1:
            return f"the model states the version {version} of {what}"
        if seen.setdefault(domain, version) != version:
            return f"the model states two versions of {what}: {seen[domain]} and {version}"
    return ""


def wrong_attributes(node: Proto) -> str:
    """Whether one of a node's attributes is stated twice, or has a value of another type."""
    wrong = repeated_name([attribute.name for attribute in node.attribute], "attributes")
    for attribute in node.attribute:
        wrong = wrong or wrong_value(attribute)
    return f"{wrong}, at node {node.name or node.op_type!r}" if wrong else ""


def wrong_value(attribute: Proto) -> str:
    """Whether an attribute has a value of another type than its own, or two."""
    name, expected = attribute.name, VALUE_FIELDS.get(attribute.type)
    for field, _ in attribute.ListFields():
        if field.name not in ALL_VALUE_FIELDS:
            continue
        if attribute.ref_attr_name:
            return f"the attribute {name!r} refers to another one, and has a value in {field.name}"
        if expected is not None and field.name != expected:
            return f"the value of the attribute {name!r} belongs in {expected}, not in {field.name}"
    return ""


def wrong_elements(tensor: Proto, *, has_raw: bool) -> str:
    """Whether a tensor has no element type, or elements in two places.

    Args:
        tensor: The message.
        has_raw: Whether it has raw elements.
    """
    if tensor.data_type not in DATA_TYPES:
        return f"the tensor {tensor.name!r} has {type_text(tensor.data_type)}"
    held = [field for field in ELEMENT_FIELDS if len(getattr(tensor, field))]
    held += ["raw_data"] * has_raw
    if len(held) > 1:
        return f"the tensor {tensor.name!r} has elements in {held[0]} and in {held[1]}"
    return ""


def wrong_value_types(values: Iterable[Proto], what: str) -> str:
    """Whether a value has no name, or is a tensor of no element type that ONNX has.

    Args:
        values: The inputs or outputs of a model.
        what: Which of them they are.
    """
    for value in values:
        if not value.name:
            return f"an {what} has no name"
        number = value.type.tensor_type.elem_type
        if value.type.HasField("tensor_type") and number not in DATA_TYPES:
            return f"the {what} {value.name!r} has {type_text(number)}"
    return ""


def repeated_name(names: Iterable[str], what: str) -> str:
    """Whether two of some names are the same."""
    seen = set[str]()
    for name in names:
        if name in seen:
            return f"two {what} are called {name!r}"
        seen.add(name)
    return ""


def wrong_writers(given: Iterable[str], nodes: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Whether nodes write a value that the graph is given, or one twice.

    Args:
        given: The inputs and constants of the graph.
        nodes: The label and the outputs of each node.
    """
    known = set(given)
    for label, outputs in nodes:
        names = list(filter(None, outputs))
        if found := next((name for name in names if name in known), None):
            return f"the node {label!r} writes {found!r}, an input or constant of its graph"
        if wrong := repeated_name(names, "of its outputs"):
            return f"{wrong}, at node {label!r}"
    return ""


def type_text(number: int) -> str:
    """An element type that ONNX does not have, in words."""
    if not number:
        return "no element type"
    return f"the element type {number}, which ONNX does not have"
