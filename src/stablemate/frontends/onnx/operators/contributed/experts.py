"""Mixtures of experts of ONNX Runtime's domain com.microsoft.

Source: ONNX Runtime, Contrib Operators; N. Shazeer et al., Outrageously Large Neural Networks: The
Sparsely-Gated Mixture-of-Experts Layer, 2017; N. Shazeer, GLU Variants Improve Transformer, 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.model import MICROSOFT
from stablemate.frontends.onnx.operators.contributed.general import fast_gelu, unpack_bits
from stablemate.frontends.onnx.operators.elementwise import relu, swish
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import contraction as c
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.floating_point import computed_element, to_compute_type
from stablemate.frontends.tensor_functions.ordering import sort_with_indices
from stablemate.frontends.tensor_functions.softmax import softmax_along
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.numerics.elements import I64, ElementType
from stablemate.numerics.symbolic_sizes import surely_at_most

PLAIN: Final = {"relu": relu, "gelu": fast_gelu, "silu": swish}
INTERLEAVED: Final = 1  # swiglu_fusion: a gate and what it lets through are neighbors


@dataclass(frozen=True, slots=True)
class Weights:
    """The matrices (outputs, inputs) of a layer of all experts.

    Attributes:
        stored: The elements, or bytes of several (experts, outputs, inputs).
        scales: Factors (experts, outputs), or (experts, outputs, blocks); None of floats.
        zero_points: What is subtracted, with several in a byte; by default the number in the
            middle.
        bits: How many a stored number has.
        bias: Summands (experts, outputs), if there are some.
    """

    stored: Tensor
    scales: Tensor | None
    zero_points: Tensor | None
    bits: int
    bias: Tensor | None

    def matrices(self, chosen: Tensor | None, element: ElementType) -> Tensor:
        """All matrices, or those of chosen experts, in floats.

        Args:
            chosen: The numbers of experts (tokens, experts of each).
            element: The element type of the result.
        """
        if self.scales is None:
            return take_experts(self.stored, chosen).convert(element)
        numbers = unpack_bits(take_experts(self.stored, chosen), self.bits).convert(element)
        scales = take_experts(self.scales, chosen).convert(element)
        if self.scales.rank == self.stored.rank:
            block = numbers.shape[-1] // scales.shape[-1]
            return (numbers - repeat_last(self.offsets(scales, chosen), block)) * repeat_last(
                scales, block
            )
        dims = range(scales.rank)
        offsets = self.offsets(scales, chosen).broadcast(numbers.shape, dims)
        return (numbers - offsets) * scales.broadcast(numbers.shape, dims)

    def offsets(self, scales: Tensor, chosen: Tensor | None) -> Tensor:
        """The zero points of the numbers that each scale belongs to."""
        if self.zero_points is None:
            return m.filled_like(scales, 1 << (self.bits - 1))
        numbers = unpack_bits(take_experts(self.zero_points, chosen), self.bits)
        own = m.slice_dimension(numbers, -1, 0, scales.shape[-1])
        return own.convert(scales.element)

    def summands(self, chosen: Tensor | None, element: ElementType) -> Tensor | None:
        """The bias of all experts, or of those that are chosen."""
        return None if self.bias is None else take_experts(self.bias, chosen).convert(element)


def take_experts(x: Tensor, chosen: Tensor | None) -> Tensor:
    """The rows of the chosen experts, of a tensor whose first dimension are all experts."""
    return x if chosen is None else ix.take(x, chosen, 0)


def repeat_last(x: Tensor, count: object) -> Tensor:
    """Each element of the last dimension several times."""
    assert isinstance(count, int), "sizes of weights are known"
    return m.repeat_elements(x, x.rank - 1, count)


@dataclass(frozen=True, slots=True)
class Routing:
    """The experts of each token.

    Attributes:
        places: Their numbers (tokens, experts of a token).
        factors: What their results are multiplied by.
    """

    places: Tensor
    factors: Tensor

    @staticmethod
    def of(logits: Tensor, count: int, weights: Tensor | None, *, normalized: bool) -> Routing:
        """The experts with the largest logits (tokens, experts).

        Args:
            logits: The logits.
            count: How many experts a token has.
            weights: The factors of all experts; by default the softmax of the logits.
            normalized: Whether factors are divided by their sum.
        """
        wide = to_compute_type(logits)
        _, order = sort_with_indices(wide, 1, I64, descending=True)
        places = m.slice_dimension(order, 1, 0, count)
        all_factors = softmax_along(wide, 1) if weights is None else to_compute_type(weights)
        factors = ix.take_along(all_factors, places, 1)
        if normalized:
            total = r.sum_over(factors, [1])
            factors = factors / total.broadcast(factors.shape, [0])
        return Routing(places, factors)

    def of_all(self, experts: object) -> Tensor:
        """The factors of all experts (tokens, experts): zero of those that a token has not."""
        assert isinstance(experts, int), "the number of experts is known"
        is_own = ix.one_hot(self.places, experts)
        factors = self.factors.broadcast(is_own.shape, [0, 1])
        return r.sum_over(f.select(is_own, factors, 0), [1])

    def is_sparse(self, experts: object) -> bool:
        """Whether it is surely less work to take the matrices of the experts of each token."""
        return isinstance(experts, int) and surely_at_most(self.places.size, experts - 1)


@dataclass(frozen=True, slots=True)
class Activation:
    """The activation between the two layers of an expert.

    Attributes:
        name: Its name.
        alpha: The factor in the sigmoid of ``swiglu``.
        beta: What ``swiglu`` adds to what its gate lets through.
        limit: The bound of both, if there is one.
    """

    name: str
    alpha: float
    beta: float
    limit: float | None

    def of(self, call: Call, x: Tensor) -> Tensor:
        """The activation of the results of the first layer.

        Raises:
            UnsupportedError: There is no such activation.
        """
        if self.name == "identity":
            return x
        if self.name in PLAIN:
            return PLAIN[self.name](call, x)
        if self.name != "swiglu":
            call.refuse(f"{self.name!r} is no activation of experts")
        pairs = m.reshape(x, [*x.shape[:-1], x.shape[-1] // 2, 2])
        gate, linear = (m.take_index(pairs, -1, i) for i in range(2))
        if self.limit is not None:
            gate = f.minimum(gate, self.limit)
            linear = f.clamp(-self.limit, linear, self.limit)
        return gate * f.logistic(gate * self.alpha) * (linear + self.beta)


def mixture(
    call: Call, x: Tensor, routing: Routing, first: Weights, second: Weights, activation: Activation
) -> Tensor:
    """The sums of what the experts of tokens (..., size) compute, multiplied by their factors.

    If tokens have fewer experts together than there are, their matrices are taken. Otherwise all
    experts compute, and the factors of a token are zero for those that it has not.
    """
    element, experts = computed_element(x.element), first.stored.shape[0]
    tokens = m.reshape(x, [routing.places.shape[0], x.shape[-1]]).convert(element)
    chosen = routing.places if routing.is_sparse(experts) else None
    factors = (routing.factors if chosen is not None else routing.of_all(experts)).convert(element)
    matrices = first.matrices(chosen, element)
    if chosen is None:
        hidden = c.dot_general(tokens, matrices, ([1], [2]))
    else:
        hidden = c.dot_general(tokens, matrices, ([1], [3]), ([0], [0]))
    bias = first.summands(chosen, element)
    if bias is not None:
        hidden = hidden + bias.broadcast(hidden.shape, own_dimensions(bias, hidden))
    active = activation.of(call, hidden)
    weighed = active * factors.broadcast(active.shape, [0, 1])
    matrices = second.matrices(chosen, element)
    if chosen is None:
        result = c.dot_general(weighed, matrices, ([1, 2], [0, 2]))
    else:
        result = c.dot_general(weighed, matrices, ([1, 2], [1, 3]), ([0], [0]))
    bias = second.summands(chosen, element)
    if bias is not None and chosen is None:
        result = result + c.dot_general(factors, bias, ([1], [0]))
    elif bias is not None:
        result = result + c.dot_general(factors, bias, ([1], [1]), ([0], [0]))
    return m.reshape(result, x.shape).convert(x.element)


def own_dimensions(part: Tensor, whole: Tensor) -> Sequence[int]:
    """The last dimensions of a tensor, as many as another one has."""
    return range(whole.rank - part.rank, whole.rank)


def fused_activation(
    call: Call, name: str, alpha: float, beta: float, limit: float | None, fusion: int
) -> Activation:
    """An activation by the attributes of a node.

    Raises:
        UnsupportedError: A gate is elsewhere than ONNX Runtime has it on a processor.
    """
    if name == "swiglu" and fusion != INTERLEAVED:
        call.refuse("swiglu has a translation if swiglu_fusion is 1")
    return Activation(name, alpha, beta, limit)


def refuse_sparse_mixer(call: Call, use_sparse_mixer: int) -> None:
    """Refuses the factors of SparseMixer, which ONNX Runtime does not compute on a processor."""
    if use_sparse_mixer:
        call.refuse("use_sparse_mixer has no translation")


def refuse_third_layer(call: Call, weights: Tensor | None) -> None:
    """Refuses a layer beside the first one, which ONNX Runtime has on other devices alone."""
    if weights is not None:
        call.refuse("a third layer has no translation")


@lowers("MoE", domain=MICROSOFT)
def mixture_of_experts(
    call: Call, x: Tensor, router_probs: Tensor, fc1: Tensor, fc1_bias: Tensor | None, fc2: Tensor,
    fc2_bias: Tensor | None = None, fc3: Tensor | None = None, fc3_bias: Tensor | None = None, *,
    activation_alpha: float = 1.0, activation_beta: float = 0.0,
    activation_type: str = "relu", k: int = 1, normalize_routing_weights: int = 0,
    swiglu_fusion: int = 0, swiglu_limit: float | None = None, use_sparse_mixer: int = 0,
) -> Tensor:  # fmt: skip
    """The results of the k experts of each token with the largest logits, by their softmax"""
    refuse_sparse_mixer(call, use_sparse_mixer)
    refuse_third_layer(call, fc3)
    activation = fused_activation(
        call, activation_type, activation_alpha, activation_beta, swiglu_limit, swiglu_fusion
    )
    routing = Routing.of(router_probs, k, None, normalized=bool(normalize_routing_weights))
    layers = [Weights(w, None, None, 8, b) for w, b in ((fc1, fc1_bias), (fc2, fc2_bias))]
    return mixture(call, x, routing, layers[0], layers[1], activation)


@lowers("QMoE", domain=MICROSOFT)
def quantized_mixture_of_experts(
    call: Call, x: Tensor, router_probs: Tensor, fc1: Tensor, fc1_scales: Tensor,
    fc1_bias: Tensor | None, fc2: Tensor, fc2_scales: Tensor, fc2_bias: Tensor | None = None,
    fc3: Tensor | None = None, fc3_scales: Tensor | None = None, fc3_bias: Tensor | None = None,
    fc1_zero_points: Tensor | None = None, fc2_zero_points: Tensor | None = None,
    fc3_zero_points: Tensor | None = None, router_weights: Tensor | None = None, *,
    accuracy_level: int = 0, activation_alpha: float = 1.0, activation_beta: float = 0.0,
    activation_type: str = "relu", block_size: int = 0, expert_weight_bits: int = 4,
    fc1_expert_weight_bits: int = 0, fc2_expert_weight_bits: int = 0, k: int = 1,
    normalize_routing_weights: int = 0, quant_type: str = "int", swiglu_fusion: int = 0,
    swiglu_limit: float | None = None, use_sparse_mixer: int = 0, weights_prepacked: int = -1,
) -> Tensor:  # fmt: skip
    """The same with weights of 2, 4 or 8 bits, and a scale for each row or block of a row"""
    refuse_sparse_mixer(call, use_sparse_mixer)
    if quant_type != "int":
        call.refuse(f"weights of the type {quant_type!r} have no translation")
    refuse_third_layer(call, fc3)
    activation = fused_activation(
        call, activation_type, activation_alpha, activation_beta, swiglu_limit, swiglu_fusion
    )
    bits = [own or expert_weight_bits for own in (fc1_expert_weight_bits, fc2_expert_weight_bits)]
    if not {*bits} <= {2, 4, 8}:
        call.refuse(f"weights of {bits} bits have no translation")
    routing = Routing.of(
        router_probs, k, router_weights, normalized=bool(normalize_routing_weights)
    )
    first = Weights(fc1, fc1_scales, fc1_zero_points, bits[0], fc1_bias)
    second = Weights(fc2, fc2_scales, fc2_zero_points, bits[1], fc2_bias)
    return mixture(call, x, routing, first, second, activation)
