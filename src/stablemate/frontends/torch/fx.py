"""What graphs of PyTorch have: the attributes of ``torch.fx`` and fake tensors that are used here.

PyTorch has no types of its own where it is not installed; these protocols are checked without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol


class FakeTensor(Protocol):
    """A tensor without elements; sizes may be ``SymInt``."""

    @property
    def dtype(self) -> object:
        """The ``torch.dtype``."""
        ...

    @property
    def shape(self) -> Sequence[Any]:
        """The sizes."""
        ...

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        ...

    def stride(self) -> Sequence[Any]:
        """The distances between elements, in elements."""
        ...

    def storage_offset(self) -> Any:
        """The place of the first element in the storage."""
        ...

    def numel(self) -> Any:
        """The number of elements."""
        ...

    def is_complex(self) -> bool:
        """Whether elements are complex numbers."""
        ...

    def is_neg(self) -> bool:
        """Whether elements are negated where they are read."""
        ...


class Node(Protocol):
    """A node of a graph, ``torch.fx.Node``."""

    @property
    def op(self) -> str:
        """``placeholder``, ``get_attr``, ``call_function`` or ``output``."""
        ...

    @property
    def name(self) -> str:
        """The name, unique in the graph."""
        ...

    @property
    def target(self) -> Any:
        """The operator that is called, or the name of an attribute."""
        ...

    @property
    def args(self) -> tuple[Any, ...]:
        """The positional arguments: nodes, numbers, lists of them."""
        ...

    @property
    def kwargs(self) -> Mapping[str, Any]:
        """The named arguments."""
        ...

    @property
    def meta(self) -> dict[str, Any]:
        """What is known of the node; ``val`` is its fake tensor."""
        ...

    @property
    def users(self) -> Iterable[Node]:
        """The nodes that take its value."""
        ...

    @property
    def graph(self) -> Graph:
        """The graph that it belongs to."""
        ...


class Graph(Protocol):
    """A graph, ``torch.fx.Graph``."""

    @property
    def nodes(self) -> Iterable[Node]:
        """The nodes, in the order of execution."""
        ...


class GraphModule(Protocol):
    """A graph with the tensors that it holds, ``torch.fx.GraphModule``."""

    @property
    def graph(self) -> Graph:
        """The graph."""
        ...
