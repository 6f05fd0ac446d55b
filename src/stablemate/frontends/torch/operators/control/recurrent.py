"""Recurrences of LSTM, GRU and RNN layers, and their gradients, as loops over the steps.

The sequence of steps is the first dimension. Inputs are products with the weights of inputs, all
steps together; a step adds the product of the state with ``weight``.

Source: PyTorch, torch.nn.LSTM, GRU, RNN.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.contraction import times, times_transposed
from stablemate.frontends.tensor_functions.control import Outcome, recurrence
from stablemate.frontends.tensor_functions.graph import Shape
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.table import lowers


def slope(gate: Tensor) -> Tensor:
    """The derivative of a logistic function, by its value."""
    return gate * (1 - gate)


def tanh_slope(value: Tensor) -> Tensor:
    """The derivative of a hyperbolic tangent, by its value."""
    return 1 - value * value


def begin_with(first: Tensor, sequence: Tensor, *, reverse: bool) -> Tensor:
    """For each step the value of the step before; of the first one a value of its own."""
    length = sequence.shape[0]
    own = m.expand_dims(first, 0)
    if reverse:
        return m.concatenate([m.slice_dimension(sequence, 0, 1, length), own], 0)
    return m.concatenate([own, m.slice_dimension(sequence, 0, 0, length - 1)], 0)


def complete_results(call: Call, values: Sequence[Tensor]) -> list[Tensor]:
    """Results in the element types that PyTorch infers; those that are not asked for are empty."""
    given = [value.convert(call.element) for value in values]
    for known in call.types[len(values) :]:
        assert known is not None
        given.append(full(call.graph, known[0], 0, known[1]))
    return given


def shape_of(call: Call, number: int) -> Shape:
    """The shape of a result."""
    known = call.types[number]
    assert known is not None
    return known[0]


def wide(call: Call, *tensors: Tensor | None) -> list[Tensor]:
    """Those tensors that are there, in the element type of intermediate results."""
    return [call.to_compute_type(x) for x in tensors if x is not None]


@lowers("stablemate.lstm_scan")
def lstm_scan(
    call: Call, inputs: Tensor, hidden: Tensor, cell: Tensor, weight: Tensor,
    projection: Tensor | None, reverse: bool, saves: bool,
) -> list[Tensor]:  # fmt: skip
    """Outputs h = o tanh(c) with c = f c + i g, the last c; all c and gates if they are saved"""
    x, h, c, w, *projections = wide(call, inputs, hidden, cell, weight, projection)

    def step(slices: Sequence[Tensor], state: Sequence[Tensor]) -> Outcome:
        gates = m.chunks(slices[0] + times(state[0], w), 4)
        i, forget, o = (f.logistic(gates[n]) for n in (0, 1, 3))
        g = f.tanh(gates[2])
        new = forget * state[1] + i * g
        output = o * f.tanh(new)
        for matrix in projections:
            output = times(output, matrix)
        kept = [new, m.concatenate([i, forget, g, o], 1)] if saves else []
        return [output, new], [output, *kept]

    stored = [shape_of(call, n) for n in ((0, 2, 3) if saves else (0,))]
    _, last, *all_ = recurrence([x], [h, c], stored, step, reverse=reverse)
    return complete_results(call, [all_[0], last, *all_[1:]])


@lowers("stablemate.lstm_scan_backward")
def lstm_scan_backward(
    call: Call, by_outputs: Tensor, by_cell: Tensor, cells: Tensor, gates: Tensor, cell: Tensor,
    weight: Tensor, projection: Tensor | None, reverse: bool,
) -> list[Tensor]:  # fmt: skip
    """The gradients by inputs, by the first h and c, and by each h with what later steps add"""
    given, late, all_cells, all_gates, first = wide(call, by_outputs, by_cell, cells, gates, cell)
    w, *projections = wide(call, weight, projection)
    before = begin_with(first, all_cells, reverse=reverse)

    def step(slices: Sequence[Tensor], state: Sequence[Tensor]) -> Outcome:
        by_output, opened, old, own = slices
        total = by_output + state[0]
        by_hidden = total
        for matrix in projections:
            by_hidden = times_transposed(total, matrix)
        i, forget, g, o = m.chunks(own, 4)
        squashed = f.tanh(opened)
        by_new = state[1] + by_hidden * o * tanh_slope(squashed)
        parts = [
            by_new * g * slope(i), by_new * old * slope(forget), by_new * i * tanh_slope(g),
            by_hidden * squashed * slope(o),
        ]  # fmt: skip
        by_inputs = m.concatenate(parts, 1)
        kept = [total] if projections else []
        return [times_transposed(by_inputs, w), by_new * forget], [by_inputs, *kept]

    state = [full(call.graph, shape_of(call, 1), 0, given.element), late]
    stored = [shape_of(call, n) for n in ((0, 3) if projections else (0,))]
    sequences = [given, all_cells, before, all_gates]
    by_h, by_c, by_inputs, *totals = recurrence(sequences, state, stored, step, reverse=not reverse)
    return complete_results(call, [by_inputs, by_h, by_c, *totals])


@lowers("stablemate.gru_scan")
def gru_scan(
    call: Call, inputs: Tensor, hidden: Tensor, weight: Tensor, bias: Tensor | None,
    reverse: bool, saves: bool,
) -> list[Tensor]:  # fmt: skip
    """Outputs h = n + z (h - n) with n = tanh(x + r (w h + b)); r, z, n, w h + b if saved"""
    x, h, w, *biases = wide(call, inputs, hidden, weight, bias)

    def step(slices: Sequence[Tensor], state: Sequence[Tensor]) -> Outcome:
        product = times(state[0], w)
        for vector in biases:
            product = product + vector.within(product.graph)
        own, other = m.chunks(slices[0], 3), m.chunks(product, 3)
        r, z = (f.logistic(own[n] + other[n]) for n in (0, 1))
        n = f.tanh(own[2] + r * other[2])
        new = n + z * (state[0] - n)
        kept = [m.concatenate([r, z, n, other[2]], 1)] if saves else []
        return [new], [new, *kept]

    stored = [shape_of(call, n) for n in range(1 + saves)]
    _, *all_ = recurrence([x], [h], stored, step, reverse=reverse)
    return complete_results(call, all_)


@lowers("stablemate.gru_scan_backward")
def gru_scan_backward(
    call: Call, by_outputs: Tensor, outputs: Tensor, gates: Tensor, hidden: Tensor,
    weight: Tensor, reverse: bool,
) -> list[Tensor]:  # fmt: skip
    """The gradients by inputs, by products with the weight, and by the first h"""
    given, all_, all_gates, first, w = wide(call, by_outputs, outputs, gates, hidden, weight)
    before = begin_with(first, all_, reverse=reverse)

    def step(slices: Sequence[Tensor], state: Sequence[Tensor]) -> Outcome:
        by_output, old, own = slices
        total = by_output + state[0]
        r, z, n, product = m.chunks(own, 4)
        by_n = total * (1 - z) * tanh_slope(n)
        by_r, by_z = by_n * product * slope(r), total * (old - n) * slope(z)
        by_products = m.concatenate([by_r, by_z, by_n * r], 1)
        by_inputs = m.concatenate([by_r, by_z, by_n], 1)
        return [total * z + times_transposed(by_products, w)], [by_inputs, by_products]

    state = [full(call.graph, first.shape, 0, given.element)]
    stored = [shape_of(call, n) for n in range(2)]
    by_hidden, by_inputs, by_products = recurrence(
        [given, before, all_gates], state, stored, step, reverse=not reverse
    )
    return complete_results(call, [by_inputs, by_products, by_hidden])


@lowers("stablemate.rnn_scan")
def rnn_scan(
    call: Call, inputs: Tensor, hidden: Tensor, weight: Tensor, activation: str, reverse: bool
) -> Tensor:
    """Outputs h = activation(x + w h)"""
    x, h, w = wide(call, inputs, hidden, weight)

    def step(slices: Sequence[Tensor], state: Sequence[Tensor]) -> Outcome:
        total = slices[0] + times(state[0], w)
        new = f.tanh(total) if activation == "tanh" else f.maximum(total, 0)
        return [new], [new]

    _, outputs = recurrence([x], [h], [call.shape], step, reverse=reverse)
    return outputs.convert(call.element)


@lowers("stablemate.rnn_scan_backward")
def rnn_scan_backward(
    call: Call, by_outputs: Tensor, outputs: Tensor, weight: Tensor, activation: str,
    reverse: bool,
) -> list[Tensor]:  # fmt: skip
    """The gradients by inputs and by the first h"""
    given, all_, w = wide(call, by_outputs, outputs, weight)

    def step(slices: Sequence[Tensor], state: Sequence[Tensor]) -> Outcome:
        by_output, own = slices
        total = by_output + state[0]
        is_tanh = activation == "tanh"
        by_inputs = total * tanh_slope(own) if is_tanh else f.select(own > 0, total, 0)
        return [times_transposed(by_inputs, w)], [by_inputs]

    state = [full(call.graph, shape_of(call, 1), 0, given.element)]
    by_hidden, by_inputs = recurrence([given, all_], state, [call.shape], step, reverse=not reverse)
    return complete_results(call, [by_inputs, by_hidden])
