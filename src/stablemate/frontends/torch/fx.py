"""Protocols of PyTorch's graphs: the attributes of ``torch.fx`` and fake tensors that are read.

PyTorch has no types of its own where it is not installed; these protocols are checked without it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeGuard

from stablemate.numerics.elements import Array


class FakeTensor(Protocol):
    """A tensor without elements; sizes may be ``SymInt``."""

    @property
    def dtype(self) -> object:
        """The ``torch.dtype``."""
        ...

    @property
    def shape(self) -> Sequence[TorchSize]:
        """The size of each dimension, symbolic where it varies."""
        ...

    @property
    def ndim(self) -> int:
        """The number of dimensions, which is always known."""
        ...

    def stride(self) -> Sequence[TorchSize]:
        """The distances between elements, in elements."""
        ...

    def storage_offset(self) -> TorchSize:
        """The place of the first element in the storage."""
        ...

    def numel(self) -> TorchSize:
        """The number of elements, symbolic where a size is."""
        ...

    def narrow(self, dimension: int, start: int, length: int, /) -> FakeTensor:
        """A part of a dimension."""
        ...

    def is_complex(self) -> bool:
        """Whether elements are complex numbers."""
        ...

    def is_conj(self) -> bool:
        """Whether elements are conjugated where they are read."""
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

    @args.setter
    def args(self, value: tuple[Any, ...], /) -> None: ...

    @property
    def kwargs(self) -> Mapping[str, object]:
        """The arguments that are given by their names."""
        ...

    @property
    def meta(self) -> dict[str, Any]:
        """Facts about the node by name; ``val`` is its fake tensor."""
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

    def __call__(self, *arguments: object) -> object:
        """The results of the graph."""
        ...

    @property
    def graph(self) -> Graph:
        """The nodes of the module, in the order of execution."""
        ...


class TorchDevice(Protocol):
    """Where a tensor lies, ``torch.device``."""

    @property
    def type(self) -> str:
        """``cpu``, or what else computes."""
        ...


class TorchTensor(Protocol):
    """A tensor with elements, ``torch.Tensor``."""

    @property
    def dtype(self) -> object:
        """The ``torch.dtype``."""
        ...

    @property
    def shape(self) -> Sequence[int]:
        """The size of each dimension, symbolic where it varies."""
        ...

    @property
    def layout(self) -> object:
        """``torch.strided``, or how else elements are stored."""
        ...

    @property
    def device(self) -> TorchDevice:
        """The device in whose memory the elements lie."""
        ...

    @property
    def is_nested(self) -> bool:
        """Whether its rows have sizes of their own."""
        ...

    @property
    def is_quantized(self) -> bool:
        """Whether its elements are of PyTorch's older quantized types."""
        ...

    def stride(self, dimension: int, /) -> int:
        """The distance between elements of a dimension, in elements."""
        ...

    def storage_offset(self) -> int:
        """The place of the first element in the storage."""
        ...

    def numel(self) -> int:
        """The number of elements, symbolic where a size is."""
        ...

    def element_size(self) -> int:
        """The bytes of an element."""
        ...

    def untyped_storage(self) -> object:
        """The memory with the elements, a ``torch.UntypedStorage``; views share it."""
        ...

    def detach(self) -> TorchTensor:
        """The same elements, without gradients."""
        ...

    def resolve_conj(self) -> TorchTensor:
        """The tensor without elements that are conjugated where they are read."""
        ...

    def resolve_neg(self) -> TorchTensor:
        """The tensor without elements that are negated where they are read."""
        ...

    def narrow(self, dimension: int, start: int, length: int, /) -> TorchTensor:
        """A part of a dimension."""
        ...

    def contiguous(self) -> TorchTensor:
        """The elements in row-major order."""
        ...

    def clone(self, *, memory_format: object) -> TorchTensor:
        """A copy in an order of the elements."""
        ...

    def to(self, dtype: object, /) -> TorchTensor:
        """The elements as another type."""
        ...

    def view(self, dtype: object, /) -> TorchTensor:
        """The bits as another type."""
        ...

    def numpy(self) -> Array:
        """The elements as an array in the same memory."""
        ...

    def permute(self, dimensions: Sequence[int], /) -> TorchTensor:
        """The dimensions in another order."""
        ...

    def as_strided(
        self, shape: Sequence[int], strides: Sequence[int], offset: int, /
    ) -> TorchTensor:
        """A view of the memory."""
        ...

    def item(self) -> object:
        """The element of a tensor that has one."""
        ...

    def data_ptr(self) -> int:
        """The address of the first element."""
        ...


class ExportedProgram(Protocol):
    """The result of ``torch.export.export``, ``torch.export.ExportedProgram``."""

    @property
    def call_spec(self) -> Any:
        """The structures of arguments and results."""
        ...

    @property
    def graph_module(self) -> GraphModule:
        """The graph of the program as a module, with its constants."""
        ...

    @property
    def graph_signature(self) -> Any:
        """The role of each argument and result of the graph."""
        ...

    @property
    def module_call_graph(self) -> Sequence[Any]:
        """The modules that it was made of, with the names of their arguments; the whole first."""
        ...

    @property
    def state_dict(self) -> Mapping[str, TorchTensor]:
        """The parameters and buffers, by name."""
        ...

    @property
    def constants(self) -> Mapping[str, TorchTensor]:
        """The other tensors that the graph takes."""
        ...

    @property
    def range_constraints(self) -> Mapping[object, SymbolRange]:
        """The range of each symbol."""
        ...

    def run_decompositions(
        self, table: Mapping[object, Callable[..., object]], /
    ) -> ExportedProgram:
        """The program with operators replaced by the functions of a table."""
        ...


class SymbolRange(Protocol):
    """The numbers that a symbol may be; the ends are numbers of SymPy."""

    @property
    def lower(self) -> Any:
        """The least number that the range contains."""
        ...

    @property
    def upper(self) -> Any:
        """The largest number that the range contains."""
        ...


class SympyExpression(Protocol):
    """An expression of SymPy over the symbols of sizes, ``sympy.Expr``, or a condition."""

    @property
    def args(self) -> Sequence[SympyExpression]:
        """The operands of a sum, product or function."""
        ...

    @property
    def free_symbols(self) -> Collection[SympyExpression]:
        """The symbols in it."""
        ...

    @property
    def is_Number(self) -> bool:
        """Whether it is a number."""
        ...

    @property
    def is_Integer(self) -> bool:
        """Whether it is an integer that is known."""
        ...

    @property
    def is_Symbol(self) -> bool:
        """Whether it is a symbol."""
        ...

    @property
    def is_integer(self) -> bool | None:
        """Whether its values are integers; None if SymPy does not know."""
        ...

    def as_coeff_Add(self) -> tuple[SympyExpression, SympyExpression]:
        """Its constant summand and the rest."""
        ...

    def as_coeff_Mul(self) -> tuple[SympyExpression, SympyExpression]:
        """Its constant factor and the rest."""
        ...

    def expand(self) -> SympyExpression:
        """The expression as a sum of products."""
        ...

    def xreplace(self, values: Mapping[object, object], /) -> SympyExpression:
        """The expression with values in the place of symbols."""
        ...

    def __int__(self) -> int:
        """The number that it is."""
        ...

    def __float__(self) -> float:
        """The number that it is."""
        ...


class ShapeEnvironment(Protocol):
    """The ranges of symbols, ``torch.fx.experimental.symbolic_shapes.ShapeEnv``."""

    @property
    def var_to_range(self) -> Mapping[object, SymbolRange]:
        """The range of each symbol."""
        ...


class SymbolicNode(Protocol):
    """The expression of a number and its symbols, ``torch.fx.experimental.sym_node.SymNode``."""

    @property
    def expr(self) -> SympyExpression:
        """The expression that it is."""
        ...

    @property
    def shape_env(self) -> ShapeEnvironment:
        """The ranges of its symbols."""
        ...


class SymbolicNumber(Protocol):
    """A number that depends on sizes: ``torch.SymInt``, ``torch.SymFloat``, ``torch.SymBool``."""

    @property
    def node(self) -> SymbolicNode:
        """The expression of the number, and what is assumed of it."""
        ...


TorchSize: TypeAlias = int | SymbolicNumber


def is_symbolic_number(value: object) -> TypeGuard[SymbolicNumber]:
    """Whether a value of PyTorch is a number that depends on sizes."""
    return hasattr(value, "node")
