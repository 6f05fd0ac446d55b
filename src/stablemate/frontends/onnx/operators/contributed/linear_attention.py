"""Linear attention of ONNX Runtime's domain com.microsoft, and what stands around it.

A state of keys by values is updated in each step: it decays, forgets what it has under a key, and
takes a value under it.

Source: ONNX Runtime, Contrib Operators; S. Yang et al., Gated Delta Networks, 2024.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod, sqrt
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.model import MICROSOFT
from stablemate.frontends.onnx.operators.convolution import conv
from stablemate.frontends.onnx.operators.elementwise import UNARY, swish
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import contraction as c
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.control import Outcome, recurrence
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.tensor import Tensor, full
from stablemate.numerics.elements import F32

RULES: Final = ("linear", "gated", "delta", "gated_delta")
GATES: Final = ("silu", "swish", "sigmoid")
TINY: Final = 1e-6  # what keeps the norm of a head from zero


@dataclass(frozen=True, slots=True)
class Steps:
    """The operands of the steps of linear attention, as floats of 32 bits; steps come first.

    Attributes:
        q: The queries (steps, batch, heads, queries of a head, key size).
        k: The keys (steps, batch, heads, key size).
        v: The values (steps, batch, heads, value size).
        decay: The logarithms of how much of the state stays, (steps, batch, heads, key size or 1).
        beta: How much of a value is taken, (steps, batch, heads, 1).
    """

    q: Tensor
    k: Tensor
    v: Tensor
    decay: Tensor | None
    beta: Tensor | None

    def outputs(self, state: Tensor, scale: float) -> tuple[Tensor, Tensor]:
        """The last state (batch, heads, key size, value size), and the outputs of all steps.

        Args:
            state: The first state.
            scale: What outputs are multiplied by.
        """
        given = [self.q, self.k, self.v, self.decay, self.beta]
        names = [i for i, x in enumerate(given) if x is not None]
        sequences = [x for x in given if x is not None]

        def step(slices: Sequence[Tensor], states: Sequence[Tensor]) -> Outcome:
            parts = dict(zip(names, slices, strict=True))
            q, k, v, (s,) = parts[0], parts[1], parts[2], states
            if 3 in parts:
                s = s * f.exp(parts[3]).broadcast(s.shape, [0, 1, 2])
            if 4 in parts:
                known = c.dot_general(k, s, ([2], [2]), ([0, 1], [0, 1]))
                v = (v - known) * parts[4].broadcast(v.shape, [0, 1, 2])
            s = s + k.broadcast(s.shape, [0, 1, 2]) * v.broadcast(s.shape, [0, 1, 3])
            return [s], [c.dot_general(q, s, ([3], [2]), ([0, 1], [0, 1])) * scale]

        stored = (*self.q.shape[:4], self.v.shape[3])
        last, outputs = recurrence(sequences, [state], [stored], step, reverse=False)
        return last, outputs


def require_rule(rule: str, decay: Tensor | None, beta: Tensor | None) -> None:
    """Refuses a rule that there is not, or without what it reads.

    Raises:
        ValueError: It is so.
    """
    if rule not in RULES:
        raise ValueError(f"the update_rule {rule!r} is none of {', '.join(RULES)}")
    if "gated" in rule and decay is None:
        raise ValueError(f"the update_rule {rule} needs a decay")
    if "delta" in rule and beta is None:
        raise ValueError(f"the update_rule {rule} needs beta")


def steps_of(
    q: Tensor, k: Tensor, v: Tensor, rule: str, decay: Tensor | None, beta: Tensor | None
) -> Steps:
    """Steps of tensors whose steps are their second dimension and heads their third.

    A head of keys and values serves several of the queries, or has one query with others.
    """
    q, k, v = (m.swap_dimensions(x, 0, 1).convert(F32) for x in (q, k, v))
    steps, batch, heads, size = q.shape
    own = v.shape[2]
    if not isinstance(heads, int) or not isinstance(own, int):
        raise ValueError("the numbers of heads must be known")
    if own > heads:
        q = m.repeat_elements(q, 2, own // heads)
    if own > (count := k.shape[2]):
        k = m.repeat_elements(k, 2, own // count)
    q = m.reshape(q, [steps, batch, own, max(heads // own, 1), size])
    gates = [
        m.swap_dimensions(gate, 0, 1).convert(F32) if gate is not None and part in rule else None
        for gate, part in ((decay, "gated"), (beta, "delta"))
    ]
    return Steps(q, k, v, gates[0], gates[1])


def without_rest(x: Tensor) -> Tensor:
    """The outputs of steps (steps, batch, heads, queries, size) as (batch, steps, heads, size)."""
    steps, batch, heads, queries, size = x.shape
    return m.reshape(m.swap_dimensions(x, 0, 1), [batch, steps, heads * queries, size])


def by_head(x: Tensor, heads: int) -> Tensor:
    """(batch, steps, heads * size) as (batch, steps, heads, size)."""
    return m.reshape(x, [*x.shape[:2], heads, x.shape[2] // heads])


@lowers("LinearAttention", domain=MICROSOFT)
def linear_attention(
    call: Call, query: Tensor, key: Tensor, value: Tensor, past_state: Tensor | None = None,
    decay: Tensor | None = None, beta: Tensor | None = None, *, q_num_heads: int,
    kv_num_heads: int, scale: float = 0.0, update_rule: str = "gated_delta",
    chunk_size: int = 64, state_window: int = 0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Queries of a state that takes keys and values step by step (batch, steps, heads * size)"""
    if state_window:
        call.refuse("state_window has no translation")
    require_rule(update_rule, decay, beta)
    q = by_head(query, q_num_heads)
    k, v = by_head(key, kv_num_heads), by_head(value, kv_num_heads)
    factors = None if decay is None else by_head(decay, kv_num_heads)
    if beta is not None:
        beta = m.expand_dims(beta, 3).broadcast_to([*beta.shape[:2], kv_num_heads, 1])
    steps = steps_of(q, k, v, update_rule, factors, beta)
    shape = (query.shape[0], kv_num_heads, k.shape[3], v.shape[3])
    state = full(call.graph, shape, 0, F32) if past_state is None else past_state.convert(F32)
    last, outputs = steps.outputs(state, scale or 1 / sqrt(known_size(q.shape[3])))
    result = without_rest(outputs)
    merged = m.reshape(result, [*result.shape[:2], result.shape[2] * result.shape[3]])
    element = query.element if past_state is None else past_state.element
    return merged.convert(query.element), last.convert(element)


def known_size(size: SizeLike) -> int:
    """A size that is known.

    Raises:
        ValueError: It varies.
    """
    if not isinstance(size, int):
        raise ValueError("the size of a head must be known")
    return size


@lowers("GatedDeltaNet", domain=MICROSOFT)
def gated_delta_net(
    call: Call, query: Tensor, key: Tensor | None = None, value: Tensor | None = None,
    cu_seqlens: Tensor | None = None, decay: Tensor | None = None, beta: Tensor | None = None,
    initial_state: Tensor | None = None, a_log: Tensor | None = None,
    dt_bias: Tensor | None = None, capture_count: Tensor | None = None,
    state_update_active: Tensor | None = None, *, scale: float = 0.0,
    update_rule: str = "gated_delta", chunk_size: int = 64, qk_l2_norm: int = 0,
    gate_activation: str = "none", beta_activation: str = "none", gate_lower_bound: float = -5.0,
    state_update_capacity: int = 0,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Queries of a state (batch, heads, value size, key size) that steps update

    Steps are (tokens, heads, size), those of members of the batch one after the other, or
    (batch, steps, heads, size).
    """
    if cu_seqlens is not None or state_update_capacity:
        call.refuse("sequences of different lengths, and updates of states, have no translation")
    require_rule(update_rule, decay, beta)
    parts = packed_parts(query, initial_state) if key is None else [query, key, value]
    q, k, v = (x for x in parts if x is not None)
    batch = query.shape[0] if initial_state is None else initial_state.shape[0]
    if query.rank < 4:
        if initial_state is None:
            raise ValueError("tokens without a batch need an initial state")
        q, k, v = (rows_of(x, batch) for x in (q, k, v))
        decay, beta = (None if x is None else rows_of(x, batch) for x in (decay, beta))
    if qk_l2_norm:
        q, k = (by_norm(x) for x in (q, k))
    if decay is not None:
        decay = log_decay(decay, a_log, dt_bias, gate_activation, gate_lower_bound)
    if beta is not None:
        beta = m.expand_dims(beta.convert(F32), 3)
        beta = f.logistic(beta) if beta_activation == "sigmoid" else beta
    steps = steps_of(q, k, v, update_rule, decay, beta)
    if initial_state is None:
        state = full(call.graph, (batch, v.shape[2], q.shape[3], v.shape[3]), 0, F32)
    else:
        state = m.swap_dimensions(initial_state, 2, 3)
    last, outputs = steps.outputs(state, scale or 1 / sqrt(known_size(q.shape[3])))
    result = without_rest(outputs).convert(query.element)
    if query.rank < 4:
        result = m.reshape(result, [query.shape[0], *result.shape[2:]])
    return result, m.swap_dimensions(last, 2, 3)


def packed_parts(x: Tensor, state: Tensor | None) -> list[Tensor | None]:
    """Queries, keys and values (tokens, heads, size) that stand side by side.

    Raises:
        ValueError: There is no state, from which their sizes follow.
    """
    if state is None:
        raise ValueError("queries, keys and values side by side need an initial state")
    _, heads, value_size, key_size = state.shape
    width = x.shape[-1] - heads * value_size
    ends = [0, width // 2, width, x.shape[-1]]
    parts = [m.slice_dimension(x, -1, a, b) for a, b in pairwise(ends)]
    counts = (width // 2 // key_size, width // 2 // key_size, heads)
    return [
        m.reshape(part, [*x.shape[:-1], count, part.shape[-1] // count])
        for part, count in zip(parts, counts, strict=True)
    ]


def rows_of(x: Tensor, batch: SizeLike) -> Tensor:
    """Tokens of all members of a batch as (batch, steps, ...)."""
    return m.reshape(x, [batch, x.shape[0] // batch, *x.shape[1:]])


def by_norm(x: Tensor) -> Tensor:
    """Elements by the norm of those of the last dimension."""
    wide, last = x.convert(F32), x.rank - 1
    total = r.sum_over(wide * wide, [last])
    return wide * f.rsqrt(total + TINY).broadcast(x.shape, range(last))


def log_decay(
    decay: Tensor, a_log: Tensor | None, dt_bias: Tensor | None, activation: str, bound: float
) -> Tensor:
    """The logarithms of how much of a state stays, (batch, steps, heads, key size or 1).

    Raises:
        ValueError: There is no such activation, or it lacks an input.
    """
    wide = decay.convert(F32)
    wide = m.expand_dims(wide, 3) if wide.rank == 3 else wide
    if activation == "none":
        return wide
    if a_log is None or dt_bias is None:
        raise ValueError(f"the gate_activation {activation} needs a_log and dt_bias")
    heads, sizes = wide.shape[2], wide.shape[3]
    rate = f.exp(m.reshape(a_log, [heads, 1])).broadcast_to(wide.shape)
    own = 1 if dt_bias.rank == 1 and dt_bias.shape[0] == heads else sizes
    wide_bias = m.reshape(dt_bias, [heads, own])
    sums = wide + wide_bias.broadcast_to(wide.shape)
    match activation:
        case "softplus" | "qwen":
            return -rate * UNARY["Softplus"](sums)
        case "sigmoid" | "kda":
            return f.logistic(rate * sums) * bound
        case _:
            raise ValueError(f"the gate_activation {activation!r} is none")


@lowers("LinearAttentionGate", domain=MICROSOFT)
def linear_attention_gate(
    call: Call, a: Tensor, dt_bias: Tensor, decay_scale: Tensor, b: Tensor | None = None
) -> tuple[Tensor, ...]:
    """How much of a state stays, decay_scale softplus(a + dt_bias), and how much it takes"""
    wide = a.convert(F32)
    sums = wide + dt_bias.broadcast_to(wide.shape)
    decay = (UNARY["Softplus"](sums) * decay_scale.broadcast_to(wide.shape)).convert(a.element)
    return (decay,) if b is None else (decay, f.logistic(b.convert(F32)).convert(a.element))


@lowers("GatedRMSNorm", domain=MICROSOFT)
def gated_rms_norm(
    call: Call, x: Tensor, scale: Tensor, gate: Tensor, *, activation: str = "silu",
    epsilon: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Groups of elements by the root of their mean square, times a scale and a gate"""
    if activation not in GATES:
        raise ValueError(f"the activation {activation!r} is none of {', '.join(GATES)}")
    size, wide = scale.shape[0], gate.convert(F32)
    groups = m.reshape(x.convert(F32), [*x.shape[:-1], x.shape[-1] // size, size])
    normal = m.reshape(by_root_mean_square(groups, epsilon) * scale.convert(F32), x.shape)
    factor = f.logistic(wide) if activation == "sigmoid" else swish(call, wide)
    return (normal * factor).convert(x.element)


def by_root_mean_square(x: Tensor, epsilon: float) -> Tensor:
    """Elements by the root of the mean square of those of the last dimension."""
    last = x.rank - 1
    mean = r.mean_over(x * x, [last])
    return x * f.rsqrt(mean + epsilon).broadcast(x.shape, range(last))


@lowers("BranchwiseRMSNorm", domain=MICROSOFT)
def branchwise_rms_norm(
    call: Call, x: Tensor, scale: Tensor | None = None, *, num_branches: int = 0,
    epsilon: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Branches (..., branches, size), which may be side by side, by their roots of mean squares"""
    wide = x.convert(F32)
    if num_branches:
        wide = m.reshape(wide, [*x.shape[:-1], num_branches, x.shape[-1] // num_branches])
    normal = by_root_mean_square(wide, epsilon)
    if scale is not None:
        factors = scale.convert(F32)
        if scale.rank == 1 and scale.shape[0] != wide.shape[-1]:
            factors = m.reshape(factors, wide.shape[-2:])
        normal = normal * factors.broadcast_to(wide.shape)
    return m.reshape(normal, x.shape).convert(x.element)


@lowers("GatedAdd", domain=MICROSOFT)
def gated_add(
    call: Call, x: Tensor, y: Tensor, gate: Tensor, gate_weight: Tensor | None = None
) -> Tensor:
    """X + Y gate, where rows have a gate"""
    if gate_weight is not None:
        call.refuse("gate_weight has no translation")
    return x + y * gate.broadcast_to(y.shape)


@lowers("ScaledSiLU", domain=MICROSOFT)
def scaled_silu(
    call: Call, x: Tensor, scale: Tensor | None = None, *, alpha: float = 1.0
) -> Tensor:
    """X sigmoid(x) of a scaled x"""
    wide = x.convert(F32)
    factor = alpha if scale is None else m.reshape(scale.convert(F32), ()).broadcast_to(x.shape)
    scaled = (wide * factor).convert(x.element)
    return scaled * f.logistic(scaled.convert(F32)).convert(x.element)


@lowers("CausalConvWithState", domain=MICROSOFT)
def causal_conv_with_state(
    call: Call, x: Tensor, weight: Tensor, bias: Tensor | None = None,
    past_state: Tensor | None = None, *, activation: str = "none", ndim: int = 1,
    dilation: int = 1, channels_last: int = 0, state_window: int = 0,
    state_update_capacity: int = 0, state_channels_last: int = -1, state_length: int = 0,
    input_channels: int = 0, input_channel_offset: int = 0,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """A convolution of each channel that sees no later steps, and the steps that the next one sees

    The steps are the last dimension, or the second one with ``channels_last``.
    """
    others = state_window, state_update_capacity, state_length, input_channels
    if any(others) or input_channel_offset or state_channels_last != -1:
        call.refuse("windows and slices of states have no translation")
    if activation not in ("none", "silu", "swish"):
        raise ValueError(f"the activation {activation!r} is none of none, silu, swish")
    if ndim != 1:
        call.refuse("more than one dimension has no translation")
    if channels_last:
        flat = [
            m.reshape(t, [*t.shape[:2], prod(t.shape[2:])])
            for t in (x, past_state)
            if t is not None
        ]
        steps, *state = (m.swap_dimensions(t, 1, 2) for t in flat)
        past = state[0] if state else None
    else:
        steps, past = x, past_state
    kept = (known_size(weight.shape[-1]) - 1) * dilation
    low = [0] * steps.rank
    if past is None:
        low[-1] = kept
        wide = m.pad(steps, 0, low, [0] * steps.rank)
    else:
        wide = m.concatenate([past, steps], steps.rank - 1)
    result = taps_of(call, wide, weight, bias, dilation)
    if activation != "none":
        result = swish(call, result)
    state_shape = list(x.shape)
    present = m.slice_dimension(wide, -1 % wide.rank, wide.shape[-1] - kept, wide.shape[-1])
    if channels_last:
        state_shape[1] = kept
        result = m.reshape(m.swap_dimensions(result, 1, 2), x.shape)
        present = m.reshape(m.swap_dimensions(present, 1, 2), state_shape)
    return result, present


def taps_of(call: Call, x: Tensor, weight: Tensor, bias: Tensor | None, dilation: int) -> Tensor:
    """The convolution of each channel, padded in all spatial dimensions but the last."""
    sides = [known_size(k) - 1 for k in weight.shape[2:-1]]
    low, high = [side // 2 for side in sides], [side - side // 2 for side in sides]
    return conv(
        call, x, weight, bias, group=known_size(weight.shape[0]), pads=[*low, 0, *high, 0],
        dilations=[1] * len(sides) + [dilation],
    )  # fmt: skip


@lowers("HyperConnectionPreMix", domain=MICROSOFT)
def hyper_connection_pre_mix(
    call: Call, streams: Tensor, pre_mix: Tensor, *, reduction_scale: float = 1.0,
    num_branches: int = 0,
) -> Tensor:  # fmt: skip
    """Streams (..., branches, size), which may be side by side, as one, by gates"""
    wide = as_branches(streams, num_branches)
    gates = gates_like(pre_mix, wide)
    total = r.sum_over(wide * gates, [wide.rank - 2]) * reduction_scale
    return total.convert(streams.element)


@lowers("HyperConnectionPostMix", domain=MICROSOFT)
def hyper_connection_post_mix(
    call: Call, streams: Tensor, block_output: Tensor, post_mix: Tensor,
    stream_mix: Tensor | None = None, *, num_branches: int = 0,
) -> Tensor:  # fmt: skip
    """Streams mixed with each other, and with what a block gives, by gates"""
    wide = as_branches(streams, num_branches)
    mixed = wide
    if stream_mix is not None:
        last, outer = wide.rank - 2, list(range(wide.rank - 2))
        mixed = c.dot_general(stream_mix.convert(F32), wide, ([last], [last]), (outer, outer))
    given = m.expand_dims(block_output.convert(F32), wide.rank - 2).broadcast_to(wide.shape)
    result = mixed + gates_like(post_mix, wide) * given
    return m.reshape(result, streams.shape).convert(streams.element)


def as_branches(x: Tensor, branches: int) -> Tensor:
    """Branches (..., branches, size), which may be side by side if their number is stated."""
    wide = x.convert(F32)
    if not branches:
        return wide
    return m.reshape(wide, [*x.shape[:-1], branches, x.shape[-1] // branches])


def gates_like(gates: Tensor, x: Tensor) -> Tensor:
    """Gates of branches or of their elements, for branches (..., branches, size)."""
    wide = gates.convert(F32)
    if wide.rank == x.rank - 1:  # of branches, or of elements side by side
        is_flat = wide.shape[-1] != x.shape[-2]
        wide = m.reshape(wide, x.shape) if is_flat else m.expand_dims(wide, wide.rank)
    return wide.broadcast_to(x.shape)


@lowers("EngramGate", domain=MICROSOFT)
def engram_gate(
    call: Call, key: Tensor, query: Tensor, value: Tensor, key_norm_scale: Tensor,
    query_norm_scale: Tensor, conv_norm_scale: Tensor | None = None, *, epsilon: float = 1e-5,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Values (batch, steps, size), gated by how alike keys and queries (..., heads, size) are"""
    k, q = (
        by_root_mean_square(x.convert(F32), epsilon) * scale.convert(F32).broadcast_to(x.shape)
        for x, scale in ((key, key_norm_scale), (query, query_norm_scale))
    )
    dot = r.sum_over(k * q, [3]) / sqrt(known_size(key.shape[3]))
    gate = f.logistic(f.sign(dot) * f.sqrt(f.maximum(f.maximum(dot, -dot), TINY)))
    wide = m.expand_dims(value.convert(F32), 2).broadcast_to(key.shape)
    result = gate.broadcast(key.shape, [0, 1, 2]) * wide
    if conv_norm_scale is None:
        return (result.convert(key.element),)
    factors = conv_norm_scale.convert(F32).broadcast_to(key.shape)
    normal = by_root_mean_square(result, epsilon) * factors
    return result.convert(key.element), normal.convert(key.element)
