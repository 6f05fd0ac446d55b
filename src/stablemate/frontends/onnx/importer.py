"""Models of ONNX to programs: a walk over the nodes of a graph.

Source: ONNX, Intermediate Representation.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import (
    LimitError,
    ParseError,
    StablemateError,
    UnsupportedError,
    VerifyError,
)
from stablemate.dialects.func import Return as FuncReturn
from stablemate.frontends.onnx import onnx_package
from stablemate.frontends.onnx.attribute_choices import wrong_choice
from stablemate.frontends.onnx.call import RANDOM_KEY, Call
from stablemate.frontends.onnx.element_types import STRING, element_of, known_element
from stablemate.frontends.onnx.function_calls import MOST_INLINED, graphs_in, reject_expanding
from stablemate.frontends.onnx.model import (
    DEFAULT_DOMAIN,
    AttributeReference,
    Graph,
    LocalFunction,
    Model,
    Node,
    StoredTensor,
    ValueInfo,
    ValueType,
)
from stablemate.frontends.onnx.stored_numbers import StoredNumbers
from stablemate.frontends.onnx.table import Row, require_axes, row_of
from stablemate.frontends.onnx.text_tensors import (
    MapPlace,
    MapSequence,
    StringTable,
    TextPlace,
    TextTensor,
)
from stablemate.frontends.onnx.validity import inputs_text, reject_contradicting, reject_invalid
from stablemate.frontends.tensor_functions.elementwise import bitcast
from stablemate.frontends.tensor_functions.graph import Shape, TensorGraph, type_of
from stablemate.frontends.tensor_functions.known_values import KnownValues
from stablemate.frontends.tensor_functions.programs import (
    as_list,
    drop_unused,
    main_module,
    within,
)
from stablemate.frontends.tensor_functions.random_numbers import WORD
from stablemate.frontends.tensor_functions.tensor import Tensor, constant
from stablemate.ir import core
from stablemate.ir.core import Block, BlockArgument, Value
from stablemate.ir.equality import VerifiedForms
from stablemate.ir.locations import UNKNOWN, NameLocation
from stablemate.numerics.elements import Array, ElementType, FloatType, IntegerType
from stablemate.numerics.size_functions import holds
from stablemate.numerics.symbolic_sizes import Assumptions, SizeValueError, SymbolicSize

NCHWC_ADVICE: Final = (
    " (layouts of one processor, which ONNX Runtime writes above ORT_ENABLE_EXTENDED)"
)
INT64: Final = IntegerType(64)
MOST_NESTED: Final = 12  # graphs inside of others
MOST_LISTED: Final = 8  # nodes that a message lists
TYPICAL: Final = 8  # value of a size with a name
# What functions of operators run into if a model has too many inputs, or ones that do not fit.
UNFIT: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError,
)  # fmt: skip
# Operators whose attribute axis is a dimension of the first input.
BY_AXIS: Final = frozenset({
    "ArgMax", "ArgMin", "Compress", "Concat", "Gather", "GatherElements", "Hardmax",
    "LayerNormalization", "LogSoftmax", "LpNormalization", "RMSNormalization", "Scatter",
    "ScatterElements", "Softmax", "Split", "TopK", "Unique",
})  # fmt: skip
Item: TypeAlias = Any  # Tensor | TextTensor | MapSequence | list | Array of strings | None
Environment: TypeAlias = dict[str, Item]
# Numbers of arguments or results; an array are strings that are known.
Structure: TypeAlias = "int | TextPlace | MapPlace | list[Structure] | Array | None"


@dataclass(frozen=True, slots=True)
class TensorInput:
    """The shape and element type that an input has, where a model leaves them open.

    Attributes:
        shape: Its sizes.
        element: Its element type; None if it has strings.
    """

    shape: tuple[int, ...]
    element: ElementType | None


InputType: TypeAlias = "TensorInput | list[InputType] | None"


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How a model is imported.

    Attributes:
        values: The values of inputs that are constants of the program, by name.
        passed: Those among them that are arguments all the same, which nothing reads.
        types: The shapes of inputs, by name; by default those that the model declares. A list are
            those of the items of a sequence, None is an optional without a value.
        sizes: Sizes that the model leaves open, by their names; see ``size_name``.
        typical: Typical values of others, for which what the program assumes of sizes holds.
        typical_size: That of those which are not among them.
        texts: Where strings have their numbers; by default no input has strings.
        weights_are_arguments: Whether initializers of floats, scalars aside, are further arguments.
        declarations_hold: Whether a shape that contradicts the declared one, without sizes that
            vary, is an error; else it is a warning, as in ONNX Runtime.
    """

    values: Mapping[str, Array] = field(default_factory=dict[str, Array])
    passed: frozenset[str] = frozenset()
    types: Mapping[str, InputType] = field(default_factory=dict[str, InputType])
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    typical: Mapping[str, int] = field(default_factory=dict[str, int])
    typical_size: int = TYPICAL
    texts: StringTable | None = None
    weights_are_arguments: bool = False
    declarations_hold: bool = True


@dataclass(frozen=True)
class ImportedProgram:
    """A model as a program.

    Attributes:
        module: Its function is called ``main``.
        inputs: For each input of the model that is no constant, the arguments that it is.
        results: For each output of the model, the results that it is.
        texts: The strings that numbers of it stand for.
        weights: The initializers that are arguments, in the order of these, after the inputs.
        is_random: Whether a key of random numbers is the last argument.
        sizes: The sizes by their names that calls may choose.
        assumptions: What the program assumes of them; its variables are these sizes, in order.
    """

    module: core.Module
    inputs: Mapping[str, Structure]
    results: Sequence[Structure]
    texts: StringTable
    weights: Sequence[str]
    is_random: bool
    sizes: Sequence[str]
    assumptions: Assumptions

    @cached_property
    def fulfills(self) -> Callable[..., bool]:
        """A function from the sizes to whether they fulfill what the program assumes of them."""
        return holds(self.assumptions)


def import_model(model: Model, options: ImportOptions | None = None) -> ImportedProgram:
    """A model as a program.

    Args:
        model: The model.
        options: How it is imported.

    Raises:
        UnsupportedError: Operators have no translation: all of them are listed, with their nodes.
            It is a ``ValueNeededError`` if the values of some inputs must be known.
        ParseError: The graph is damaged: a node reads what no node before it writes.
        VerifyError: A shape contradicts the one that the model declares.
    """
    reject_malformed(model)
    return Importer(model, options or ImportOptions()).program()


class Importer:
    """Imports one model."""

    def __init__(self, model: Model, options: ImportOptions) -> None:
        self.model = model
        self.options = options
        self.block = Block(())
        self.graph = TensorGraph(self.block, Assumptions())
        self.known = KnownValues()
        self.verified = VerifiedForms()
        self.texts = StringTable() if options.texts is None else options.texts
        self.origins: dict[Value[Any], StoredNumbers] = {}
        self.names: list[str] = []
        self.sizes: dict[str, SymbolicSize] = {}
        self.key: Tensor | None = None
        self.streams = 0
        self.depth = 0  # graphs around the node that is translated
        self.inlined: list[tuple[str, str]] = []  # functions around the node that is translated
        self.inlined_nodes = 0

    # the program

    def program(self) -> ImportedProgram:
        """The function ``main`` of the model's graph, and its inputs and outputs."""
        graph = self.model.graph
        environment: Environment = {}
        inputs: dict[str, Structure] = {}
        for value in graph.inputs:
            if value.name not in graph.initializers:
                environment[value.name], inputs[value.name] = self.input(value)
        weights = self.weight_arguments(environment)
        results = self.walk(graph, self.graph, environment, self.model.versions)
        flat: list[Tensor] = []
        names: list[str] = []
        structures = [
            self.structure_of(value.name, result, flat, names)
            for value, result in zip(graph.outputs, results, strict=True)
        ]
        self.graph.at(UNKNOWN)
        self.graph.builder.create(FuncReturn, values=[tensor.value for tensor in flat])
        drop_unused(self.block)
        types = [tensor.value.type for tensor in flat]
        module = main_module(self.block, types, self.names, names)
        return ImportedProgram(
            module, inputs, structures, self.texts, weights, self.key is not None,
            [*self.sizes], self.graph.assumptions,
        )  # fmt: skip

    def structure_of(
        self, name: str, result: Item, flat: list[Tensor], names: list[str]
    ) -> Structure:
        """Which results of the program an output of the model is; it adds them."""
        if isinstance(result, list):
            return [
                self.structure_of(f"{name}.{i}", item, flat, names)
                for i, item in enumerate(as_list(result))
            ]
        if result is None:
            return None
        place: Structure
        match result:
            case Tensor():
                tensor, place = result, len(flat)
            case TextTensor():
                tensor, place = result.numbers, TextPlace(len(flat))
            case MapSequence():
                tensor, place = result.scores, MapPlace(len(flat), result.keys)
            case _:
                strings: Array = result  # which are known
                return strings
        flat.append(tensor)
        names.append(name)
        return place

    # inputs

    def input(self, value: ValueInfo) -> tuple[Item, Structure]:
        """An input of the model, and which arguments of the program it is."""
        if value.name in self.options.values:
            array = self.options.values[value.name]
            if array.dtype == object:
                return array, None
            place = None
            if value.name in self.options.passed:
                element = element_of(value.type.data_type, f"the input {value.name!r}")
                _, place = self.argument(value.name, array.shape, element)
            return constant(self.graph, array), place
        if value.name in self.options.types:
            return self.typed_input(value.name, self.options.types[value.name])
        declared = value.type
        if declared.kind != "tensor":
            kind = declared.kind or "value without a type"
            raise UnsupportedError(
                f"the input {value.name!r} is a {kind}: how many tensors it has must be known "
                "before the model runs"
            )
        if declared.shape is None:
            raise UnsupportedError(f"the input {value.name!r} has no declared shape")
        shape = tuple([self.size(size, value.name, i) for i, size in enumerate(declared.shape)])
        if declared.data_type == STRING and self.options.texts is not None:
            return self.text_argument(value.name, shape)
        element = element_of(declared.data_type, f"the input {value.name!r}")
        return self.argument(value.name, shape, element)

    def typed_input(self, name: str, known: InputType) -> tuple[Item, Structure]:
        """An input whose type is stated."""
        if known is None:
            return None, None
        if isinstance(known, TensorInput):
            if known.element is None:
                return self.text_argument(name, known.shape)
            return self.argument(name, known.shape, known.element)
        pairs = [self.typed_input(f"{name}.{i}", item) for i, item in enumerate(known)]
        return [item for item, _ in pairs], [place for _, place in pairs]

    def size(self, size: int | str | None, name: str, dimension: int) -> int | SymbolicSize:
        """A declared size; one with a name, or an unknown one, is symbolic."""
        if isinstance(size, int):
            return size
        key = size_name(size, name, dimension)
        if key in self.options.sizes:
            return self.options.sizes[key]
        if key not in self.sizes:
            typical = self.options.typical.get(key, self.options.typical_size)
            self.sizes[key] = self.graph.assumptions.variable(typical)
        return self.sizes[key]

    def argument(self, name: str, shape: Shape, element: ElementType) -> tuple[Tensor, int]:
        """A new argument of the function, and its number."""
        self.names.append(name)
        location = NameLocation(name, UNKNOWN)
        value = self.block.add_argument(type_of(shape, element), location)
        self.graph.at(location)
        for dimension, size in enumerate(shape):
            if isinstance(size, SymbolicSize) and not self.graph.is_bound(size):
                self.graph.bind_dimension(size, value, dimension)
        return Tensor(self.graph, value, shape), len(self.names) - 1

    def text_argument(self, name: str, shape: Shape) -> tuple[TextTensor, TextPlace]:
        """A new argument of the function that is the numbers of strings."""
        numbers, place = self.argument(name, shape, INT64)
        return TextTensor(numbers), TextPlace(place)

    def weight_arguments(self, environment: Environment) -> list[str]:
        """Adds the initializers that are arguments to the environment; their names."""
        if not self.options.weights_are_arguments:
            return []
        names: list[str] = []
        for name, stored in self.model.graph.initializers.items():
            element = known_element(stored.data_type)
            if stored.shape and isinstance(element, FloatType):
                environment[name], _ = self.argument(name, stored.shape, element)
                names.append(name)
        return names

    def random_key(self) -> Tensor:
        """The key of random numbers: the last argument."""
        if self.key is None:
            argument, _ = self.argument(RANDOM_KEY, (), INT64)
            self.key = bitcast(argument, WORD)
        return self.key

    def argument_names(self, values: Sequence[Value[Any]]) -> list[str]:
        """The names of the model's inputs among some values, in the order of inputs."""
        numbers = {
            value.index
            for value in values
            if isinstance(value, BlockArgument) and value.block is self.block
        }
        return [self.names[number] for number in sorted(numbers)]

    # the walk

    def walk(
        self, graph: Graph, tensors: TensorGraph, environment: Environment,
        versions: Mapping[str, int],
    ) -> list[Item]:  # fmt: skip
        """The outputs of a graph, whose inputs and outer values an environment has."""
        for name, stored in graph.initializers.items():
            if graph is not self.model.graph or name not in environment:
                environment[name] = self.read_constant(stored, tensors)
        outputs = {output.name: output.type for output in graph.outputs}
        if graph is self.model.graph:
            types = {**graph.types, **outputs}
        else:  # sizes may change from step to step
            types = {**{k: replace(v, shape=None) for k, v in outputs.items()}, **graph.types}
        for node in order_nodes(graph.nodes, environment):
            self.call(node, tensors, environment, versions, types)
        return [self.value(output.name, environment, "the graph") for output in graph.outputs]

    def value(self, name: str, environment: Environment, reader: str) -> Item:
        """A value by its name; None for an input left out.

        Raises:
            ParseError: No node before writes it.
        """
        if not name:
            return None
        if name not in environment:
            raise ParseError(dangling_message(reader, name))
        return environment[name]

    def read_constant(self, stored: StoredTensor, graph: TensorGraph) -> Item:
        """A tensor of the model as a constant; strings are an array."""
        array = stored.read()
        if stored.data_type == STRING:
            return array
        return constant(graph, array, element_of(stored.data_type, f"the tensor {stored.name!r}"))

    def call(
        self, node: Node, graph: TensorGraph, environment: Environment, versions: Mapping[str, int],
        types: Mapping[str, ValueType],
    ) -> None:  # fmt: skip
        """Adds the outputs of a node to the environment."""
        graph.at(NameLocation(node.label or node.operator, UNKNOWN))
        inputs = [
            placed_in(graph, self.value(name, environment, f"the node {node.label!r}"))
            for name in node.inputs
        ]
        try:
            results = self.results(node, graph, environment, inputs, versions)
        except StablemateError as error:
            raise with_node(error, node) from error.__cause__
        for name, result in zip(node.outputs, results, strict=False):
            if name:
                environment[name] = result
                if name in types:
                    strict = self.options.declarations_hold
                    require_declared(name, result, types[name], node, is_strict=strict)

    def results(
        self, node: Node, graph: TensorGraph, environment: Environment, inputs: Sequence[Item],
        versions: Mapping[str, int],
    ) -> Sequence[Item]:  # fmt: skip
        """The outputs of a node."""
        version = versions.get(node.domain, 1)
        function = self.model.functions.get((node.domain, node.operator))
        if function is not None:
            return self.function(function, node, graph, inputs)
        types = [item_type(item) for item in inputs]
        row = row_of(node.domain, node.operator, version)
        require_taken(row, node, version)
        call = self.describe_call(node, graph, environment, versions)
        reject_contradicting(call, inputs, types)
        if row is None:
            body = onnx_package.body_of(node, version, types)
            if body is None:
                raise UnsupportedError(f"{node.qualified_operator} has no translation")
            return self.function(body, node, graph, inputs)
        first = len(graph.builder.block.operations)
        try:
            if node.operator in BY_AXIS and not node.domain and "axis" in node.attributes:
                require_axes([node.attributes["axis"]], len(inputs[0].shape))
            result = call_operator(row, call, inputs)
        except SizeValueError as error:  # a session makes a program for known sizes
            raise UnsupportedError(f"{node.qualified_operator}: {error}") from error
        except UNFIT as error:
            why = f"its inputs or attributes do not fit: {error}; {inputs_text(node, inputs)}"
            # With sizes that vary, known ones may fit: a session makes a program for those.
            is_open = not all(map(has_known_sizes, inputs))
            kind = UnsupportedError if is_open else ParseError
            raise kind(f"{node.qualified_operator}: {why}") from error
        reject_invalid(graph.builder.block.operations[first:], node, inputs, self.verified)
        return as_list(result) if isinstance(result, tuple) else [result]

    def describe_call(
        self, node: Node, graph: TensorGraph, environment: Environment, versions: Mapping[str, int]
    ) -> Call:
        """A call, as the function of its operator sees it."""
        self.streams += 1

        def subgraph(inner: Graph, target: TensorGraph, values: Sequence[Item]) -> list[Item]:
            if self.depth == MOST_NESTED:  # each level is walked twice
                raise UnsupportedError(f"graphs are nested more than {MOST_NESTED} deep")
            names = [value.name for value in inner.inputs]
            scope = {**environment, **dict(zip(names, values, strict=True))}
            location = target.builder.location
            self.depth += 1
            try:
                outputs = self.walk(
                    inner, target, {name: placed_in(target, item) for name, item in scope.items()},
                    versions,
                )  # fmt: skip
            finally:
                self.depth -= 1
            target.at(location)
            return outputs

        return Call(
            graph, node, versions.get(node.domain, 1), self.known, self.random_key, self.streams,
            subgraph, self.argument_names, self.texts, self.origins,
        )  # fmt: skip

    def function(
        self, function: LocalFunction, node: Node, graph: TensorGraph, inputs: Sequence[Item]
    ) -> Sequence[Item]:
        """The outputs of a call of a function, whose body is inlined.

        Raises:
            ParseError: The function calls itself.
            LimitError: Bodies of functions have too many nodes together.
        """
        key = function.domain, function.name
        if key in self.inlined:
            raise ParseError(f"the function {node.qualified_operator} calls itself")
        self.inlined_nodes += len(function.nodes)
        if self.inlined_nodes > MOST_INLINED:
            raise LimitError(f"calls of functions stand for more than {MOST_INLINED} nodes")
        if len(inputs) > len(function.inputs):
            raise ParseError(
                f"{node.qualified_operator} takes {len(function.inputs)} inputs, not {len(inputs)}"
            )
        padded = [*inputs, *[None] * (len(function.inputs) - len(inputs))]
        environment: Environment = dict(zip(function.inputs, padded, strict=True))
        attributes = {**function.defaults, **node.attributes}
        versions = {**self.model.versions, **function.versions}
        self.inlined.append(key)
        try:
            for inner in order_nodes(function.nodes, environment):
                named = replace(inner, name="/".join(filter(None, (node.label, inner.label))))
                resolved = with_attributes(named, attributes)
                self.call(resolved, graph, environment, versions, {})
        finally:
            self.inlined.pop()
        return [environment.get(name) for name in function.outputs]


def size_name(size: str | None, name: str, dimension: int) -> str:
    """The name of a size that a model leaves open; one without a name is ``input:dimension``."""
    return size or f"{name}:{dimension}"


def placed_in(graph: TensorGraph, item: Item) -> Item:
    """A value in a graph, where operations on it are created."""
    return item.within(graph) if isinstance(item, TextTensor) else within(graph, item)


def call_operator(row: Row, call: Call, inputs: Sequence[Item]) -> Any:
    """The result of the function of an operator, which gets strings in the form that it takes.

    Raises:
        UnsupportedError: It takes none.
    """
    if not any(map(has_strings, inputs)):
        return row.function(call, *inputs, **call.attributes)
    match row.strings:
        case "moved":
            numbers = [numbers_of(call, item) for item in inputs]
            result = row.function(call, *numbers, **call.attributes)
            if isinstance(result, Tensor):
                return TextTensor(result)
            return tuple(map(TextTensor, as_list(result)))
        case "known":
            known = [needed_strings(call, item) for item in inputs]
            return row.function(call, *known, **call.attributes)
        case "any":
            return row.function(call, *inputs, **call.attributes)
        case "refused":
            call.refuse("strings have no translation")


def require_taken(row: Row | None, node: Node, version: int) -> None:
    """Refuses a node with attributes or inputs that its operator or its translation does not take.

    Raises:
        UnsupportedError: Its translation does not.
        ParseError: Its operator does not.
    """
    onnx_package.require_count(node, version)
    taken = node.attributes.keys() if row is None or row.attributes is None else row.attributes
    unknown = node.attributes.keys() - taken
    if unknown:
        raise UnsupportedError(
            f"{node.qualified_operator}: the attributes {sorted(unknown)} have no translation"
        )
    why = onnx_package.contradiction_of(node, version)
    if not why and not node.domain:
        why = wrong_choice(node.operator, node.attributes)
    if why:
        raise ParseError(f"{node.qualified_operator}: {why}")
    more = [] if row is None else [name for name in node.inputs[row.inputs :] if name]
    if more and row is not None:
        raise UnsupportedError(
            f"{node.qualified_operator}: the inputs {more}, after the first {row.inputs}, have no "
            "translation"
        )


def has_strings(item: object) -> bool:
    """Whether a value is strings, known or not."""
    return isinstance(item, np.ndarray | TextTensor)


def has_known_sizes(item: Item) -> bool:
    """Whether a value is no tensor with sizes that vary."""
    return not isinstance(item, Tensor) or item.is_static


def numbers_of(call: Call, item: Item) -> Item:
    """The numbers of strings, which an operator moves in their place."""
    return call.text_numbers(item) if has_strings(item) else item


def needed_strings(call: Call, item: Item) -> Item:
    """Strings as an array.

    Raises:
        ValueNeededError: They are not known.
    """
    if not isinstance(item, TextTensor):
        return item
    return call.texts.strings(call.needed_array(item.numbers, "the strings"))


def order_nodes(nodes: Sequence[Node], available: Container[str]) -> list[Node]:
    """Nodes in an order in which each reads what others have written before it.

    Args:
        nodes: The nodes; those that are in such an order keep it.
        available: The values that need no node.

    Raises:
        ParseError: Some read each other's outputs, or two write the same one.
    """
    writers: dict[str, int] = {}
    for i, node in enumerate(nodes):
        for output in filter(None, node.outputs):
            if (first := writers.setdefault(output, i)) != i:
                both = f"{nodes[first].label!r} and {node.label!r}"
                raise ParseError(f"the nodes {both} write the same value {output!r}")
    sources = [
        {writers[name] for name in read_by(node) if name in writers and name not in available}
        for node in nodes
    ]
    users: dict[int, list[int]] = {}
    for user, numbers in enumerate(sources):
        for number in numbers:
            users.setdefault(number, []).append(user)
    waiting = [len(numbers) for numbers in sources]
    ready = [number for number, count in enumerate(waiting) if not count]
    done: list[int] = []
    while ready:
        done.append(heappop(ready))
        for user in users.get(done[-1], ()):
            waiting[user] -= 1
            if not waiting[user]:
                heappush(ready, user)
    if len(done) < len(nodes):
        labels = [nodes[i].label for i in sorted({*range(len(nodes))} - {*done})[:MOST_LISTED]]
        raise ParseError(f"the nodes {', '.join(map(repr, labels))} need each other's outputs")
    return [nodes[number] for number in done]


def read_by(node: Node) -> set[str]:
    """The values that a node reads, those of the graphs inside it included."""
    names = set(filter(None, node.inputs))
    for value in node.attributes.values():
        for graph in graphs_in(value):
            names |= read_by_graph(graph)
    return names


def read_by_graph(graph: Graph) -> set[str]:
    """The values around a graph that it reads."""
    names = {output.name for output in graph.outputs}
    own = {value.name for value in graph.inputs} | graph.initializers.keys()
    for node in graph.nodes:
        names |= read_by(node)
        own |= set(node.outputs)
    return names - own


def with_attributes(node: Node, attributes: Mapping[str, Any]) -> Node:
    """A node of a function's body, with the attributes of the call that it refers to."""
    resolved: dict[str, object] = {}
    for name, value in node.attributes.items():
        found = resolved_attribute(value, attributes)
        if found is not None:
            resolved[name] = found
    return replace(node, attributes=resolved)


def resolved_attribute(value: Any, attributes: Mapping[str, Any]) -> object:
    """The value of an attribute in a function's body; None if the call does not state it."""
    if isinstance(value, AttributeReference):
        return attributes.get(value.name)
    if isinstance(value, Graph):
        nodes = [with_attributes(node, attributes) for node in value.nodes]
        return replace(value, nodes=nodes)
    return value


def item_type(item: Item) -> ValueType:
    """The type of a value as ONNX has it."""
    if isinstance(item, Tensor):
        shape = tuple([size if isinstance(size, int) else None for size in item.shape])
        return ValueType("tensor", onnx_package.data_type_of(item.element), shape)
    if isinstance(item, list):
        items = as_list(item)
        inner = item_type(items[0]) if items else ValueType("tensor", 1)
        return ValueType("sequence", inner.data_type, None, inner)
    if isinstance(item, MapSequence):
        return ValueType("sequence", 0, None, ValueType("map"))
    return ValueType() if item is None else ValueType("tensor", STRING, item.shape)


# ---- checks


def reject_malformed(model: Model) -> None:
    """Refuses a model that no sizes or values of inputs would make a program.

    Raises:
        StablemateError: Operators have no translation, something reads what nothing writes, or
            calls of functions do not end.
    """
    reject_unknown(model)
    reject_dangling(model)
    reject_expanding(model)


def reject_unknown(model: Model) -> None:
    """Refuses a model with operators that have no translation.

    Raises:
        UnsupportedError: There are some; it lists all of them, each with a node.
    """
    newest = onnx_package.newest_version()
    if model.versions.get(DEFAULT_DOMAIN, 1) > newest:
        raise UnsupportedError(
            f"the model is of version {model.versions[DEFAULT_DOMAIN]} of the default domain; the "
            f"package onnx knows {newest} of them"
        )
    found: dict[str, str] = {}
    counts: dict[str, int] = {}
    for node, versions in all_nodes(model):
        if (node.domain, node.operator) in model.functions:
            continue
        if message := unknown_operator(node, versions.get(node.domain, 1)):
            found.setdefault(message, node.label)
            counts[message] = counts.get(message, 0) + 1
    if found:
        raise UnsupportedError(
            "\n".join(
                f"{message}, at node {label!r}" + others_text(counts[message] - 1)
                for message, label in found.items()
            )
        )


def reject_dangling(model: Model) -> None:
    """Refuses a model whose graphs read what nothing writes, or whose nodes have no order.

    Raises:
        ParseError: One does.
    """
    reject_dangling_in(model.graph, frozenset())


def reject_dangling_in(graph: Graph, outer: frozenset[str]) -> None:
    """The same for a graph that sees the values of those around it."""
    given = {*graph.initializers, *(value.name for value in graph.inputs)}
    written = {name for node in graph.nodes for name in node.outputs}
    visible = outer | given | written
    for node in order_nodes(graph.nodes, given):
        for name in filter(None, node.inputs):
            if name not in visible:
                raise ParseError(dangling_message(f"the node {node.label!r}", name))
        for value in node.attributes.values():
            for inner in graphs_in(value):
                reject_dangling_in(inner, visible)
    for output in graph.outputs:
        if output.name and output.name not in visible:
            raise ParseError(dangling_message("the graph", output.name))


def dangling_message(reader: str, name: str) -> str:
    """The message about a value that nothing writes."""
    return f"{reader} reads {name!r}, which no node before it writes"


def others_text(count: int) -> str:
    """``and 2 others``; empty if there are none."""
    return f" and {count} other{'s' * (count > 1)}" if count else ""


def all_nodes(model: Model) -> Iterator[tuple[Node, Mapping[str, int]]]:
    """All nodes of a model, with the versions of domains that hold for them."""
    pending: list[tuple[Node, Mapping[str, int]]] = [
        (node, model.versions) for node in reversed(model.graph.nodes)
    ]
    for function in model.functions.values():
        inside = {**model.versions, **function.versions}
        pending += [(node, inside) for node in reversed(function.nodes)]
    while pending:
        node, versions = pending.pop()
        yield node, versions
        for value in node.attributes.values():
            for graph in graphs_in(value):
                pending += [(inner, versions) for inner in reversed(graph.nodes)]


def unknown_operator(node: Node, version: int) -> str:
    """Why an operator has no translation; empty if it has one."""
    domain, name = node.domain, node.operator
    where = f"in version {version} of {domain or 'the default domain'}"
    if onnx_package.is_newer(domain, name, version):
        return f"there is no operator {name} {where}"
    if row_of(domain, name, version) is not None or onnx_package.has_body(domain, name, version):
        return ""
    advice = NCHWC_ADVICE if domain == "com.microsoft.nchwc" else ""
    return f"no translation of the operator {name} {where}{advice}"


def require_declared(
    name: str, result: Item, declared: ValueType, node: Node, *, is_strict: bool
) -> None:
    """Compares the type of a value with the one that the model declares.

    A shape that contradicts the declared one is a warning where sizes vary, or the sizes of a call
    are known: models keep declarations that were true before someone opened their sizes.

    Raises:
        VerifyError: The element type differs, or, if ``is_strict``, the sizes of both are known
            and differ.
    """
    if not isinstance(result, Tensor) or declared.kind != "tensor":
        return
    element = known_element(declared.data_type)
    is_text = declared.data_type == STRING
    if is_text or (element is not None and element != result.element):
        kind = "strings" if is_text else element
        raise VerifyError(
            f"{node.qualified_operator} at node {node.label!r} gives {result.element} for "
            f"{name!r}, which is declared as {kind}"
        )
    if declared.shape is None:
        return
    pairs = list(zip(result.shape, declared.shape, strict=False))
    differ = any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)
    if differ or len(declared.shape) != result.rank:
        message = (
            f"{node.qualified_operator} at node {node.label!r} gives the shape "
            f"{list(result.shape)} for {name!r}, which is declared as {list(declared.shape)}"
        )
        if is_strict and all(isinstance(n, int) for n in (*result.shape, *declared.shape)):
            raise VerifyError(message)
        warnings.warn(message, stacklevel=2)


def with_node(error: StablemateError, node: Node) -> StablemateError:
    """An error with the name of the node that it is about, unless it has one."""
    text = str(error)
    if "at node " in text or " reads " in text:
        return error
    return error.about(f"{text}, at node {node.label!r}")
