"""Recurrent layers: RNN, GRU and LSTM, in one direction or both.

X is (steps, batch, inputs), or (batch, steps, inputs) with ``layout`` 1; weights have a first
dimension of directions. Products with X are computed for all steps at once.

Source: ONNX, Operator Schemas; S. Hochreiter, J. Schmidhuber, Long Short-Term Memory, 1997;
K. Cho et al., 2014; F. A. Gers, J. Schmidhuber, Recurrent Nets that Time and Count, 2000.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.operators.elementwise import (
    UNARY,
    elu,
    hard_sigmoid,
    leaky_relu,
    relu,
    thresholded_relu,
)
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.contraction import dot_general, times
from stablemate.frontends.tensor_functions.control import Outcome, recurrence
from stablemate.frontends.tensor_functions.floating_point import to_compute_type
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.numerics.symbolic_sizes import SizeLike

Activation: TypeAlias = Callable[[Tensor], Tensor]
# Takes products of the inputs of a step and the state, to the next state; its first tensor is
# the output.
Cell: TypeAlias = Callable[[Tensor, Sequence[Tensor]], list[Tensor]]


def scaled_tanh(call: Call, x: Tensor, *, alpha: float = 1.0, beta: float = 1.0) -> Tensor:
    """Alpha tanh(beta x)."""
    return f.tanh(x * beta) * alpha


def affine(call: Call, x: Tensor, *, alpha: float = 1.0, beta: float = 0.0) -> Tensor:
    """Alpha x + beta."""
    return x * alpha + beta


@dataclass(frozen=True, slots=True)
class ActivationFunction:
    """A function that recurrent layers may apply.

    Attributes:
        function: The function; it takes a call, a tensor, and parameters.
        parameters: The parameters that it has.
    """

    function: Callable[..., Tensor]
    parameters: Sequence[str] = ()


BOTH: Final = ("alpha", "beta")
# The activations of a direction whose arguments are clipped: not that of an LSTM's cell, which
# ONNX Runtime does not clip.
MOST_CLIPPED: Final = 2


def plain(function: Activation) -> ActivationFunction:
    """The activation of a function that takes no parameters."""

    def apply(call: Call, x: Tensor) -> Tensor:
        return function(x)

    return ActivationFunction(apply)


ACTIVATIONS: Final[Mapping[str, ActivationFunction]] = {
    "affine": ActivationFunction(affine, BOTH),
    "elu": ActivationFunction(elu, ["alpha"]),
    "hardsigmoid": ActivationFunction(hard_sigmoid, BOTH),
    "leakyrelu": ActivationFunction(leaky_relu, ["alpha"]),
    "relu": ActivationFunction(relu),
    "scaledtanh": ActivationFunction(scaled_tanh, BOTH),
    "thresholdedrelu": ActivationFunction(thresholded_relu, ["alpha"]),
    **{name.lower(): plain(UNARY[name]) for name in ("Sigmoid", "Softplus", "Softsign", "Tanh")},
}


@dataclass(frozen=True, slots=True)
class Layer:
    """The attributes of a recurrent layer.

    Attributes:
        call: The call of the operator.
        direction: ``forward``, ``reverse`` or ``bidirectional``.
        layout: Whether batches come before steps.
        activations: The names of the functions of all directions.
        alphas: Parameters of those that have one, in order.
        betas: The same of the second one.
        clip: The largest absolute value that a function is applied to; None for any.
    """

    call: Call
    direction: str
    layout: int
    activations: Sequence[str]
    alphas: Sequence[float]
    betas: Sequence[float]
    clip: float | None

    @property
    def directions(self) -> list[bool]:
        """For each direction whether it begins with the last step."""
        known = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}
        if self.direction not in known:
            self.call.refuse(f"{self.direction!r} is no direction")
        return known[self.direction]

    def functions(self, defaults: Sequence[str]) -> list[list[Activation]]:
        """The activations of each direction.

        Args:
            defaults: Their names in a direction, if the model does not state them.
        """
        names = list(self.activations) or [*defaults] * len(self.directions)
        if len(names) != len(defaults) * len(self.directions):
            self.call.refuse(
                f"{len(names)} activations are stated for {len(self.directions)} "
                f"direction{'s' * (len(self.directions) > 1)} of {len(defaults)} each"
            )
        remaining = {"alpha": list(self.alphas), "beta": list(self.betas)}
        count = len(defaults)
        functions = [
            self.function(name, remaining, clips=i % count < MOST_CLIPPED)
            for i, name in enumerate(names)
        ]
        return [functions[i : i + count] for i in range(0, len(functions), count)]

    def function(
        self, name: str, remaining: Mapping[str, list[float]], *, clips: bool
    ) -> Activation:
        """An activation; it takes its parameters from the front of the lists."""
        known = ACTIVATIONS.get(name.lower())
        if known is None:
            self.call.refuse(f"{name!r} is no activation")
        stated = {p: remaining[p].pop(0) for p in known.parameters if remaining[p]}

        def apply(x: Tensor) -> Tensor:
            clipped = f.clamp(-self.clip, x, self.clip) if clips and self.clip is not None else x
            return known.function(self.call, clipped, **stated)

        return apply


def layer_of(call: Call, attributes: Mapping[str, Any]) -> Layer:
    """The attributes that all layers have; ``hidden_size`` follows from the weights."""
    return Layer(
        call,
        attributes.get("direction", "forward"),
        attributes.get("layout", 0),
        attributes.get("activations", ()),
        attributes.get("activation_alpha", ()),
        attributes.get("activation_beta", ()),
        attributes.get("clip"),
    )


@dataclass(frozen=True, slots=True)
class RecurrentOperands:
    """The operands of a recurrent layer, None where one is left out."""

    x: Tensor
    w: Tensor
    r: Tensor
    b: Tensor | None
    lengths: Tensor | None
    initial: Sequence[Tensor | None]
    peepholes: Tensor | None = None


def require_shapes(layer: Layer, operands: RecurrentOperands, gates: int, stated: object) -> None:
    """Refuses operands whose shapes do not fit the number of gates and of elements of a state.

    Args:
        layer: The attributes.
        operands: The operands.
        gates: How many weights each element of a state has.
        stated: The number of elements that ``hidden_size`` states; None if it does not.

    Raises:
        ValueError: One does not fit.
    """
    if layer.clip is not None and not layer.clip > 0:
        raise ValueError(f"clip is {layer.clip}, which must be positive")
    own, count = operands, len(layer.directions)
    hidden = own.r.shape[2] if stated is None else stated
    batch, features = own.x.shape[0 if layer.layout else 1], own.x.shape[2]
    state = (batch, count, hidden) if layer.layout else (count, batch, hidden)
    width = own.r.shape[1] if not isinstance(hidden, int) else gates * hidden
    wanted: list[tuple[str, Tensor | None, tuple[object, ...]]] = [
        ("W", own.w, (count, width, features)),
        ("R", own.r, (count, width, hidden)),
        ("B", own.b, (count, width * 2)),
        ("sequence_lens", own.lengths, (batch,)),
        *[("the initial state", tensor, state) for tensor in own.initial],
        ("P", own.peepholes, (count, width * 3 // gates)),
    ]
    for name, tensor, shape in wanted:
        if tensor is not None and not agrees(tensor.shape, shape):
            raise ValueError(f"{name} has the shape {list(tensor.shape)}, not {list(shape)}")


def agrees(shape: Sequence[SizeLike], wanted: Sequence[object]) -> bool:
    """Whether the sizes of two shapes that are known are the same."""
    if len(shape) != len(wanted):
        return False
    pairs = zip(shape, wanted, strict=True)
    return not any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in pairs)


def run_layer(
    layer: Layer, x: Tensor, w: Tensor, lengths: Tensor | None, initial: Sequence[Tensor | None],
    hidden: Any, cell: Callable[[int], tuple[Tensor | None, Cell]],
) -> tuple[Tensor, ...]:  # fmt: skip
    """The outputs of all steps, and the last states, of all directions.

    Args:
        layer: The attributes.
        x: The inputs.
        w: The weights of inputs.
        lengths: The number of steps of each sequence of the batch; None if they have all.
        initial: The first state; zeros where there is none.
        hidden: The number of elements of a state.
        cell: Returns the bias of inputs and the cell of a direction.
    """
    steps_first = m.swap_dimensions(x, 0, 1) if layer.layout else x
    wide = to_compute_type(steps_first)
    count, batch = wide.shape[:2]
    is_valid = None if lengths is None else valid_steps(lengths, count)
    outputs: list[Tensor] = []
    states: list[list[Tensor]] = []
    for number, reverse in enumerate(layer.directions):
        bias, step = cell(number)
        weight = direction_of(w, number).convert(wide.element)
        products = dot_general(wide, weight, ([2], [1]))
        if bias is not None:
            products = products + bias.broadcast_to(products.shape)
        first = [
            full(x.graph, (batch, hidden), 0, wide.element) if state is None
            else m.take_index(state, 1 if layer.layout else 0, number).convert(wide.element)
            for state in initial
        ]  # fmt: skip
        *last, all_ = scan_steps(products, is_valid, first, step, reverse=reverse)
        outputs.append(all_)
        states.append(last)
    y = m.stack(outputs, 1)
    finals = [m.stack(list(values), 0) for values in zip(*states, strict=True)]
    if layer.layout:
        y = m.transpose(y, (2, 0, 1, 3))
        finals = [m.swap_dimensions(value, 0, 1) for value in finals]
    return tuple([value.convert(x.element) for value in (y, *finals)])


def valid_steps(lengths: Tensor, count: Any) -> Tensor:
    """Which steps (steps, batch, 1) the sequences of a batch have."""
    batch = lengths.shape[0]
    steps = m.iota(lengths.graph, (count, batch, 1), 0, lengths.element)
    return steps < lengths.broadcast((count, batch, 1), [1])


def scan_steps(
    products: Tensor, is_valid: Tensor | None, first: Sequence[Tensor], cell: Cell, *, reverse: bool
) -> list[Tensor]:
    """The last state, and the outputs of all steps.

    A sequence keeps its state in the steps that it does not have, whose outputs are zero.
    """
    sequences = [products] if is_valid is None else [products, is_valid]

    def step(slices: Sequence[Tensor], state: Sequence[Tensor]) -> Outcome:
        new = cell(slices[0], state)
        if len(slices) == 1:
            return new, new[:1]
        kept = slices[1].broadcast(new[0].shape, [0, 1])
        pairs = zip(new, state, strict=True)
        return [f.select(kept, after, before) for after, before in pairs], [
            f.select(kept, new[0], 0)
        ]

    stored = [(products.shape[0], *first[0].shape)]
    return recurrence(sequences, first, stored, step, reverse=reverse)


def direction_of(x: Tensor, number: int) -> Tensor:
    """The weights of a direction."""
    return m.take_index(x, 0, number)


def halves(bias: Tensor | None, number: int, element: Any) -> tuple[Tensor | None, Tensor | None]:
    """The biases of inputs and of states of a direction."""
    if bias is None:
        return None, None
    first, second = m.chunks(direction_of(bias, number).convert(element), 2)
    return first, second


@lowers("RNN")
def rnn(
    call: Call, x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None,
    sequence_lens: Tensor | None = None, initial_h: Tensor | None = None, **attributes: object,
) -> tuple[Tensor, ...]:  # fmt: skip
    """H = f(X W^T + H R^T + b)"""
    layer = layer_of(call, attributes)
    operands = RecurrentOperands(x, w, r, b, sequence_lens, [initial_h])
    require_shapes(layer, operands, 1, attributes.get("hidden_size"))
    functions = layer.functions(["Tanh"])
    element = to_compute_type(x).element

    def cell(number: int) -> tuple[Tensor | None, Cell]:
        recurrent = direction_of(r, number).convert(element)
        (activation,) = functions[number]

        def step(inputs: Tensor, state: Sequence[Tensor]) -> list[Tensor]:
            return [activation(inputs + times(state[0], recurrent))]

        return sum_of(halves(b, number, element)), step

    return run_layer(layer, x, w, sequence_lens, [initial_h], r.shape[2], cell)


def sum_of(biases: tuple[Tensor | None, Tensor | None]) -> Tensor | None:
    """The sum of the biases of inputs and states."""
    first, second = biases
    return None if first is None or second is None else first + second


@lowers("GRU")
def gru(
    call: Call, x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None,
    sequence_lens: Tensor | None = None, initial_h: Tensor | None = None, *,
    linear_before_reset: int = 0, **attributes: object,
) -> tuple[Tensor, ...]:  # fmt: skip
    """H = (1 - z) h + z H, where h depends on H times r, or on the product with H, times r"""
    layer = layer_of(call, attributes)
    operands = RecurrentOperands(x, w, r, b, sequence_lens, [initial_h])
    require_shapes(layer, operands, 3, attributes.get("hidden_size"))
    functions = layer.functions(["Sigmoid", "Tanh"])
    element, hidden = to_compute_type(x).element, r.shape[2]

    def cell(number: int) -> tuple[Tensor | None, Cell]:
        recurrent = direction_of(r, number).convert(element)
        gates = m.slice_dimension(recurrent, 0, 0, 2 * hidden)
        candidate = m.slice_dimension(recurrent, 0, 2 * hidden, 3 * hidden)
        gate, activation = functions[number]
        bias, state_bias = halves(b, number, element)

        def add_bias(product: Tensor, first: SizeLike, last: SizeLike) -> Tensor:
            if state_bias is None:
                return product
            own = m.slice_dimension(state_bias.within(product.graph), 0, first, last)
            return product + own.broadcast_to(product.shape)

        def step(inputs: Tensor, state: Sequence[Tensor]) -> list[Tensor]:
            (h,) = state
            z_in, r_in, h_in = m.chunks(inputs, 3)
            z_h, r_h = m.chunks(add_bias(times(h, gates), 0, 2 * hidden), 2)
            z, reset = gate(z_in + z_h), gate(r_in + r_h)
            if linear_before_reset:
                product = reset * add_bias(times(h, candidate), 2 * hidden, 3 * hidden)
            else:
                product = add_bias(times(reset * h, candidate), 2 * hidden, 3 * hidden)
            return [(1 - z) * activation(h_in + product) + z * h]

        return bias, step

    return run_layer(layer, x, w, sequence_lens, [initial_h], hidden, cell)


@lowers("LSTM")
def lstm(
    call: Call, x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None,
    sequence_lens: Tensor | None = None, initial_h: Tensor | None = None,
    initial_c: Tensor | None = None, p: Tensor | None = None, *,
    input_forget: int = 0, **attributes: object,
) -> tuple[Tensor, ...]:  # fmt: skip
    """C = f C + i c, H = o h(C), with peepholes from C to the gates"""
    layer = layer_of(call, attributes)
    initial = [initial_h, initial_c]
    operands = RecurrentOperands(x, w, r, b, sequence_lens, initial, p)
    require_shapes(layer, operands, 4, attributes.get("hidden_size"))
    return lstm_layer(layer, x, w, r, b, sequence_lens, initial, p, bool(input_forget))


def lstm_layer(
    layer: Layer, x: Tensor, w: Tensor, r: Tensor, b: Tensor | None, lengths: Tensor | None,
    initial: Sequence[Tensor | None], p: Tensor | None, input_forget: bool,
    operand: Activation = lambda state: state,
) -> tuple[Tensor, ...]:  # fmt: skip
    """The outputs of an LSTM; ``operand`` is what a state becomes before it is multiplied."""
    functions = layer.functions(["Sigmoid", "Tanh", "Tanh"])
    element = to_compute_type(x).element

    def cell(number: int) -> tuple[Tensor | None, Cell]:
        recurrent = direction_of(r, number).convert(element)
        gate, activation, output = functions[number]
        peepholes = [] if p is None else m.chunks(direction_of(p, number).convert(element), 3)

        def add_peephole(product: Tensor, peephole: int, c: Tensor) -> Tensor:
            if not peepholes:
                return product
            weights = peepholes[peephole].within(c.graph)
            return product + c * weights.broadcast_to(c.shape)

        def step(inputs: Tensor, state: Sequence[Tensor]) -> list[Tensor]:
            h, c = state
            i_in, o_in, f_in, c_in = m.chunks(inputs + times(operand(h), recurrent), 4)
            i = gate(add_peephole(i_in, 0, c))
            forget = 1 - i if input_forget else gate(add_peephole(f_in, 2, c))
            new = forget * c + i * activation(c_in)
            o = gate(add_peephole(o_in, 1, new))
            return [o * output(new), new]

        return sum_of(halves(b, number, element)), step

    return run_layer(layer, x, w, lengths, initial, r.shape[2], cell)
