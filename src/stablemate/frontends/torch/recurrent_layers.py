"""LSTM, GRU and RNN layers as graphs: products of all steps at once, and one recurrence.

PyTorch's own decompositions unroll the steps. Here what depends on the step before is an operator
of this library, ``stablemate::lstm_scan`` and the like, which becomes a loop; it has a gradient,
which is another one. Everything else is ATen.

Source: PyTorch, torch.nn.LSTM, GRU, RNN; S. Hochreiter, J. Schmidhuber, Long Short-Term Memory,
1997; K. Cho et al., 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache, partial
from typing import Any, Final

from stablemate.frontends.torch import pytorch

Tensor = Any  # torch.Tensor
Layer = Callable[..., tuple[Tensor, list[Tensor]]]

LIBRARY: Final = "stablemate"
# The operators: what they take and return. ``saves`` says whether values for the gradient are
# results; without it they are empty.
SCHEMAS: Final = (
    "lstm_scan(Tensor inputs, Tensor hidden, Tensor cell, Tensor weight, Tensor? projection, "
    "bool reverse, bool saves) -> (Tensor, Tensor, Tensor, Tensor)",
    "lstm_scan_backward(Tensor by_outputs, Tensor by_cell, Tensor cells, Tensor gates, "
    "Tensor cell, Tensor weight, Tensor? projection, bool reverse) "
    "-> (Tensor, Tensor, Tensor, Tensor)",
    "gru_scan(Tensor inputs, Tensor hidden, Tensor weight, Tensor? bias, bool reverse, bool saves) "
    "-> (Tensor, Tensor)",
    "gru_scan_backward(Tensor by_outputs, Tensor outputs, Tensor gates, Tensor hidden, "
    "Tensor weight, bool reverse) -> (Tensor, Tensor, Tensor)",
    "rnn_scan(Tensor inputs, Tensor hidden, Tensor weight, str activation, bool reverse) -> Tensor",
    "rnn_scan_backward(Tensor by_outputs, Tensor outputs, Tensor weight, str activation, "
    "bool reverse) -> (Tensor, Tensor)",
)


@cache
def scans() -> Any:
    """The operators of recurrences, ``torch.ops.stablemate``."""
    return pytorch.defined_operators(LIBRARY, SCHEMAS, FAKES, GRADIENTS)


# shapes


def fake_lstm(
    inputs: Tensor, hidden: Tensor, cell: Tensor, weight: Tensor, projection: Tensor | None,
    reverse: bool, saves: bool,
) -> tuple[Tensor, ...]:  # fmt: skip
    """The results of ``lstm_scan``: outputs, the last cell, all cells and gates."""
    length, batch, gates = inputs.shape
    kept = length if saves else 0
    return (
        inputs.new_empty(length, batch, hidden.shape[-1]),
        inputs.new_empty(batch, cell.shape[-1]),
        inputs.new_empty(kept, batch, cell.shape[-1]),
        inputs.new_empty(kept, batch, gates),
    )


def fake_lstm_backward(
    by_outputs: Tensor, by_cell: Tensor, cells: Tensor, gates: Tensor, cell: Tensor,
    weight: Tensor, projection: Tensor | None, reverse: bool,
) -> tuple[Tensor, ...]:  # fmt: skip
    """The results of ``lstm_scan_backward``: by inputs, hidden state, cell, and all outputs."""
    kept = 0 if projection is None else by_outputs.shape[0]
    return (
        gates.new_empty(gates.shape),
        by_outputs.new_empty(by_outputs.shape[1:]),
        cell.new_empty(cell.shape),
        by_outputs.new_empty(kept, *by_outputs.shape[1:]),
    )


def fake_gru(
    inputs: Tensor, hidden: Tensor, weight: Tensor, bias: Tensor | None, reverse: bool,
    saves: bool,
) -> tuple[Tensor, ...]:  # fmt: skip
    """The results of ``gru_scan``: outputs; reset, update, new gates and what resets apply to."""
    length, batch, _ = inputs.shape
    size = hidden.shape[-1]
    return (
        inputs.new_empty(length, batch, size),
        inputs.new_empty(length if saves else 0, batch, 4 * size),
    )


def fake_gru_backward(
    by_outputs: Tensor, outputs: Tensor, gates: Tensor, hidden: Tensor, weight: Tensor,
    reverse: bool,
) -> tuple[Tensor, ...]:  # fmt: skip
    """The results of ``gru_scan_backward``: by inputs, by products of weights, by hidden state."""
    shape = (*outputs.shape[:-1], weight.shape[0])
    return outputs.new_empty(shape), outputs.new_empty(shape), hidden.new_empty(hidden.shape)


def fake_rnn(
    inputs: Tensor, hidden: Tensor, weight: Tensor, activation: str, reverse: bool
) -> Tensor:
    """The results of ``rnn_scan``: outputs."""
    return inputs.new_empty(inputs.shape)


def fake_rnn_backward(
    by_outputs: Tensor, outputs: Tensor, weight: Tensor, activation: str, reverse: bool
) -> tuple[Tensor, Tensor]:
    """The results of ``rnn_scan_backward``: by inputs, by hidden state."""
    return outputs.new_empty(outputs.shape), outputs.new_empty(outputs.shape[1:])


FAKES: Final[Mapping[str, Callable[..., object]]] = {
    "lstm_scan": fake_lstm, "lstm_scan_backward": fake_lstm_backward,
    "gru_scan": fake_gru, "gru_scan_backward": fake_gru_backward,
    "rnn_scan": fake_rnn, "rnn_scan_backward": fake_rnn_backward,
}  # fmt: skip


# gradients


def previous(outputs: Tensor, first: Tensor, *, reverse: bool) -> Tensor:
    """For each step the state that it begins with."""
    rest = outputs[1:] if reverse else outputs[:-1]
    parts = [rest, first.unsqueeze(0)] if reverse else [first.unsqueeze(0), rest]
    return pytorch.aten_operator("cat")(parts)


def by_weight(by_products: Tensor, factors: Tensor) -> Tensor:
    """The gradient by a weight, whose product with a factor each step adds."""
    return by_products.flatten(0, 1).t() @ factors.flatten(0, 1)


def save_lstm(ctx: Any, inputs: tuple[object, ...], output: tuple[Tensor, ...]) -> None:
    """Keeps what the gradient of ``lstm_scan`` needs."""
    _, hidden, cell, weight, projection, ctx.reverse, _ = inputs
    outputs, _, cells, gates = output
    ctx.mark_non_differentiable(cells, gates)
    ctx.set_materialize_grads(True)
    ctx.save_for_backward(hidden, cell, weight, projection, outputs, cells, gates)


def lstm_backward(ctx: Any, by_outputs: Tensor, by_cell: Tensor, *_: object) -> tuple[object, ...]:
    """The gradients by the arguments of ``lstm_scan``."""
    hidden, cell, weight, projection, outputs, cells, gates = ctx.saved_tensors
    by_inputs, by_hidden, by_first, by_all = scans().lstm_scan_backward(
        by_outputs, by_cell, cells, gates, cell, weight, projection, ctx.reverse
    )
    before = previous(outputs, hidden, reverse=ctx.reverse)
    by_projection = None
    if projection is not None:
        opened = gates.chunk(4, -1)[3] * cells.tanh()
        by_projection = by_weight(by_all, opened)
    return (
        by_inputs, by_hidden, by_first, by_weight(by_inputs, before), by_projection, None, None,
    )  # fmt: skip


def save_gru(ctx: Any, inputs: tuple[object, ...], output: tuple[Tensor, ...]) -> None:
    """Keeps what the gradient of ``gru_scan`` needs."""
    _, hidden, weight, bias, ctx.reverse, _ = inputs
    outputs, gates = output
    ctx.mark_non_differentiable(gates)
    ctx.has_bias = bias is not None
    ctx.save_for_backward(hidden, weight, outputs, gates)


def gru_backward(ctx: Any, by_outputs: Tensor, *_: object) -> tuple[object, ...]:
    """The gradients by the arguments of ``gru_scan``."""
    hidden, weight, outputs, gates = ctx.saved_tensors
    by_inputs, by_products, by_hidden = scans().gru_scan_backward(
        by_outputs, outputs, gates, hidden, weight, ctx.reverse
    )
    before = previous(outputs, hidden, reverse=ctx.reverse)
    by_bias = by_products.sum((0, 1)) if ctx.has_bias else None
    return by_inputs, by_hidden, by_weight(by_products, before), by_bias, None, None


def save_rnn(ctx: Any, inputs: tuple[object, ...], output: Tensor) -> None:
    """Keeps what the gradient of ``rnn_scan`` needs."""
    _, hidden, weight, ctx.activation, ctx.reverse = inputs
    ctx.save_for_backward(hidden, weight, output)


def rnn_backward(ctx: Any, by_outputs: Tensor) -> tuple[object, ...]:
    """The gradients by the arguments of ``rnn_scan``."""
    hidden, weight, outputs = ctx.saved_tensors
    by_inputs, by_hidden = scans().rnn_scan_backward(
        by_outputs, outputs, weight, ctx.activation, ctx.reverse
    )
    before = previous(outputs, hidden, reverse=ctx.reverse)
    return by_inputs, by_hidden, by_weight(by_inputs, before), None, None


GRADIENTS: Final[Mapping[str, tuple[Callable[..., object], Callable[..., object]]]] = {
    "lstm_scan": (lstm_backward, save_lstm),
    "gru_scan": (gru_backward, save_gru),
    "rnn_scan": (rnn_backward, save_rnn),
}


# layers


def needs_gradient(*tensors: Tensor | None) -> bool:
    """Whether a gradient by one of some tensors may be asked for; not in exported programs."""
    if pytorch.is_exporting() or not pytorch.records_gradients():
        return False
    return any(x is not None and x.requires_grad for x in tensors)


def last_of(outputs: Tensor, *, reverse: bool) -> Tensor:
    """The output of the last step."""
    return outputs[0] if reverse else outputs[-1]


def lstm_layer(
    x: Tensor, state: Sequence[Tensor], weights: Sequence[Tensor], biases: Sequence[Tensor],
    projection: Tensor | None, *, reverse: bool,
) -> tuple[Tensor, list[Tensor]]:  # fmt: skip
    """A layer of an LSTM in one direction."""
    linear = pytorch.aten_operator("linear")
    inputs = linear(x, weights[0], biases[0] + biases[1] if biases else None)
    saves = needs_gradient(inputs, *state, weights[1], projection)
    outputs, cell, _, _ = scans().lstm_scan(inputs, *state, weights[1], projection, reverse, saves)
    return outputs, [last_of(outputs, reverse=reverse), cell]


def gru_layer(
    x: Tensor, state: Sequence[Tensor], weights: Sequence[Tensor], biases: Sequence[Tensor],
    projection: Tensor | None, *, reverse: bool,
) -> tuple[Tensor, list[Tensor]]:  # fmt: skip
    """A layer of a GRU in one direction."""
    linear = pytorch.aten_operator("linear")
    first, second = biases or (None, None)
    inputs = linear(x, weights[0], first)
    saves = needs_gradient(inputs, *state, weights[1], second)
    outputs, _ = scans().gru_scan(inputs, *state, weights[1], second, reverse, saves)
    return outputs, [last_of(outputs, reverse=reverse)]


def rnn_layer(
    activation: str, x: Tensor, state: Sequence[Tensor], weights: Sequence[Tensor],
    biases: Sequence[Tensor], projection: Tensor | None, *, reverse: bool,
) -> tuple[Tensor, list[Tensor]]:  # fmt: skip
    """A layer of an RNN in one direction."""
    linear = pytorch.aten_operator("linear")
    inputs = linear(x, weights[0], biases[0] + biases[1] if biases else None)
    outputs = scans().rnn_scan(inputs, *state, weights[1], activation, reverse)
    return outputs, [last_of(outputs, reverse=reverse)]


def layers(
    layer: Layer, states: int, input: Tensor, hx: Any, params: Sequence[Tensor],
    has_biases: bool, num_layers: int, dropout: float, train: bool, bidirectional: bool,
    batch_first: bool,
) -> tuple[Tensor, ...]:  # fmt: skip
    """The output and the last states of all layers, as ``torch.lstm`` and the like give them.

    Args:
        layer: A layer in one direction.
        states: How many tensors a state is: two for an LSTM.
        input: The sequence, steps first unless ``batch_first``.
        hx: The first states.
        params: The weights and biases of each layer and direction.
        has_biases: Whether there are biases.
        num_layers: The number of layers.
        dropout: The probability with which an output between layers is zero.
        train: Whether it is.
        bidirectional: Whether each layer reads the sequence backwards, too.
        batch_first: Whether batches are the first dimension.
    """
    cat, stack = pytorch.aten_operator("cat"), pytorch.aten_operator("stack")
    x = input.transpose(0, 1) if batch_first else input
    first = list(hx) if states == 2 else [hx]
    directions = 2 if bidirectional else 1
    count = len(params) // (num_layers * directions)
    last: list[list[Tensor]] = []
    for number in range(num_layers):
        outputs: list[Tensor] = []
        for direction in range(directions):
            place = number * directions + direction
            own = params[place * count : (place + 1) * count]
            biases = own[2:4] if has_biases else ()
            projection = own[-1] if count in (3, 5) else None
            y, state = layer(
                x, [s[place] for s in first], own[:2], biases, projection, reverse=direction == 1
            )
            outputs.append(y)
            last.append(state)
        x = cat(outputs, -1) if bidirectional else outputs[0]
        if dropout and train and number < num_layers - 1:
            x = pytorch.aten_operator("dropout")(x, dropout, True)
    result = x.transpose(0, 1) if batch_first else x
    return (result, *[stack(list(states)) for states in zip(*last, strict=True)])


LAYERS: Final[Mapping[str, Callable[..., tuple[Tensor, ...]]]] = {
    "lstm": partial(layers, lstm_layer, 2),
    "gru": partial(layers, gru_layer, 1),
    "rnn_tanh": partial(layers, partial(rnn_layer, "tanh"), 1),
    "rnn_relu": partial(layers, partial(rnn_layer, "relu"), 1),
}


def recurrent_decompositions() -> dict[object, Callable[..., object]]:
    """The decompositions of operators of recurrent layers, by operator."""
    return {
        pytorch.operator_of(f"aten::{name}.input"): function for name, function in LAYERS.items()
    }


def replace_layers(graph: Any) -> None:
    """Replaces the recurrent layers in a graph of TorchDynamo, before it is differentiated."""
    functions = {pytorch.public_function(name): function for name, function in LAYERS.items()}
    for node in graph.graph.nodes:
        function = functions.get(node.target) if node.op == "call_function" else None
        if function is not None and is_of_whole_sequences(node.args):
            node.target = traceable_layer(node.target.__name__)
    graph.recompile()


def is_of_whole_sequences(arguments: Sequence[object]) -> bool:
    """Whether a layer is called so; packed ones have the sizes of batches as second argument."""
    return len(arguments) == 9 and isinstance(arguments[5], int | float)


def replaced_layers() -> AbstractContextManager[None]:
    """While it lasts, recurrent layers are those of this module, for sequences of any length.

    PyTorch's own are traced step by step, which fixes the length.
    """
    rows = {name: (is_of_whole_sequences, function) for name, function in LAYERS.items()}
    return pytorch.replaced_functions(rows)


def traceable_layer(name: str) -> Callable[..., tuple[Tensor, ...]]:
    """A function of this module for a node of a graph, which needs one with a name."""

    def function(*arguments: Any) -> tuple[Tensor, ...]:
        return LAYERS[name](*arguments)

    function.__name__ = function.__qualname__ = f"{LIBRARY}_{name}"
    return function
