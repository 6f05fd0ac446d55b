"""Random numbers.

``torch.manual_seed`` decides them, but they are others than those of PyTorch's own generator: the
bits of Threefry with a key that is drawn from that generator for each call of a program.

Source: PyTorch, torch, "Random sampling".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from stablemate.dialects.stablehlo.elementwise import Add
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import random_numbers as random
from stablemate.frontends.tensor_functions.graph import SizeLike
from stablemate.frontends.tensor_functions.ordering import sort_with_indices
from stablemate.frontends.tensor_functions.reductions import sum_over
from stablemate.frontends.tensor_functions.scans import cumulative
from stablemate.frontends.tensor_functions.tensor import Tensor, size_tensor
from stablemate.frontends.torch.call import Call, Operand
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import (
    F32,
    F64,
    ComplexType,
    ElementType,
    FloatType,
    IntegerType,
)


def unit(call: Call, element: ElementType, shape: Sequence[SizeLike] | None = None) -> Tensor:
    """Floats from 0 to below 1."""
    return random.uniform(call.key(), call.stream, call.shape if shape is None else shape, element)


def standard_normal(call: Call, element: ElementType) -> Tensor:
    """Numbers of mean 0 and variance 1; the parts of complex ones have half of it."""
    if not isinstance(element, ComplexType):
        return random.normal(call.key(), call.stream, call.shape, element)
    parts = random.normal(call.key(), call.stream, (2, *call.shape), element.element) * 0.5**0.5
    return f.complex_from_parts(m.take_index(parts, 0, 0), m.take_index(parts, 0, 1))


@lowers("rand", "rand_like", "rand.generator", "inductor_random")
def rand(call: Call, *_: object) -> Tensor:
    """Uniform from 0 to below 1."""
    if isinstance(call.element, ComplexType):
        parts = unit(call, call.element.element, (2, *call.shape))
        return f.complex_from_parts(m.take_index(parts, 0, 0), m.take_index(parts, 0, 1))
    return unit(call, call.element)


@lowers("randn", "randn_like", "randn.generator")
def randn(call: Call, *_: object) -> Tensor:
    """Normal with mean 0 and variance 1."""
    return standard_normal(call, call.element)


@lowers("uniform", "prims.uniform", "prims._uniform_helper", "uniform_")
def uniform(
    call: Call, self: object, from_: Operand = 0.0, to: Operand = 1.0, *,
    low: Operand | None = None, high: Operand | None = None,
) -> Tensor:  # fmt: skip
    """Uniform from one number to below another."""
    first, last = (from_, to) if low is None or high is None else (low, high)
    start, stop = call.tensors(first, last)
    return rand(call) * (stop - start) + start


@lowers("normal_functional", "prims.normal")
def normal(call: Call, self: object, mean: Operand = 0.0, std: Operand = 1.0) -> Tensor:
    """Normal with a mean and a standard deviation."""
    return standard_normal(call, call.element) * call.tensor(std) + call.tensor(mean)


@lowers("normal.Tensor_Tensor", "normal.Tensor_float", "normal.float_Tensor", "normal.float_float")
def normal_of(call: Call, mean: Operand, std: Operand, *_: object) -> Tensor:
    """Normal with a mean and a standard deviation."""
    return normal(call, None, mean, std)


@lowers("randint.low", "randint_like.low_dtype")
def randint_low(call: Call, first: Operand, second: Operand, *rest: Operand) -> Tensor:
    """Integers from low to below high."""
    low, high = (second, rest[0]) if isinstance(first, Tensor) else (first, second)
    return integers(call, low, high)


@lowers("random", "random.from", "random.to")
def random_(call: Call, self: Tensor, first: int | None = None, last: int | None = None) -> Tensor:
    """Integers in a range; by default all that the element type holds exactly, from 0."""
    element = call.element
    if call.name == "aten.random.to":
        return integers(call, 0, first or 0)
    if isinstance(element, FloatType):
        end = (1 << element.precision) + 1
    else:
        assert isinstance(element, IntegerType)
        end = 1 << min(element.bits - (not element.is_unsigned), 62)
    return integers(call, first or 0, end if last is None else last)


@lowers("randint", "randint_like", "randint_like.Tensor")
def randint(call: Call, first: Operand, second: Operand) -> Tensor:
    """Integers from 0 to below high."""
    return integers(call, 0, second if isinstance(first, Tensor) else first)


def integers(call: Call, low: Operand, high: Operand) -> Tensor:
    """Integers in a range, from 64 random bits each."""
    bits = random.random_bits(call.key(), call.stream, call.shape, 64)
    start, stop = call.tensors(low, high, element=INT64)
    size = (stop - start).convert(random.WORD)
    return (f.remainder(bits, size).convert(INT64) + start).convert(call.element)


@lowers("bernoulli", "bernoulli.p", "bernoulli.Tensor")
def bernoulli(call: Call, self: Tensor, p: Operand | None = None) -> Tensor:
    """Random elements: 1 with a probability, else 0."""
    given = self if p is None else p
    probability = call.tensor(
        given, given.element if isinstance(given, Tensor) and given.is_float else F32
    )
    drawn = unit(call, F64 if probability.element == F64 else F32)
    return (drawn < probability.convert(drawn.element)).convert(call.element)


@lowers("native_dropout")
def native_dropout(call: Call, input: Tensor, p: float, train: bool | None) -> list[Tensor]:
    """Numbers are zero with a probability, the others grow accordingly; and which are kept."""
    if train is False or p == 0:
        kept = input.equals(input) | f.is_nan(input) if input.is_float else input.equals(input)
        return [input, kept]
    kept = unit(call, F32) >= p
    scale = 0.0 if p == 1 else 1 / (1 - p)
    return [f.select(kept, call.to_compute_type(input) * scale, 0).convert(call.element), kept]


@lowers("native_dropout_backward", "_masked_scale")
def native_dropout_backward(call: Call, grad_output: Tensor, mask: Tensor, scale: float) -> Tensor:
    """The gradient of dropout: nothing passes where elements were dropped."""
    return call.tensor(grad_output) * mask.convert(call.element) * scale


@lowers("randperm")
def randperm(call: Call, n: SizeLike) -> Tensor:
    """The numbers from 0 to below n in random order."""
    keys = random.random_bits(call.key(), call.stream, call.shape, 64)
    if not call.shape or call.shape == (0,):
        return m.arange(call.graph, n, call.element)
    _, order = sort_with_indices(keys, 0, INT64)
    return order.convert(call.element)


@lowers("exponential")
def exponential(call: Call, self: Tensor, lambd: Operand) -> Tensor:
    """Random numbers of an exponential distribution with a rate."""
    drawn = unit(call, call.element)
    return -f.log1p(-drawn) / call.tensor(lambd)


@lowers("geometric")
def geometric(call: Call, self: Tensor, p: float) -> Tensor:
    """The number of trials up to the first success."""
    wide = F64 if call.element == F64 else F32
    trials = f.ceil(f.log1p(-unit(call, wide)) * (1 / log1m(p)))
    return f.maximum(trials, 1).convert(call.element)


def log1m(p: float) -> float:
    """The logarithm of 1 - p."""
    return log(1 - p) if p < 1 else float("-inf")


@lowers("cauchy")
def cauchy(call: Call, self: Tensor, median: Operand, sigma: Operand) -> Tensor:
    """Cauchy with a median and a width."""
    angle = (unit(call, call.element) - 0.5) * 3.141592653589793
    return call.tensor(median) + call.tensor(sigma) * f.tan(angle)


@lowers("log_normal")
def log_normal(call: Call, self: Tensor, mean: Operand, std: Operand) -> Tensor:
    """The exponential of normal numbers."""
    return f.exp(normal(call, self, mean, std))


@lowers("multinomial")
def multinomial(call: Call, self: Tensor, num_samples: int, replacement: bool) -> Tensor:
    """Indices, drawn with probabilities in proportion to weights."""
    weights = call.to_compute_type(self)
    if replacement:
        return drawn_with_replacement(call, weights)
    keys = -f.log(1 - unit(call, weights.element, self.shape)) / weights
    _, order = sort_with_indices(keys, -1, INT64)
    return m.slice_dimension(order, -1, 0, num_samples)


def drawn_with_replacement(call: Call, weights: Tensor) -> Tensor:
    """For each draw the first index at which the sum of weights exceeds a random number."""
    sums = cumulative(weights, Add, -1)
    total = m.slice_dimension(sums, -1, sums.shape[-1] - 1, sums.shape[-1])
    drawn = unit(call, weights.element) * total
    before = m.expand_dims(sums, -2) <= m.expand_dims(drawn, -1)
    count = sum_over(before.convert(INT64), [before.rank - 1])
    last = size_tensor(call.graph, weights.shape[-1], INT64) - 1
    return f.minimum(count, last)


@lowers("binomial")
def binomial(call: Call, count: Tensor, prob: Tensor, *_: object) -> Tensor:
    """The number of successes of trials.

    Above 128 trials it is drawn from a normal distribution, rounded.
    """
    trials, p = (call.to_compute_type(x).broadcast_to(call.shape) for x in (count, prob))
    shape = (128, *call.shape)
    numbers = m.iota(call.graph, shape, 0, trials.element)
    successes = (unit(call, trials.element, shape) < p) & (numbers < trials)
    few = sum_over(successes.convert(trials.element), [0])
    drawn = random.normal(call.key(), call.stream + (1 << 16), call.shape, trials.element)
    mean = trials * p
    many = f.clamp(0, f.round_half_even(mean + f.sqrt(mean * (1 - p)) * drawn), trials)
    return f.select(trials > 128, many, few).convert(call.element)


@lowers("poisson")
def poisson(call: Call, self: Tensor, *_: object) -> Tensor:
    """Poisson with a rate: the number of exponential times that fit into it.

    Rates above 64 are drawn from a normal distribution, rounded.
    """
    rate = call.to_compute_type(self)
    steps = 128
    times = -f.log1p(-unit(call, rate.element, (steps, *self.shape)))
    arrivals = cumulative(times, Add, 0) <= rate
    count = sum_over(arrivals.convert(rate.element), [0])
    drawn = random.normal(call.key(), call.stream + (1 << 16), self.shape, rate.element)
    large = f.maximum(f.round_half_even(rate + f.sqrt(rate) * drawn), 0)
    return f.select(rate > 64, large, count).convert(call.element)


@lowers("rrelu_with_noise_functional")
def rrelu(
    call: Call, self: Tensor, noise: Tensor, lower: float, upper: float, training: bool,
    *_: object,
) -> list[Tensor]:  # fmt: skip
    """Self, negative numbers times slopes: random ones, or in evaluation their mean"""
    if not training:
        return [f.select(self > 0, self, self * ((lower + upper) / 2)), noise]
    slopes = unit(call, self.element) * (upper - lower) + lower
    factors = f.select(self > 0, 1, slopes)
    return [self * factors, factors]
