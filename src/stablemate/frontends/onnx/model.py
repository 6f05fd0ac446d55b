"""A model of ONNX as plain data: graphs, nodes, functions, tensors.

Source: ONNX, Intermediate Representation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import Array

DEFAULT_DOMAIN: Final = ""
MICROSOFT: Final = "com.microsoft"  # ONNX Runtime's own operators
SPELLINGS: Final = ("", "ai.onnx")  # of the default domain
Dimension: TypeAlias = int | str | None  # a size, the name of one, or unknown


@dataclass(frozen=True, slots=True)
class ValueType:
    """The declared type of a value.

    Attributes:
        kind: ``tensor``, ``sequence``, ``optional``, ``map`` or ``sparse_tensor``; empty if none is
            declared.
        data_type: The number of the element type; of a sequence or optional that of its tensors, of
            a map that of its keys.
        shape: The sizes; None if even their number is not declared.
        item: The type of the items of a sequence, or of the value of an optional or map.
        denotations: What each dimension of a tensor denotes, as ``DATA_BATCH``; empty if it is not
            declared.
    """

    kind: str = ""
    data_type: int = 0
    shape: tuple[Dimension, ...] | None = None
    item: ValueType | None = None
    denotations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ValueInfo:
    """A value of a graph: its name and its declared type."""

    name: str
    type: ValueType


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """A tensor that a model holds.

    Attributes:
        name: Its name.
        data_type: The number of its element type.
        shape: Its sizes.
        read: Returns its elements: an array, of strings one of objects.
    """

    name: str
    data_type: int
    shape: tuple[int, ...]
    read: Callable[[], Array]


@dataclass(frozen=True, slots=True)
class AttributeReference:
    """The value of an attribute of the function's call, where a node in its body has it."""

    name: str


@dataclass(frozen=True, slots=True)
class Node:
    """A call of an operator.

    Attributes:
        operator: The operator.
        domain: Its domain.
        name: The name of the node, often empty.
        inputs: The values that it reads; an empty name is an input left out.
        outputs: The values that it writes; an empty name is one that nobody reads.
        attributes: Their values: numbers, texts, lists of them, ``StoredTensor`` and ``Graph``.
        source: The object of the package that it was read from.
    """

    operator: str
    domain: str
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]
    source: Any = None

    @property
    def label(self) -> str:
        """Its name in messages; the first output that it writes where it has none."""
        return self.name or next((output for output in self.outputs if output), "")

    @property
    def qualified_operator(self) -> str:
        """The operator with its domain, unless that is the default one."""
        return self.operator if not self.domain else f"{self.domain}.{self.operator}"


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in the order in which they run, and what goes in and out.

    Attributes:
        name: Its name.
        nodes: The nodes.
        inputs: The inputs; of a body of control flow those of each run.
        outputs: The outputs.
        initializers: The constants by name.
        types: The declared types of values in it, by name.
        description: What it is for, in words.
    """

    name: str
    nodes: Sequence[Node]
    inputs: Sequence[ValueInfo]
    outputs: Sequence[ValueInfo]
    initializers: Mapping[str, StoredTensor] = field(default_factory=dict[str, StoredTensor])
    types: Mapping[str, ValueType] = field(default_factory=dict[str, ValueType])
    description: str = ""


@dataclass(frozen=True, slots=True)
class LocalFunction:
    """A function that nodes call as an operator.

    Attributes:
        name: Its name.
        domain: Its domain.
        inputs: The names of its inputs.
        outputs: The names of its outputs.
        nodes: Its body.
        defaults: The values of attributes that a call may leave out; None of those that have none.
        versions: The versions of the domains that its body uses.
    """

    name: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    nodes: Sequence[Node]
    defaults: Mapping[str, object]
    versions: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Model:
    """A model.

    Attributes:
        graph: What it computes.
        versions: The version of each domain.
        functions: Its functions, by domain and name.
        ir_version: The version of the format.
        producer_name: Who wrote it.
        producer_version: The version of the producer.
        domain: Its own domain.
        model_version: Its own version; None if it does not state one.
        description: What it is for, in words.
        metadata: Its further properties.
        content: The bytes that it was read from.
        files: The files of its external data of which something was read.
    """

    graph: Graph
    versions: Mapping[str, int]
    functions: Mapping[tuple[str, str], LocalFunction]
    ir_version: int = 0
    producer_name: str = ""
    producer_version: str = ""
    domain: str = ""
    model_version: int | None = None
    description: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    content: bytes | memoryview[int] = b""
    files: Mapping[Path, Array] = field(default_factory=dict[Path, Array])


def normal_domain(domain: str) -> str:
    """A domain in the spelling that tables have."""
    return DEFAULT_DOMAIN if domain in SPELLINGS else domain
