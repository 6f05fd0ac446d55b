"""Graphs of ATen operators to programs: a walk over the nodes of ``torch.fx``.

Source: PyTorch, torch.fx; TorchDynamo and AOTAutograd, graphs of compilers.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import partial
from typing import Any, Final, TypeGuard, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.func import Return as FuncReturn
from stablemate.frontends.tensor_functions.elementwise import bitcast
from stablemate.frontends.tensor_functions.graph import (
    Shape,
    SizeLike,
    TensorGraph,
    type_of,
)
from stablemate.frontends.tensor_functions.indexing import index_tensor
from stablemate.frontends.tensor_functions.movement import (
    inverse,
    reshape,
    take_index,
    transpose,
)
from stablemate.frontends.tensor_functions.programs import as_list, main_module, within
from stablemate.frontends.tensor_functions.random_numbers import WORD
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, size_tensor
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.call import (
    Call,
    is_contiguous,
    memory_order,
    repeated_dimensions,
    stride_order,
)
from stablemate.frontends.torch.element_types import element_of
from stablemate.frontends.torch.fx import (
    FakeTensor,
    Graph,
    GraphModule,
    Node,
    SymbolicNumber,
    SympyExpression,
    TorchSize,
    is_symbolic_number,
)
from stablemate.frontends.torch.half_complex import (
    from_parts,
    has_half_complex,
    is_half_complex,
    round_results,
    to_parts,
    widen,
)
from stablemate.frontends.torch.locations import location_of, user_line
from stablemate.frontends.torch.lowering import (
    check_results,
    lowering_failure,
    registered_name,
    with_inferred_types,
)
from stablemate.frontends.torch.operators.control.custom_operators import custom_operator
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.sizes import SizeTable
from stablemate.frontends.torch.table import OperatorLowering, lowerings, operator_name
from stablemate.ir import core
from stablemate.ir.core import Block, Value
from stablemate.ir.locations import UNKNOWN, NameLocation
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import BOOLEAN, F16, F64, Array, ElementType
from stablemate.numerics.symbolic_sizes import Assumptions, SymbolicSize

# Nodes that check what PyTorch knows already, and compute nothing.
CHECKS: Final = frozenset(
    {
        "aten._assert_scalar.default",
        "aten._assert_async.msg",
        "aten._assert_async.default",
        "aten._assert_tensor_metadata.default",
        "aten.sym_constrain_range.default",
        "aten.sym_constrain_range_for_size.default",
    }
)


# The element types of numbers, by their types in PyTorch.
NUMBERS: Final[Mapping[str, ElementType]] = {
    "bool": BOOLEAN, "SymBool": BOOLEAN, "int": INT64, "SymInt": INT64, "float": F64,
    "SymFloat": F64,
}  # fmt: skip
WITH_EFFECTS: Final = "higher_order.with_effects.default"
# Operators that save or restore the state of random numbers: where the operator stands that draws.
SAVED_STATES: Final = {
    "higher_order.run_and_save_rng_state.default": 0, "higher_order.run_with_rng_state.default": 1,
}  # fmt: skip
# Views whose place in memory depends on an index, the argument after the dimension.
VIEWS_AT_INDICES: Final = frozenset({"aten.slice.Tensor", "aten.select.int"})
# Operators whose results lie in the memory of their arguments, and are no views to PyTorch; by the
# second AOTAutograd hides from it that results of a graph share memory.
UNTRACKED_VIEWS: Final = frozenset({"aten.detach.default", "aten._unsafe_view.default"})
FOURIER_TRANSFORMS: Final = frozenset(
    {"aten._fft_c2c.default", "aten._fft_r2c.default", "aten._fft_c2r.default"}
)
# Operators whose arguments from a position on say how windows move.
MOVEMENTS: Final = {
    "aten.convolution.default": 3, "aten._convolution.default": 3,
    "aten.convolution_overrideable.default": 3, "aten.convolution_backward.default": 4,
    "aten.convolution_backward_overrideable.default": 4,
}  # fmt: skip
RANDOM_KEY: Final = "random_key"  # the argument from which random numbers are drawn
CHECKING: Final = ("aten._linalg_check_errors", "aten._assert", "aten.sym_constrain")


@dataclass(frozen=True, slots=True)
class ImportedArgument:
    """An argument of a program.

    Attributes:
        position: The placeholder of the graph that it is.
        is_size: Whether it is a number rather than a tensor.
        permutation: The dimensions of the tensor in the order in which they lie in memory.
        repeated: The sizes of the dimensions along which the tensor repeats elements that lie once
            in memory; the program takes one of them.
        may_be_lazy: Whether memory may hold its elements before they are conjugated or negated.
        has_parts: Whether the parts of complex numbers of 16-bit floats are its last dimension.
        lines: The symbol, the factor and the summand of each size that varies, by dimension.
    """

    position: int
    is_size: bool = False
    permutation: tuple[int, ...] | None = None
    repeated: Mapping[int, int] = field(default_factory=dict[int, int])
    may_be_lazy: bool = False
    has_parts: bool = False
    lines: Mapping[int, tuple[str, int, int]] = field(
        default_factory=dict[int, tuple[str, int, int]]
    )


@dataclass(frozen=True, slots=True)
class NumberResult:
    """A number that a program computes.

    Attributes:
        position: The result of the program that it is.
    """

    position: int


@dataclass(frozen=True, slots=True)
class ResultView:
    """How a result lies in the memory of another one, or of an argument.

    Attributes:
        shape: Its sizes.
        strides: The distances between its elements.
        offset: The place of its first element.
        dtype: The type of its elements in PyTorch, which may be another one than that of the other.
        argument: The placeholder in whose memory it lies; None if it is another result.
        is_tracked: Whether PyTorch knows it as a view (``Tensor._is_view``).
        is_conjugate: Whether memory holds the conjugates of its elements.
        is_negative: Whether memory holds its elements with the opposite sign.
    """

    shape: tuple[int | NumberResult, ...]
    strides: tuple[int | NumberResult, ...]
    offset: int | NumberResult
    dtype: Any
    argument: int | None = None
    is_tracked: bool = True
    is_conjugate: bool = False
    is_negative: bool = False


@dataclass(frozen=True, slots=True)
class ImportedResult:
    """A result of a graph.

    Attributes:
        position: The result of the program that it is, or in whose memory it lies; None if it is
            none, or lies in the memory of an argument.
        is_number: Whether it is a number rather than a tensor.
        value: What it is if it is no result of the program: a number, or None.
        permutation: The dimensions of the tensor in the order in which they lie in memory.
        view: How it lies in the memory of a result of the program or of an argument; None if it is
            that result.
        has_parts: Whether the parts of complex numbers of 16-bit floats are its last dimension.
        argument: The placeholder that it is itself; None if it is none.
        same_as: The earlier result of the graph that it is itself; None if it is none.
    """

    position: int | None
    is_number: bool = False
    value: Any = None
    permutation: tuple[int, ...] | None = None
    view: ResultView | None = None
    has_parts: bool = False
    argument: int | None = None
    same_as: int | None = None


@dataclass(frozen=True, slots=True)
class ImportedProgram:
    """A graph as a program.

    Attributes:
        module: Its function is called ``main``.
        arguments: Its arguments; after them comes a key, if it draws random numbers.
        results: The results of the graph; after them come numbers that views are made of.
        is_random: Whether it draws random numbers.
        placeholders: How many arguments the graph has.
    """

    module: core.Module
    arguments: tuple[ImportedArgument, ...]
    results: tuple[ImportedResult, ...]
    is_random: bool
    placeholders: int


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How a graph is imported.

    Attributes:
        constants: The value of placeholders that are constants of the program, by their names.
        keeps_strides: Whether arguments and results lie in memory as PyTorch's do, if that is
            dense; otherwise in the order of their dimensions.
        names: The names of arguments, by the names of placeholders.
        result_names: The names of results, by their numbers in the graph.
        kept_results: The results of the graph that are results of the program; None are all.
        shares_arguments: Whether results that are arguments are these themselves, and those that
            are views of an argument lie in its memory, if they lie as PyTorch's, or their sizes or
            places vary.
        expanded_results: How many of the first results lie in memory as PyTorch's do, where those
            share it with each other, repeat elements (``expand``) or leave gaps between them; the
            others lie as graphs read arguments. None are all.
        expanded_arguments: Whether arguments that repeat elements (``expand``) lie in memory as
            PyTorch's do; otherwise they repeat them in memory.
    """

    constants: Mapping[str, Array] = field(default_factory=dict[str, Array])
    keeps_strides: bool = False
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    result_names: Mapping[int, str] = field(default_factory=dict[int, str])
    kept_results: Sequence[int] | None = None
    shares_arguments: bool = False
    expanded_results: int | None = 0
    expanded_arguments: bool = False


def import_graph(graph_module: GraphModule, options: ImportOptions) -> ImportedProgram:
    """A graph of ATen operators as a program.

    Args:
        graph_module: The graph; ``meta["val"]`` of its nodes has fake tensors.
        options: How it is imported.

    Raises:
        UnsupportedError: An operator has no translation; the error names it and the user's line.
    """
    return Importer(graph_module, options).program()


def fix_sizes(graph_module: GraphModule) -> None:
    """Fixes the numbers that programs need to know.

    These are the lengths of Fourier transforms, and how convolutions move, which are symbols where
    they are arguments of the user's function. It is called while TorchDynamo still records what
    graphs assume of sizes.
    """
    for node in graph_module.graph.nodes:
        name = operator_name(node.target) if node.op == "call_function" else ""
        if name in FOURIER_TRANSFORMS:
            for value in (example_of(node.args[0]), node.meta["val"]):
                for dimension in node.args[1]:
                    pytorch.fix_size(value.shape[dimension])
        if name in MOVEMENTS:
            place = MOVEMENTS[name]
            node.args = (*node.args[:place], *map(fixed_number, node.args[place:]))


def fixed_number(argument: object) -> object:
    """An argument of a node, of which integers that vary are those of the example."""
    if isinstance(argument, list | tuple):
        return [fixed_number(item) for item in as_list(argument)]
    value = example_of(argument)
    return pytorch.fix_size(value) if is_symbolic_number(value) else argument


class Importer:
    """Imports one graph."""

    def __init__(self, graph_module: GraphModule, options: ImportOptions) -> None:
        self.graph_module = graph_module
        self.options = options
        self.sizes = SizeTable(Assumptions())
        self.block = Block(())
        self.graph = TensorGraph(self.block, self.sizes.assumptions)
        self.arguments: list[ImportedArgument] = []
        self.names: list[str] = []
        self.result_names: list[str] = []
        self.key: Tensor | None = None
        self.streams = 0
        self.storages: Mapping[int | None, int] = {}
        self.positions: Mapping[Node, int] = {}
        nodes = graph_module.graph.nodes
        self.has_half_complex = has_half_complex(node.meta.get("val") for node in nodes)

    def program(self) -> ImportedProgram:
        """The function ``main`` of the graph, and the roles of its arguments and results."""
        nodes = list(self.graph_module.graph.nodes)
        placeholders = [node for node in nodes if node.op == "placeholder"]
        environment = self.bound_placeholders(placeholders)
        results = self.walk(self.graph_module, self.graph, environment)
        if self.options.shares_arguments:
            self.storages = argument_storages(placeholders)
            self.positions = {node: i for i, node in enumerate(placeholders)}
        (output,) = [node for node in nodes if node.op == "output"]
        rows, values = self.result_rows(output, results, environment)
        self.graph.at(UNKNOWN)
        self.graph.builder.create(FuncReturn, values=[value.value for value in values])
        return ImportedProgram(
            main_module(
                self.block,
                [value.value.type for value in values],
                self.names if self.options.names else (),
                self.result_names if self.options.result_names else (),
            ),
            tuple(self.arguments),
            tuple(rows),
            self.key is not None,
            len(placeholders),
        )

    # arguments

    def bound_placeholders(self, placeholders: Sequence[Node]) -> dict[Node, object]:
        """The values of placeholders; symbols of sizes get theirs from shapes."""
        environment: dict[Node, Any] = {}
        for position, node in enumerate(placeholders):
            value: Any = node.meta.get("val")
            if node.name in self.options.constants:
                array = self.options.constants[node.name]
                environment[node] = constant(self.graph, array, element_of(value.dtype))
            elif is_tensor(value):
                environment[node] = self.tensor_argument(position, node, value)
        for node, argument in environment.items():
            self.bind_quotients(node.meta["val"], argument)
        for position, node in enumerate(placeholders):
            if node not in environment:
                environment[node] = self.number_argument(position, node)
        return environment

    def tensor_argument(self, position: int, node: Node, value: FakeTensor) -> Tensor:
        """A placeholder that is a tensor, in the order of its dimensions."""
        name = self.options.names.get(node.name, node.name)
        pytorch.reject_tensors([(f"the argument {name}", value)])
        # A forward graph hands its own arguments on to the backward graph as they are.
        is_handed_on = self.options.keeps_strides and node.name.startswith("primals")
        is_expanded = self.options.expanded_arguments or is_handed_on
        repeated = repeated_sizes(value) if is_expanded else {}
        lying = value
        for dimension in repeated:
            lying = lying.narrow(dimension, 0, 1)
        shape = self.shape_of(lying)
        permutation = memory_order(lying) if self.options.keeps_strides else None
        has_parts, element = is_half_complex(value), element_of(value.dtype)
        if has_parts:
            shape, element = (*shape, 2), F16
            permutation = None if permutation is None else (*permutation, value.ndim)
        stored = shape if permutation is None else tuple([shape[i] for i in permutation])
        argument = self.argument(node, stored, element)
        # TorchDynamo checks whether arguments are negated, nobody checks gradients.
        may_be_lazy = value.is_complex() or value.is_neg() or node.name.startswith("tangents")
        self.arguments.append(
            ImportedArgument(
                position, permutation=permutation, repeated=repeated, may_be_lazy=may_be_lazy,
                has_parts=has_parts, lines=lines_of(value),
            )
        )  # fmt: skip
        if permutation is not None:
            argument = transpose(argument, inverse(permutation))
        if repeated:
            argument = argument.broadcast_to(self.shape_of(value))
        if has_parts:
            argument = from_parts(argument)
        self.bind_shape(self.graph, value, argument)
        return argument

    def number_argument(self, position: int, node: Node) -> object:
        """A placeholder that is a number: known, a size, or an argument of the program."""
        value = node.meta.get("val")
        if value is None or isinstance(value, int | float | str):
            return value
        is_float = type(value).__name__ == "SymFloat"
        if not is_float and not is_symbol(value):
            return self.size_or_expression(value)
        if not is_float:
            size = self.sizes.symbol(value)
            if self.graph.is_bound(size):
                return size
        argument = self.argument(node, (), F64 if is_float else INT64)
        self.arguments.append(ImportedArgument(position, is_size=True))
        if is_float:
            return argument
        size = self.sizes.symbol(value)
        self.graph.bind(size, argument.value)
        return size

    def size_or_expression(self, value: object) -> object:
        """A number of PyTorch as a size."""
        if is_symbolic_number(value) and type(value).__name__ == "SymInt":
            return self.sizes.size(value)
        raise UnsupportedError(f"a graph with an argument of type {type(value).__name__}")

    def argument(self, node: Node, shape: Shape, element: ElementType) -> Tensor:
        """A new argument of the function."""
        name = self.options.names.get(node.name, node.name)
        return Tensor(self.graph, self.named_argument(name, shape, element), shape)

    def named_argument(self, name: str, shape: Shape, element: ElementType) -> Value[TensorType]:
        """A new argument of the function, which is called so."""
        self.names.append(name)
        return self.block.add_argument(type_of(shape, element), NameLocation(name, UNKNOWN))

    def random_key(self) -> Tensor:
        """The key of random numbers: the last argument."""
        if self.key is None:
            argument = self.named_argument(RANDOM_KEY, (), INT64)
            self.key = bitcast(Tensor(self.graph, argument, ()), WORD)
        return self.key

    def shape_of(self, value: FakeTensor) -> Shape:
        """The sizes of a fake tensor."""
        return tuple([self.sizes.size(size) for size in value.shape])

    # the walk

    def walk(
        self, graph_module: GraphModule, graph: TensorGraph, environment: dict[Node, object]
    ) -> list[object]:
        """The results of a graph whose placeholders have values."""
        checks = nodes_for_checks(graph_module.graph.nodes)
        for node in graph_module.graph.nodes:
            if node.op == "get_attr":
                environment[node] = self.attribute(graph_module, graph, node)
            elif node.op == "call_function" and node not in checks:
                graph.at(location_of(node))
                environment[node] = self.call(graph, node, environment)
            elif node.op == "output":
                return as_list(self.argument_value(node.args[0], environment))
        raise AssertionError("a graph without an output")

    def attribute(self, graph_module: GraphModule, graph: TensorGraph, node: Node) -> object:
        """A tensor that the graph holds, or a graph inside it."""
        value = operator.attrgetter(node.target)(graph_module)
        if not is_tensor(value):
            return value
        return constant(graph, pytorch.array_of_tensor(value), element_of(value.dtype))

    def call(self, graph: TensorGraph, node: Node, environment: Mapping[Node, Any]) -> Any:
        """The result of a node that calls an operator."""
        value = value_of(node)
        if node.target is operator.getitem:
            sequence, index = self.argument_value(node.args, environment)
            return self.number(graph, value, sequence[index])
        name = operator_name(node.target)
        if name == WITH_EFFECTS and operator_name(node.args[1]).startswith(CHECKING):
            return [self.argument_value(node.args[0], environment)]
        is_custom = pytorch.is_custom_operator(node.target)
        if type(value).__name__ == "SymInt" and not is_custom:
            return self.symbolic_number(graph, node, value, environment)
        lowering = lowerings().get(name)
        if lowering is None and is_custom:
            lowering = OperatorLowering(partial(custom_operator, node.target))
        if lowering is None:
            for result in as_list(value):
                reject_result(result, node)
            raise missing_translation(name, node)
        try:
            result = self.apply_lowering(lowering, name, graph, node, environment)
        except UnsupportedError as error:
            raise with_user_line(error, node) from None
        except Exception as error:
            if not lowering.is_users:
                raise
            raise with_user_line(lowering_failure(name, error), node) from error
        self.bind_sizes(graph, as_list(value), as_list(result))
        if name in VIEWS_AT_INDICES and is_tensor(value):
            self.bind_offset(graph, node, environment)
        return self.number(graph, value, self.with_shapes(value, result))

    def with_shapes(self, value: Any, result: Any) -> Any:
        """Results with the sizes that PyTorch has for them, which are equal but may be others."""
        if isinstance(result, list):
            pairs = zip(as_list(value), as_list(result), strict=False)
            return [self.with_shapes(one, item) for one, item in pairs]
        if not isinstance(result, Tensor) or result.is_static or not is_tensor(value):
            return result
        return Tensor(result.graph, result.value, self.shape_of(value))

    def bind_sizes(
        self, graph: TensorGraph, values: Sequence[object], results: Sequence[object]
    ) -> None:
        """Gives sizes that depend on values theirs: those of the results that have them."""
        for value, result in zip(values, results, strict=False):
            if is_tensor(value) and isinstance(result, Tensor):
                self.bind_shape(graph, value, result)

    def bind_shape(self, graph: TensorGraph, value: FakeTensor, tensor: Tensor) -> None:
        """Gives the symbols in the shape of a tensor their values, those that have none yet."""
        for dimension, raw in enumerate(value.shape):
            if is_symbol(raw) or self.sizes.is_computed(raw):
                size = self.sizes.symbol(raw)
                if not graph.is_bound(size):
                    graph.bind_dimension(size, tensor.value, dimension)
            else:
                self.bind_derived(graph, raw, tensor, dimension)

    def bind_derived(
        self, graph: TensorGraph, raw: TorchSize, tensor: Tensor, dimension: int
    ) -> None:
        """Gives a symbol its value by a dimension whose size is a multiple of it and a number."""
        line = line_of(raw)
        if line is None or isinstance(raw, int):
            return
        symbol, slope, start = line
        size = self.sizes.variable(symbol, raw)
        if not graph.is_bound(size):
            graph.bind_dimension(size, tensor.value, dimension, factor=slope, summand=start)

    def bind_quotients(self, value: FakeTensor, tensor: Tensor) -> None:
        """Gives a quotient of a symbol without a value its own, by a dimension of that size.

        A backward graph may have the halves of an image, and not the image.
        """
        for dimension, raw in enumerate(value.shape):
            size = self.sizes.size(raw)
            if isinstance(size, int) or self.graph.is_known(size):
                continue
            terms = dict(size.terms)
            start = terms.pop((), 0)
            match list(terms.items()):
                case [((number,), slope)] if self.graph.is_derived(number):
                    quotient = SymbolicSize(size.assumptions, {(number,): 1})
                    self.graph.bind_dimension(
                        quotient, tensor.value, dimension, factor=slope, summand=start
                    )
                case _:
                    pass

    def bind_offset(self, graph: TensorGraph, node: Node, environment: Mapping[Node, Any]) -> None:
        """Gives a place in memory that depends on values its value: the place of an index."""
        place = node.meta["val"].storage_offset()
        if not is_symbol(place) or graph.is_bound(self.sizes.symbol(place)):
            return
        base = example_of(node.args[0])
        dimension, index = self.argument_value(node.args[1:3], environment)
        first, step, size = map(
            self.sizes.size,
            (base.storage_offset(), base.stride(dimension), base.shape[dimension]),
        )  # fmt: skip
        offset = size_tensor(graph, first, INT64)
        offset += index_tensor(graph, index, size) * size_tensor(graph, step, INT64)
        graph.bind(self.sizes.symbol(place), offset.value)

    def apply_lowering(
        self, lowering: OperatorLowering, name: str, graph: TensorGraph, node: Node,
        environment: Mapping[Node, Any],
    ) -> Any:  # fmt: skip
        """The results of an operator by its function."""
        positional, keywords = self.bound_arguments(node, environment)
        kept = lowering.accepted_keywords(keywords)
        self.streams += 1
        values = as_list(value_of(node))
        types = [self.type_of_value(v) for v in flatten(values)]
        self.sizes.bind_computed(graph, values[0])
        call = Call(
            graph, name, types, self.random_key, self.streams,
            [is_row_major(argument) for argument in node.args], example_of(node.args),
            self.subgraph,
        )  # fmt: skip
        inputs = [within(graph, argument) for argument in positional]
        is_half = self.has_half_complex and has_half_complex([*call.examples, *values])
        inputs = widen(inputs) if is_half else inputs
        result = lowering.function(call, *inputs, **{k: within(graph, v) for k, v in kept.items()})
        result = round_results(result, values) if is_half else result
        if lowering.is_users:
            check_results(name, result, types)
        return with_inferred_types(name, result, types)

    def type_of_value(self, value: object) -> tuple[Shape, ElementType] | None:
        """The shape and element type of a fake tensor or number; None of anything else."""
        if is_tensor(value):
            return self.shape_of(value), element_of(value.dtype)
        element: ElementType | None = NUMBERS.get(type(value).__name__)
        return None if element is None else ((), element)

    def symbolic_number(
        self,
        graph: TensorGraph,
        node: Node,
        value: SymbolicNumber,
        environment: Mapping[Node, object],
    ) -> SizeLike:  # fmt: skip
        """An integer that PyTorch computes from sizes, or reads from a tensor."""
        if operator_name(node.target) in ("aten._local_scalar_dense.default", "aten.item.default"):
            self.number(graph, value, self.argument_value(node.args[0], environment))
        size = self.sizes.size(value)
        self.sizes.bind_computed(graph, value)
        return size

    def number(self, graph: TensorGraph, value: Any, result: Any) -> Any:
        """A value of the graph; a scalar that PyTorch knows as an integer is a size."""
        if type(value).__name__ == "SymBool" and isinstance(result, Tensor):
            self.bind_truth(graph, value, result)
        if type(value).__name__ != "SymInt":
            return result
        size = self.sizes.size(value)
        if is_symbol(value) and isinstance(size, SymbolicSize) and not graph.is_bound(size):
            number = result if isinstance(result, Tensor) else size_tensor(graph, result, INT64)
            graph.bind(size, reshape(number, ()).convert(INT64).value)
        return size

    def bind_truth(self, graph: TensorGraph, value: SymbolicNumber, result: Tensor) -> None:
        """Gives the symbol that a boolean of a tensor is read as its value: 1 if it is true."""
        expression = value.node.expr
        if type(expression).__name__ != "Equality" or not expression.args[0].is_Symbol:
            return
        symbol, number = expression.args
        size = self.sizes.variable(symbol, value)
        if not graph.is_bound(size) and number.is_Number and int(number) == 1:
            graph.bind(size, reshape(result, ()).convert(INT64).value)

    def bound_arguments(
        self, node: Node, environment: Mapping[Node, Any]
    ) -> tuple[list[object], dict[str, object]]:
        """The arguments of a node, those left out filled in from the operator's schema."""
        positional = list(self.argument_value(node.args, environment))
        keywords = {k: self.argument_value(v, environment) for k, v in node.kwargs.items()}
        return pytorch.filled_arguments(node.target, positional, keywords)

    def argument_value(self, argument: Any, environment: Mapping[Node, Any]) -> Any:
        """An argument of a node: values of nodes, sizes and element types of ours."""
        if isinstance(argument, tuple | list):
            return [self.argument_value(item, environment) for item in as_list(argument)]
        if argument is None or isinstance(argument, bool | int | float | complex | str):
            return argument
        kind = type(argument).__name__
        if kind == "Node":
            return environment[argument]
        if kind == "dtype":
            return element_of(argument)
        return self.sizes.size(argument) if kind == "SymInt" else argument

    def subgraph(
        self, module: GraphModule, graph: TensorGraph, arguments: Sequence[object]
    ) -> list[object]:
        """The results of a graph of a higher-order operator, created in a region."""
        placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
        location = graph.builder.location
        values = [
            self.number(graph, node.meta.get("val"), within(graph, argument))
            for node, argument in zip(placeholders, arguments, strict=True)
        ]
        results = self.walk(module, graph, dict(zip(placeholders, values, strict=True)))
        graph.at(location)
        return results

    # results

    def result_rows(
        self, output: Node, results: Sequence[object], environment: Mapping[Node, object]
    ) -> tuple[list[ImportedResult], list[Tensor]]:
        """The results of the graph, and the values that the function returns."""
        nodes = as_list(output.args[0])
        rows: list[ImportedResult] = []
        values: list[Tensor] = []
        kept = range(len(nodes)) if self.options.kept_results is None else self.options.kept_results
        views: list[tuple[int, int | None, Node]] = []
        places: dict[Node, int] = {}
        shown = {nodes[i] for i in kept if self.lies_as_in_pytorch(i) and storage_of(nodes[i])}
        bases = storage_bases(self.graph_module.graph.nodes, shared_storages(shown))
        for number in kept:
            node = nodes[number]
            argument = self.argument_of_view(number, node)
            is_view = node in shown and self.is_view(node, bases)
            if (row := self.known_row(number, node, places, rows)) is not None:
                rows.append(row)
                continue
            if self.lies_as_in_pytorch(number):
                places[node] = len(rows)
            if argument is not None or is_view:
                views.append((len(rows), argument, node))
                rows.append(ImportedResult(None))
                continue
            row, value = self.result(number, node, results[number], len(values))
            rows.append(row)
            if value is not None:
                values.append(value)
                self.result_names.append(self.options.result_names.get(number, ""))
            if self.repeated_dimensions(number, node):
                view = self.view_of(node, None, values)
                rows[-1] = replace(row, view=replace(view, offset=0))
        positions = {base: rows[places[base]].position for base in bases.values() if base in places}
        for place, argument, node in views:
            base = None if argument is not None else bases[storage_of(node)]
            if base is not None and base not in positions:
                positions[base] = len(values)
                values.append(self.in_memory_order(base, environment))
            position = None if base is None else positions[base]
            rows[place] = ImportedResult(position, view=self.view_of(node, argument, values))
        return rows, values

    def known_row(
        self, number: int, node: object, places: Mapping[Node, int], rows: Sequence[ImportedResult]
    ) -> ImportedResult | None:
        """A result that is an argument itself, or an earlier result; None of others.

        A result that lies as graphs read arguments is no earlier one that lies otherwise.
        """
        if not hasattr(node, "meta") or not self.options.shares_arguments:
            return None
        node = cast(Node, node)
        if node.op == "placeholder":
            return ImportedResult(None, argument=self.positions[node])
        place = places.get(node)
        if place is None or not is_tensor(example_of(node)):
            return None
        is_plain = rows[place].view is None and rows[place].position is not None
        return (
            ImportedResult(None, same_as=place)
            if (is_plain or self.lies_as_in_pytorch(number))
            else None
        )

    def is_view(self, node: Node, bases: Mapping[int | None, Node]) -> bool:
        """Whether a result lies in the memory of another value of the graph."""
        base = bases.get(storage_of(node))
        return base is not None and base is not node and self.knows_layout(node)

    def in_memory_order(self, base: Node, environment: Mapping[Node, Any]) -> Tensor:
        """The value of a node whose dimensions lie in the order of memory."""
        order = memory_order(base.meta["val"])
        value: Tensor = environment[base]
        return value if order is None else transpose(value, order)

    def lies_as_in_pytorch(self, number: int) -> bool:
        """Whether a result lies as PyTorch's also if that is not densely, as far as it can."""
        last = self.options.expanded_results
        return last is None or number < last

    def repeated_dimensions(self, number: int, node: Node) -> Sequence[int]:
        """The dimensions of a result along which it repeats elements that lie once in memory."""
        value = example_of(node)
        if not self.lies_as_in_pytorch(number) or not is_tensor(value) or is_half_complex(value):
            return []
        return repeated_dimensions(value)

    def argument_of_view(self, number: int, node: Node) -> int | None:
        """The placeholder in whose memory a result of the graph lies.

        None if there is none, or where results need not lie as PyTorch's, this one does not lie
        densely, and its place is known.
        """
        value = example_of(node)
        if not self.storages or not is_tensor(value) or node.op == "placeholder":
            return None
        is_known = all(isinstance(size, int) for size in layout_of(value))
        if is_known and not self.lies_as_in_pytorch(number) and not is_dense(value):
            return None
        return self.storages.get(storage_of(node))

    def knows_layout(self, node: Node) -> bool:
        """Whether the program knows all sizes, distances and the place of a result in memory."""
        return self.sizes.are_known(self.graph, layout_of(node.meta["val"]))

    def view_of(self, node: Node, argument: int | None, values: list[Tensor]) -> ResultView:
        """How a result lies in memory; numbers that vary become results of the program."""
        value = node.meta["val"]
        numbers = [self.number_of_view(node, size, values) for size in layout_of(value)]
        rank = value.ndim
        return ResultView(
            tuple(numbers[:rank]), tuple(numbers[rank:-1]), numbers[-1], value.dtype, argument,
            is_tracked=operator_name(node.target) not in UNTRACKED_VIEWS,
            is_conjugate=argument is not None and value.is_conj(),
            is_negative=argument is not None and value.is_neg(),
        )  # fmt: skip

    def number_of_view(
        self, node: Node, raw: TorchSize, values: list[Tensor]
    ) -> int | NumberResult:
        """A size, a distance or a place as a number, or the result of the program that it is.

        Raises:
            UnsupportedError: The program does not know it.
        """
        if isinstance(raw, int):
            return raw
        size = self.sizes.size(raw)
        if isinstance(size, int):
            return size
        self.sizes.bind_computed(self.graph, raw)
        if not self.graph.is_known(size):
            raise with_user_line(
                UnsupportedError("a view of an argument lies at a place that is not known"), node
            )
        values.append(size_tensor(self.graph, size, INT64))
        return NumberResult(len(values) - 1)

    def result(
        self, number: int, node: Node, result: object, position: int
    ) -> tuple[ImportedResult, Tensor | None]:
        """A result of the graph, and what the function returns for it at this position."""
        if isinstance(result, SymbolicSize):
            size = size_tensor(self.graph, result, INT64)
            return ImportedResult(position, is_number=True), size
        if not isinstance(result, Tensor):
            return ImportedResult(None, value=result), None
        fake: Any = node.meta.get("val")
        is_number = not is_tensor(fake)
        if not is_number and node.op != "placeholder":
            reject_result(fake, node)
        for dimension in reversed(self.repeated_dimensions(number, node)):
            result, fake = take_index(result, dimension, 0), fake.select(dimension, 0)
        keeps = self.options.keeps_strides and not is_number
        order = order_of_result if self.lies_as_in_pytorch(number) else memory_order
        permutation = order(fake) if keeps else None
        has_parts = is_half_complex(fake)
        if has_parts:
            result = to_parts(result)
            permutation = None if permutation is None else (*permutation, fake.ndim)
        row = ImportedResult(position, is_number, permutation=permutation, has_parts=has_parts)
        return row, result if permutation is None else transpose(result, permutation)


def repeated_sizes(value: FakeTensor) -> dict[int, int]:
    """The sizes of dimensions along which a tensor repeats elements that lie densely in memory.

    Of complex numbers of 16-bit floats, and of sizes that vary, there are none.
    """
    if is_half_complex(value):
        return {}
    sizes = {i: value.shape[i] for i in repeated_dimensions(value)}
    known = {i: size for i, size in sizes.items() if isinstance(size, int)}
    return known if len(known) == len(sizes) else {}


def order_of_result(value: FakeTensor) -> tuple[int, ...] | None:
    """The dimensions of a result in the order in which they lie in memory.

    A result between whose elements PyTorch leaves gaps lies densely, in the same order.
    """
    repeats = any(pytorch.example_size(stride) == 0 for stride in value.stride())
    return memory_order(value) if repeats else stride_order(value)


def is_tensor(value: object) -> TypeGuard[FakeTensor]:
    """Whether a value of PyTorch is a tensor."""
    return hasattr(value, "dtype") and hasattr(value, "shape")


def is_symbol(value: object) -> TypeGuard[SymbolicNumber]:
    """Whether a number of PyTorch is a symbol."""
    return is_symbolic_number(value) and value.node.expr.is_Symbol


def line_of(value: object) -> tuple[SympyExpression, int, int] | None:
    """The symbol, the factor and the summand of a size such as ``2*s0 + 1``; None of others."""
    if not is_symbolic_number(value):
        return None
    start, multiple = value.node.expr.as_coeff_Add()
    slope, symbol = multiple.as_coeff_Mul()
    if not (symbol.is_Symbol and slope.is_Integer and start.is_Integer):
        return None
    return symbol, int(slope), int(start)


def lines_of(value: FakeTensor) -> dict[int, tuple[str, int, int]]:
    """The lines of the sizes of a fake tensor, by dimension."""
    found = {number: line_of(size) for number, size in enumerate(value.shape)}
    return {n: (str(line[0]), *line[1:]) for n, line in found.items() if line is not None}


def value_of(node: Node) -> Any:
    """The fake tensors of a node; PyTorch notes none of operators whose random state it saves."""
    place = SAVED_STATES.get(operator_name(node.target))
    if place is None or "val" in node.meta:
        return node.meta.get("val")
    target, *arguments = node.args[place:]
    keywords = {name: example_of(argument) for name, argument in node.kwargs.items()}
    result = pytorch.fake_result(target, example_of(arguments), keywords, first_fake(node.graph))
    states = [user for user in node.users if user.target is operator.getitem and not user.args[1]]
    node.meta["val"] = result if place else [example_of(states[0]) if states else None, result]
    return node.meta["val"]


def first_fake(graph: Graph) -> FakeTensor:
    """A fake tensor of a graph."""
    return next(value for node in graph.nodes if is_tensor(value := node.meta.get("val")))


def flatten(values: Sequence[object]) -> list[object]:
    """The items of a list, of which those that are lists themselves are taken apart."""
    return [item for value in values for item in as_list(value)]


def example_of(argument: object) -> Any:
    """An argument of a node with fake tensors and symbols in the place of nodes."""
    if isinstance(argument, tuple | list):
        return [example_of(item) for item in as_list(argument)]
    return cast(Node, argument).meta.get("val") if hasattr(argument, "meta") else argument


def storage_of(node: object) -> int | None:
    """The storage of a result that is a tensor; None of anything else."""
    value = example_of(node)
    return pytorch.storage_key(value) if is_tensor(value) else None


def layout_of(value: FakeTensor) -> tuple[TorchSize, ...]:
    """The sizes of a fake tensor, its strides, and its place in its storage."""
    return (*value.shape, *value.stride(), value.storage_offset())


def argument_storages(placeholders: Sequence[Node]) -> dict[int | None, int]:
    """The placeholder that each storage belongs to."""
    values = [example_of(node) for node in placeholders]
    return {pytorch.storage_key(v): i for i, v in enumerate(values) if is_tensor(v)}


def shared_storages(nodes: Iterable[Node]) -> set[int | None]:
    """The storages in which several of these results lie, or one lies where PyTorch asks for it."""
    counts = Counter(map(storage_of, nodes))
    return {storage_of(node) for node in nodes if counts[storage_of(node)] > 1 or is_part(node)}


def is_part(node: object) -> bool:
    """Whether a result lies in a part of a storage where PyTorch asks it for its place.

    It leaves gaps between its elements, as far as the example tells, or begins later where sizes
    vary: there AOTAutograd creates views by the place of the result, elsewhere by their operators.
    """
    value = example_of(node)
    if not is_tensor(value) or not has_elements(value) or is_half_complex(value):
        return False
    offset = value.storage_offset()
    begins_later = not isinstance(offset, int) or offset > 0
    varies = not all(isinstance(size, int) for size in layout_of(value))
    return (varies and begins_later) or not (is_dense(value) or repeated_dimensions(value))


def has_elements(value: FakeTensor) -> bool:
    """Whether a tensor has elements in the example; not if its size depends on values."""
    return bool(pytorch.example_size(value.numel()))


def is_dense(value: FakeTensor) -> bool:
    """Whether elements lie one after the other, in any order of dimensions."""
    return is_contiguous(value) or memory_order(value) is not None


def storage_bases(nodes: Iterable[Node], wanted: Set[int | None]) -> dict[int | None, Node]:
    """For each storage the first node that calls an operator and lies in all of it, if any does."""
    bases: dict[int | None, Node] = {}
    for node in nodes if wanted else ():
        storage = storage_of(node) if node.op == "call_function" else None
        if storage in wanted and storage not in bases:
            value = node.meta["val"]
            if is_base(value):
                bases[storage] = node
    return bases


def is_base(value: FakeTensor) -> bool:
    """Whether a tensor lies densely in all of its storage, and views of it can be created."""
    return (
        is_dense(value) and has_elements(value) and pytorch.fills_storage(value)
        and not is_half_complex(value)
    )  # fmt: skip


def is_row_major(argument: object) -> bool:
    """Whether an argument of a node is a tensor that lies in row-major order in PyTorch."""
    value = example_of(argument)
    return is_tensor(value) and is_contiguous(value)


def nodes_for_checks(nodes: Iterable[Node]) -> set[Node]:
    """The nodes that check something, and those of numbers that nothing but checks need."""
    found: set[Node] = set()
    for node in reversed(list(nodes)):
        if node.op != "call_function":
            continue
        if node.users:
            is_number = type(node.meta.get("val")).__name__ in NUMBERS
            is_needless = is_number and found.issuperset(node.users)
        else:
            is_needless = operator_name(node.target) in CHECKS
        if is_needless:
            found.add(node)
    return found


def reject_result(value: object, node: Node) -> None:
    """Refuses results that no program has, such as tensors on other devices.

    Raises:
        UnsupportedError: It is one.
    """
    try:
        pytorch.reject_tensors([(f"the result {node.name}", value)])
    except UnsupportedError as error:
        raise with_user_line(error, node) from None


def missing_translation(name: str, node: Node) -> UnsupportedError:
    """The error for an operator without a translation."""
    return with_user_line(
        UnsupportedError(
            f"no translation of the operator {name} to StableHLO; register one with "
            f'@stablemate.torch_lowering("{registered_name(name)}"), or let PyTorch run such '
            "graphs of torch.compile: torch._dynamo.config.suppress_errors = True"
        ),
        node,
    )


def with_user_line(error: UnsupportedError, node: Node) -> UnsupportedError:
    """An error with the line of the user's program that a node stands for."""
    line = user_line(node)
    return UnsupportedError(f"{error}\n{line}") if line else error
