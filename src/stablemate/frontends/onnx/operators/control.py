"""Branches and loops.

A branch or a step whose choice is known when a model is imported is inlined. Loops whose values
change their shapes, or hold sequences, are unrolled: their number of steps must be known.

Source: ONNX, Operator Schemas, If, Loop and Scan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import StablemateError
from stablemate.frontends.onnx.call import Call, ValueNeededError
from stablemate.frontends.onnx.model import Graph
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.compaction import value_size
from stablemate.frontends.tensor_functions.control import (
    Branch,
    bind_sizes,
    changing_dimensions,
    common_type,
    one_of,
    open_if_else,
    open_while_loop,
    while_loop,
)
from stablemate.frontends.tensor_functions.graph import SizeLike, TensorGraph
from stablemate.frontends.tensor_functions.indexing import dynamic_index, dynamic_update_index
from stablemate.frontends.tensor_functions.programs import as_list
from stablemate.frontends.tensor_functions.reductions import return_from
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    TypeLike,
    full,
    region,
    same_shape,
    scalar,
    size_tensor,
)
from stablemate.ir.core import Region
from stablemate.numerics.elements import BOOLEAN, I64

Item: TypeAlias = Any  # Tensor | list of Tensor | Array of strings | None
MOST_UNROLLED: Final = 1 << 12  # steps of a loop
MOST_STORED: Final = 1 << 20  # steps of a loop for whose outputs there is memory before it runs


def types_of(items: Sequence[Item]) -> list[TypeLike]:
    """The shape and element type of each tensor."""
    return [(item.shape, item.element) for item in items]


def is_of_type(item: Item, other: TypeLike) -> bool:
    """Whether an item is a tensor of a type."""
    shape, element = other
    return isinstance(item, Tensor) and item.element == element and same_shape(item.shape, shape)


def trial(call: Call, graph: Graph, types: Sequence[TypeLike]) -> list[Item]:
    """The outputs of a graph for inputs of some types, in a region that is not used."""
    found: list[Item] = []

    def body(inner: TensorGraph, *arguments: Tensor) -> None:
        for argument in arguments:
            open_sizes = enumerate(argument.shape)
            unbound = [d for d, size in open_sizes if not inner.is_known(size)]
            bind_sizes(inner, argument, unbound)
        found.extend(call.subgraph(graph, inner, arguments))

    region(call.graph, types, body, captures=True)
    return found


# branches


@dataclass(frozen=True, slots=True)
class TriedBranch:
    """A branch in a region that may be used.

    Attributes:
        region: The region, without its terminator.
        graph: Where operations of the region go.
        outputs: The outputs of the branch.
    """

    region: Region
    graph: TensorGraph
    outputs: Sequence[Item]


def tried_branch(call: Call, graph: Graph) -> TriedBranch:
    """A branch in a region.

    Raises:
        StablemateError: The branch cannot be translated, or gets operands that do not fit.
    """
    found: list[Item] = []
    graphs: list[TensorGraph] = []

    def body(inner: TensorGraph) -> None:
        graphs.append(inner)
        found.extend(call.subgraph(graph, inner, ()))

    return TriedBranch(region(call.graph, (), body, captures=True), graphs[0], found)


def flat(item: Item) -> list[Item]:
    """The tensors that an item holds."""
    if isinstance(item, list):
        return [inner for one in as_list(item) for inner in flat(one)]
    return [item]


def rebuilt(item: Item, values: list[Tensor]) -> Item:
    """An item with other tensors, taken from the front of a list."""
    if isinstance(item, list):
        return [rebuilt(one, values) for one in as_list(item)]
    return values.pop(0)


def agree(one: Item, other: Item) -> bool:
    """Whether the outputs of two branches have the same structure and types."""
    if isinstance(one, list) and isinstance(other, list):
        items, others = as_list(one), as_list(other)
        return len(items) == len(others) and all(map(agree, items, others))
    return isinstance(one, Tensor) and is_of_type(other, (one.shape, one.element))


@lowers("If", strings="any")
def if_(call: Call, condition: Tensor, *, then_branch: Graph, else_branch: Graph) -> object:
    """The outputs of one of two graphs"""
    known = call.array(condition)
    if known is None:
        try:
            tried = [tried_branch(call, g) for g in (then_branch, else_branch)]
        except ValueNeededError:
            raise
        except StablemateError as error:  # that branch may be for other sizes of inputs
            what = f"the condition, one of whose branches does not fit ({error}),"
            call.need(condition, what)
        on_true, on_false = (branch.outputs for branch in tried)
        if agree(on_true, on_false):
            return either(condition, tried)
        if call.depends_on_floats(condition):
            results = either_size(call, condition, then_branch, else_branch, on_true, on_false)
            if results is not None:
                return results
        known = call.needed_array(condition, "the condition, whose branches differ in their types,")
    branch = then_branch if known.reshape(()).item() else else_branch
    return tuple(call.subgraph(branch, call.graph, ()))


def either(condition: Tensor, branches: Sequence[TriedBranch]) -> tuple[Item, ...]:
    """The outputs of one of two branches that agree in their types."""
    for branch in branches:
        return_from(branch.graph, flat(list(branch.outputs)))
    outputs = branches[0].outputs
    results = one_of(
        m.reshape(condition, ()), [branch.region for branch in branches],
        types_of(flat(list(outputs))),
    )  # fmt: skip
    return tuple([rebuilt(item, results) for item in outputs])


def either_size(
    call: Call,
    condition: Tensor,
    then_branch: Graph,
    else_branch: Graph,
    on_true: Sequence[Item],
    on_false: Sequence[Item],
) -> tuple[Tensor, ...] | None:
    """The outputs of one of two graphs that differ in sizes; None if they differ in more."""
    if not all(isinstance(item, Tensor) for item in (*on_true, *on_false)):
        return None
    pairs = zip(types_of(on_true), types_of(on_false), strict=True)
    types = [common_type(call.graph, one, other) for one, other in pairs]
    known = [kind for kind in types if kind is not None]
    if len(known) < len(types):
        return None
    changing = [
        changing_dimensions(x.shape, shape) for x, (shape, _) in zip(on_true, known, strict=True)
    ]

    def branch(graph: Graph) -> Branch:
        return lambda inner: call.subgraph(graph, inner, ())

    return tuple(
        open_if_else(
            m.reshape(condition, ()), branch(then_branch), branch(else_branch), known, changing
        )
    )


# loops


@dataclass(frozen=True, slots=True)
class LoopCall:
    """A call of ``Loop``.

    Attributes:
        call: The call.
        body: Takes the number of the step, whether the loop goes on, and the state.
        count: The most steps, a scalar; None for any number.
        goes_on: Whether there is a first step; None if there is.
        state: The first state.
    """

    call: Call
    body: Graph
    count: Tensor | None
    goes_on: Tensor | None
    state: Sequence[Item]

    @property
    def known_condition(self) -> bool | None:
        """Whether there is a first step; None if that is not known."""
        if self.goes_on is None:
            return True
        known = self.call.array(self.goes_on)
        return None if known is None else bool(known.reshape(()).item())

    def unroll(self) -> list[Item]:
        """The last state, and the scanned outputs, step by step.

        Raises:
            ValueNeededError: It is not known how many steps there are.
        """
        call, states = self.call, len(self.state)
        most = None if self.count is None else call.integers(self.count, "the number of steps")[0]
        if self.goes_on is not None and self.known_condition is None:
            call.need(self.goes_on, "whether a loop goes on, whose values change their types,")
        goes_on, current = bool(self.known_condition), list(self.state)
        if goes_on and (most is None or most > MOST_UNROLLED) and self.is_ended_by_count:
            refuse_unrolling(call)
        scanned: list[list[Item]] = [[] for _ in self.body.outputs[1 + states :]]
        step = 0
        while goes_on and (most is None or step < most):
            if step >= MOST_UNROLLED:
                refuse_unrolling(call)
            inputs = [scalar(call.graph, step, I64), scalar(call.graph, True, BOOLEAN), *current]
            condition, *outputs = call.subgraph(self.body, call.graph, inputs)
            current = outputs[:states]
            for items, item in zip(scanned, outputs[states:], strict=True):
                items.append(item)
            goes_on = bool(call.needed_array(condition, "whether a loop goes on").reshape(()))
            step += 1
        return [*current, *[self.stack_outputs(items, i) for i, items in enumerate(scanned)]]

    @property
    def is_ended_by_count(self) -> bool:
        """Whether each step hands on the condition that it was given."""
        sources = {
            output: node.inputs[0]
            for node in self.body.nodes
            if node.operator == "Identity"
            for output in node.outputs
        }
        name = self.body.outputs[0].name
        for _ in sources:
            name = sources.get(name, name)
        return name == self.body.inputs[1].name

    def stack_outputs(self, items: Sequence[Tensor], number: int) -> Tensor:
        """The outputs of all steps; none of a graph that never ran have a type that is stated."""
        if items:
            return m.stack(items, 0)
        shape, element = self.scanned_types[number]
        return full(self.call.graph, (0, *shape), 0, element)

    @property
    def scanned_types(self) -> list[TypeLike]:
        """The types of scanned outputs of a step."""
        return types_of(trial(self.call, self.body, self.input_types)[1 + len(self.state) :])

    @property
    def input_types(self) -> list[TypeLike]:
        """The types of what the body takes."""
        return [((), I64), ((), BOOLEAN), *types_of(self.state)]

    def keeps_types(self, outputs: Sequence[Item]) -> bool:
        """Whether a step gives a state of the types of the state before."""
        return all(map(is_of_type, outputs[1:], types_of(self.state)))

    def result(self) -> list[Item]:
        """The last state, and the scanned outputs."""
        if not all(isinstance(item, Tensor) for item in self.state):
            return self.unroll()
        try:
            outputs = trial(self.call, self.body, self.input_types)
        except ValueNeededError:
            return self.unroll()
        types = types_of(self.state)
        if not self.keeps_types(outputs):
            opened = self.open_types(outputs)
            if opened is None:
                return self.unroll()
            types, outputs = opened
        scanned = outputs[1 + len(self.state) :]
        if not all(isinstance(x, Tensor) for x in scanned):
            return self.unroll()
        condition = self.call.array(outputs[0])
        always = self.known_condition is True and condition is not None and bool(condition.all())
        return self.emit_loop(types_of(scanned), types, always=always)

    def open_types(self, outputs: list[Item]) -> tuple[list[TypeLike], list[Item]] | None:
        """The types of a state whose sizes change, and the outputs of a step of these types.

        None if the loop is unrolled, or the state changes in more than its sizes.
        """
        if not self.is_ended_by_floats:
            return None
        states, types = len(self.state), types_of(self.state)
        while not all(map(is_of_type, outputs[1 : 1 + states], types)):
            if not all(isinstance(item, Tensor) for item in outputs[1 : 1 + states]):
                return None
            pairs = zip(types, types_of(outputs[1 : 1 + states]), strict=True)
            found = [common_type(self.call.graph, one, other) for one, other in pairs]
            types = [kind for kind in found if kind is not None]
            if len(types) < states:
                return None
            outputs = trial(self.call, self.body, [((), I64), ((), BOOLEAN), *types])
            if all(map(self.is_open_as, outputs[1 : 1 + states], types)):
                break
        return types, outputs

    @property
    def is_ended_by_floats(self) -> bool:
        """Whether floats that only a run knows decide how many steps there are."""
        decisive = [x for x in (self.count, self.goes_on) if x is not None]
        if any(map(self.call.depends_on_floats, decisive)):
            return True
        first = [scalar(self.call.graph, 0, I64), self.first_condition, *self.state]
        condition, *_ = self.call.subgraph(self.body, self.call.graph, first)
        return self.call.is_computed_in_floats(condition)

    def is_open_as(self, item: Item, kind: TypeLike) -> bool:
        """Whether a tensor has a type, whatever its sizes are where that type has its own."""
        shape, element = kind
        if not isinstance(item, Tensor) or item.element != element or item.rank != len(shape):
            return False
        pairs = zip(item.shape, shape, strict=True)
        return all(
            same_shape([size], [declared]) or not self.call.graph.is_known(declared)
            for size, declared in pairs
        )

    def emit_loop(
        self, scanned: Sequence[TypeLike], types: Sequence[TypeLike], *, always: bool
    ) -> list[Item]:
        """The same as a loop of the program.

        Args:
            scanned: The types of scanned outputs of a step.
            types: The types of the state in each step.
            always: Whether each step lets the loop go on.
        """
        graph, states = self.call.graph, len(self.state)
        if not all(graph.is_known(size) for shape, _ in scanned for size in shape):
            return self.unroll()
        bound = self.most_steps if scanned else 0
        length = value_size(self.run(types, [])[0]) if bound is None else bound
        buffers = [full(graph, (length, *shape), 0, element) for shape, element in scanned]
        if scanned and length == 0:
            return [*self.state, *buffers]
        steps, values = self.run(types, buffers)
        if always or not scanned or bound is None:
            return values
        size = value_size(steps)
        cut = [m.slice_dimension(x, 0, 0, size) for x in values[states:]]
        return [*values[:states], *cut]

    @property
    def most_steps(self) -> SizeLike | None:
        """A bound of the steps; None if there is none, or memory for so many would be too large.

        Such a loop runs without its scanned outputs first, to count its steps.
        """
        if self.count is None:
            return None
        (length,) = self.call.numbers(self.count, "the number of steps of a loop")
        if isinstance(length, int):
            return None if length > MOST_STORED else max(length, 0)
        return length

    def run(
        self, types: Sequence[TypeLike], buffers: Sequence[Tensor]
    ) -> tuple[Tensor, list[Tensor]]:
        """How many steps there were, the last state, and buffers with their scanned outputs.

        Args:
            types: The types of the state in each step.
            buffers: Where the scanned outputs are put, if they are wanted.
        """
        call, states = self.call, len(self.state)
        start = [scalar(call.graph, 0, I64), self.first_condition, *self.state, *buffers]
        most = None if self.count is None else m.reshape(self.count, ()).convert(I64)

        def goes_on(index: Tensor, condition: Tensor, *_: Tensor) -> Tensor:
            return condition if most is None else condition & (index < most.within(index.graph))

        def body(index: Tensor, condition: Tensor, *values: Tensor) -> list[Tensor]:
            inputs = [index, condition, *values[:states]]
            after, *outputs = call.subgraph(self.body, index.graph, inputs)
            stored = [
                dynamic_update_index(buffer, one, index)
                for buffer, one in zip(values[states:], outputs[states:], strict=False)
            ]
            return [index + 1, m.reshape(after, ()), *outputs[:states], *stored]

        every = [*types_of(start[:2]), *types, *types_of(buffers)]
        steps, _, *values = open_while_loop(goes_on, body, start, every)
        return steps, values

    @property
    def first_condition(self) -> Tensor:
        """Whether there is a first step."""
        if self.goes_on is None:
            return scalar(self.call.graph, True, BOOLEAN)
        return m.reshape(self.goes_on, ())


def refuse_unrolling(call: Call) -> NoReturn:
    """Refuses a loop with too many steps.

    Raises:
        UnsupportedError: Always.
    """
    call.refuse(f"a loop that must be unrolled has more than {MOST_UNROLLED} steps")


@lowers("Loop", strings="any")
def loop(
    call: Call, count: Tensor | None = None, condition: Tensor | None = None, *state: Item,
    body: Graph,
) -> Any:  # fmt: skip
    """The last state of a loop, and outputs of its steps, stacked"""
    return tuple(LoopCall(call, body, count, condition, state).result())


# scans


@dataclass(frozen=True, slots=True)
class ScanAxes:
    """How the inputs or outputs of a scan are cut into steps.

    Attributes:
        axes: The dimension of each.
        directions: 1 for those whose last part belongs to the first step.
    """

    axes: Sequence[int]
    directions: Sequence[int]

    def axis(self, number: int, rank: int) -> int:
        """The dimension of one of them."""
        return self.axes[number] % rank if self.axes else 0

    def is_reversed(self, number: int) -> bool:
        """Whether the last part of one of them belongs to the first step."""
        return bool(self.directions) and bool(self.directions[number])


def run_scan(
    call: Call, body: Graph, state: Sequence[Tensor], sequences: Sequence[Tensor],
    inputs: ScanAxes, outputs: ScanAxes,
) -> tuple[Tensor, ...]:  # fmt: skip
    """The last state, and the outputs of all steps, stacked."""
    graph, states = call.graph, len(state)
    cut = [m.move_dimension(x, inputs.axis(i, x.rank), 0) for i, x in enumerate(sequences)]
    length = cut[0].shape[0]
    types = [*types_of(state), *[(x.shape[1:], x.element) for x in cut]]
    given = trial(call, body, types)
    if not all(map(is_of_type, given, types_of(state))):
        call.refuse("the state of a step has other types than the state before it")
    buffers = [full(graph, (length, *x.shape), 0, x.element) for x in given[states:]]
    if length == 0:
        return (*state, *buffers)
    last = size_tensor(graph, length, I64) - 1

    def goes_on(index: Tensor, *_: Tensor) -> Tensor:
        return index <= last.within(index.graph)

    def step(index: Tensor, *values: Tensor) -> list[Tensor]:
        backwards = last.within(index.graph) - index
        parts = [
            dynamic_index(x.within(index.graph), backwards if inputs.is_reversed(i) else index)
            for i, x in enumerate(cut)
        ]
        new = call.subgraph(body, index.graph, [*values[:states], *parts])
        stored = [
            dynamic_update_index(x, new[states + i], backwards if outputs.is_reversed(i) else index)
            for i, x in enumerate(values[states:])
        ]
        return [index + 1, *new[:states], *stored]

    _, *values = while_loop(goes_on, step, [scalar(graph, 0, I64), *state, *buffers])
    stacked = [
        m.move_dimension(x, 0, outputs.axis(i, x.rank)) for i, x in enumerate(values[states:])
    ]
    return (*values[:states], *stacked)


@lowers("Scan", since=9)
def scan(
    call: Call, *values: Tensor, body: Graph, num_scan_inputs: int,
    scan_input_axes: Sequence[int] = (), scan_input_directions: Sequence[int] = (),
    scan_output_axes: Sequence[int] = (), scan_output_directions: Sequence[int] = (),
) -> tuple[Tensor, ...]:  # fmt: skip
    """The last state of a loop over parts of inputs, and outputs of its steps, stacked"""
    if not 0 < num_scan_inputs <= len(values):
        raise ValueError(f"num_scan_inputs is {num_scan_inputs}")
    states = len(values) - num_scan_inputs
    for stated, count in (
        (scan_input_axes, num_scan_inputs), (scan_input_directions, num_scan_inputs),
        (scan_output_axes, len(body.outputs) - states),
        (scan_output_directions, len(body.outputs) - states),
    ):  # fmt: skip
        if len(stated) not in (0, count):
            raise ValueError(f"{list(stated)} stand for {count} inputs or outputs of steps")
    return run_scan(
        call, body, values[:states], values[states:],
        ScanAxes(scan_input_axes, scan_input_directions),
        ScanAxes(scan_output_axes, scan_output_directions),
    )  # fmt: skip


@lowers("Scan", until=8)
def scan_of_batches(
    call: Call, lengths: Tensor | None, *values: Tensor, body: Graph, num_scan_inputs: int,
    directions: Sequence[int] = (),
) -> tuple[Tensor, ...]:  # fmt: skip
    """The same for each member of a batch, the first dimension of all inputs"""
    if not 0 < num_scan_inputs <= len(values):
        raise ValueError(f"num_scan_inputs is {num_scan_inputs}")
    states = len(values) - num_scan_inputs
    batch, length = values[-1].shape[:2]
    if lengths is not None and set(call.integers(lengths, "the lengths of sequences")) != {length}:
        call.refuse("sequences of different lengths in a batch have no translation")
    if not isinstance(batch, int):
        call.refuse("the size of the batch must be known")
    rows = [
        run_scan(
            call, body, [m.take_index(x, 0, b) for x in values[:states]],
            [m.take_index(x, 0, b) for x in values[states:]],
            ScanAxes((), directions), ScanAxes((), ()),
        )
        for b in range(batch)
    ]  # fmt: skip
    return tuple([m.stack(list(row), 0) for row in zip(*rows, strict=True)])


# sequences and optionals


@lowers("SequenceConstruct", strings="any")
def sequence_construct(call: Call, *items: Item) -> list[Item]:
    """A sequence of the inputs"""
    return list(items)


@lowers("SequenceEmpty")
def sequence_empty(call: Call, *, dtype: int = 1) -> list[Item]:
    """A sequence without items, of the element type that an attribute states"""
    return []


def place_in(call: Call, sequence: Sequence[Item], position: Tensor, last: int) -> int:
    """The place that a position means, which counts from the end if it is negative."""
    (number,) = call.integers(position, "the position in a sequence")
    if not -len(sequence) <= number <= last:
        call.refuse(f"the position {number} is outside of a sequence of {len(sequence)} items")
    return number if number >= 0 else number + len(sequence)


@lowers("SequenceAt", strings="any")
def sequence_at(call: Call, sequence: Sequence[Item], position: Tensor) -> Item:
    """An item of a sequence"""
    return sequence[place_in(call, sequence, position, len(sequence) - 1)]


@lowers("SequenceInsert", strings="any")
def sequence_insert(
    call: Call, sequence: Sequence[Item], item: Item, position: Tensor | None = None
) -> list[Item]:
    """A sequence with an item before a position, by default at the end"""
    count = len(sequence)
    place = count if position is None else place_in(call, sequence, position, count)
    return [*sequence[:place], item, *sequence[place:]]


@lowers("SequenceErase", strings="any")
def sequence_erase(
    call: Call, sequence: Sequence[Item], position: Tensor | None = None
) -> list[Item]:
    """A sequence without an item, by default the last one"""
    last = len(sequence) - 1
    if position is None and last < 0:
        call.refuse("a sequence without items has none to erase")
    place = last if position is None else place_in(call, sequence, position, last)
    return [*sequence[:place], *sequence[place + 1 :]]


@lowers("SequenceLength", strings="any")
def sequence_length(call: Call, sequence: Sequence[Item]) -> Tensor:
    """The number of items of a sequence, as a scalar"""
    return scalar(call.graph, len(sequence), I64)


@lowers("SplitToSequence")
def split_to_sequence(
    call: Call, x: Tensor, split: Tensor | None = None, *, axis: int = 0, keepdims: int = 1
) -> list[Tensor]:
    """Parts of a tensor along a dimension"""
    at = x.dimension(axis)
    size = x.shape[at]
    if not isinstance(size, int):
        call.refuse("the size of the dimension that is split must be known")
    if split is None:
        parts = [m.slice_dimension(x, at, i, i + 1) for i in range(size)]
        return parts if keepdims else [m.squeeze(part, at) for part in parts]
    sizes = call.integers(split, "the sizes of parts")
    if split.rank == 0:
        (length,) = sizes
        ends = [min(start + length, size) for start in range(0, size, length)]
    else:
        ends = np.cumsum(sizes).tolist()
    starts = [0, *ends[:-1]]
    return [m.slice_dimension(x, at, a, b) for a, b in zip(starts, ends, strict=True)]


@lowers("ConcatFromSequence")
def concat_from_sequence(
    call: Call, sequence: Sequence[Tensor], *, axis: int, new_axis: int = 0
) -> Tensor:
    """The items of a sequence along a dimension, or a new one"""
    rank = sequence[0].rank + new_axis
    return (m.stack if new_axis else m.concatenate)(list(sequence), axis % rank)


@lowers("Optional", strings="any")
def optional(call: Call, value: Item = None, *, type: object = None) -> Item:
    """An optional with a value, or without one"""
    return value


@lowers("OptionalHasElement", strings="any")
def optional_has_element(call: Call, value: Item = None) -> Tensor:
    """Whether an optional has a value"""
    return scalar(call.graph, value is not None, BOOLEAN)


@lowers("OptionalGetElement", strings="any")
def optional_get_element(call: Call, value: Item) -> Item:
    """The value of an optional"""
    if value is None:
        call.refuse("an optional without a value has none")
    return value
