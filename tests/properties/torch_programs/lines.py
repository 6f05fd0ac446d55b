"""Lines of Python, each of which computes a tensor of earlier ones or writes into one.

A line is drawn for the tensors that are there; PyTorch says whether it is right. Sizes that may
vary are written as such, ``a.shape[0]``, so that a program runs with others, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from tests.properties.generation.choices import Choices

Values = dict[str, Any]


def words(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


UNARY: Final = words(
    """abs acos asinh atan ceil cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 floor frac
    isfinite isnan lgamma log1p logical_not logit neg positive rad2deg reciprocal round rsqrt
    sgn sigmoid sign signbit sin sinc sinh sqrt square tan tanh trunc angle bitwise_not
    nan_to_num contiguous clone detach real conj"""
)
FUNCTIONS: Final = words(
    """relu relu6 gelu silu mish elu selu celu softplus softsign hardswish hardsigmoid hardtanh
    hardshrink softshrink tanhshrink logsigmoid leaky_relu"""
)
BINARY: Final = words("""+ - * / // % ** < <= == != >= > & | ^ << >>""")
PAIRED: Final = words(
    """maximum minimum fmax fmin fmod remainder atan2 hypot logaddexp copysign heaviside xlogy
    logical_and logical_or logical_xor gcd floor_divide true_divide nextafter ldexp rsub
    add sub mul div eq ne ge isclose bitwise_and bitwise_or float_power"""
)
REDUCTIONS: Final = words(
    """sum mean prod amax amin all any argmax argmin var std logsumexp nansum nanmean norm
    count_nonzero"""
)
ALONG: Final = words(
    """cumsum cumprod softmax log_softmax logcumsumexp flip sort argsort diff cummax cummin
    msort median kthvalue mode aminmax unbind"""
)
TYPES: Final = (
    "float32", "float64", "bfloat16", "float16", "int64", "int32", "int8", "uint8", "bool",
    "complex64",
)  # fmt: skip
NUMBERS: Final = ("2", "-1", "0.5", "3", "0", "1.25", "True", "-2.5")


def line(choices: Choices, values: Values, name: str) -> str:
    """A line, perhaps a wrong one; new tensors are called ``name``."""
    family = choices.weighted(FAMILIES)
    text = family(choices, values)
    return text if family is write else f"{name} = {text}"


def any_of(choices: Choices, values: Values) -> str:
    """The name of a tensor, a later one rather than an earlier one."""
    names = list(values)
    return names[-1 - min(choices.below(len(names)), choices.below(len(names)))]


def dimension(choices: Choices, tensor: Any) -> int:
    """One of a tensor's dimensions, from the front or the back."""
    rank = max(tensor.dim(), 1)
    return choices.below(rank) - (rank if choices.chance(40) else 0)


def subscript(choices: Choices, tensor: Any) -> str:
    """A part of a tensor, as Python writes it."""
    parts: list[str] = []
    for size in tensor.shape[: choices.integer(1, max(tensor.dim(), 1))]:
        start, stop = choices.integer(-2, 2), choices.of(["", "-1", "3", "1", "5"])
        parts.append(
            choices.of(
                [
                    ":", f"{choices.below(max(size, 1))}", f"{start}:{stop}", f":{stop}",
                    f"{start}::{choices.integer(1, 3)}", "None", "...",
                ]
            )
        )  # fmt: skip
    return ", ".join(parts)


def unary(choices: Choices, values: Values) -> str:
    return f"{any_of(choices, values)}.{choices.of(UNARY)}()"


def activation(choices: Choices, values: Values) -> str:
    return f"F.{choices.of(FUNCTIONS)}({any_of(choices, values)})"


def binary(choices: Choices, values: Values) -> str:
    one = any_of(choices, values)
    other = choices.of(NUMBERS) if choices.chance(40) else any_of(choices, values)
    if other in NUMBERS and choices.chance(40):
        one, other = other, one
    return f"{one} {choices.of(BINARY)} {other}"


def paired(choices: Choices, values: Values) -> str:
    one, other = any_of(choices, values), any_of(choices, values)
    return f"torch.{choices.of(PAIRED)}({one}, {other})"


def conversion(choices: Choices, values: Values) -> str:
    return f"{any_of(choices, values)}.to(torch.{choices.of(TYPES)})"


def view(choices: Choices, values: Values) -> str:
    name = any_of(choices, values)
    tensor = values[name]
    one, other = dimension(choices, tensor), dimension(choices, tensor)
    order = choices.permutation(range(tensor.dim()))
    forms = [
        f"transpose({one}, {other})", f"permute({order})", f"unsqueeze({one})", f"squeeze({one})",
        f"select({one}, {choices.integer(-1, 1)})", "flatten()", "reshape(-1)", "mT",
        f"narrow({one}, 0, 1)", f"unfold({one}, {choices.integer(1, 2)}, {choices.integer(1, 2)})",
        "diagonal()", f"chunk(2, {one})[-1]", f"split(2, {one})[0]", f"unbind({one})[0]",
        f"movedim({one}, {other})", "expand(2, *[-1] * {0}.dim())", "view({0}.shape[0], -1)",
        "expand_as({0})", "squeeze()", f"tensor_split(2, {one})[1]", "view(-1)",
        f"unflatten({one}, (-1, 1))", "as_strided(({0}.shape[0],), (1,))", "T", "swapaxes(0, -1)",
    ]  # fmt: skip
    return f"{name}.{choices.of(forms).format(name)}"


def part(choices: Choices, values: Values) -> str:
    name = any_of(choices, values)
    return f"{name}[{subscript(choices, values[name])}]"


def reduction(choices: Choices, values: Values) -> str:
    name = any_of(choices, values)
    settings = []
    if choices.chance(75):
        settings.append(f"dim={dimension(choices, values[name])}")
        if choices.chance(40):
            settings.append("keepdim=True")
    if choices.chance(10):
        settings.append("dtype=torch.float64")
    return f"{name}.{choices.of(REDUCTIONS)}({', '.join(settings)})"


def along(choices: Choices, values: Values) -> str:
    name, function = any_of(choices, values), choices.of(ALONG)
    place = dimension(choices, values[name])
    if function in ("sort", "argsort"):
        return f"torch.{function}({name}, dim={place}, stable=True)" + "[0]" * (function == "sort")
    if function == "kthvalue":
        return f"{name}.kthvalue(1, {place})[0]"
    if function == "msort":
        return f"{name}.msort()"
    if "softmax" in function or "log" in function:
        return f"{name}.float().{function}({place})"
    pick = "[0]" if function in ("cummax", "cummin", "median", "mode", "unbind", "aminmax") else ""
    keyword = "dim=" if function in ("aminmax", "diff") else ""
    return f"{name}.{function}({keyword}{place}){pick}"


def joined(choices: Choices, values: Values) -> str:
    one, other = any_of(choices, values), any_of(choices, values)
    place = dimension(choices, values[one])
    forms = [f"cat([{one}, {other}], {place})", f"stack([{one}, {other}], {place})",
             f"hstack([{one}, {other}])", f"cat([{one}, {one}.flip(0)], {place})"]  # fmt: skip
    return f"torch.{choices.of(forms)}"


def selection(choices: Choices, values: Values) -> str:
    condition, one, other = (any_of(choices, values) for _ in range(3))
    if choices.chance(50):
        other = choices.of(NUMBERS)
    forms = [
        f"torch.where({condition} > 0, {one}, {other})", f"{one}.masked_fill({condition} > 0, 2)",
        f"torch.where({condition} < 1, {choices.of(NUMBERS)}, {one})", f"{one}.clamp(-1, {other})",
        f"torch.lerp({one}, {other}, 0.25)", f"torch.addcmul({one}, {one}, {other}, value=2)",
        f"{one}.clamp(min={choices.of(NUMBERS)})", f"{one}.clip(max={other})",
    ]  # fmt: skip
    return choices.of(forms)


def indexed(choices: Choices, values: Values) -> str:
    name = any_of(choices, values)
    place = dimension(choices, values[name])
    listed = [choices.integer(-1, 1) for _ in range(choices.integer(1, 4))]
    index = f"torch.tensor({listed})"
    forms = [
        f"{name}[{index}]", f"{name}[:, {index}]", f"{name}[..., {index}]",
        f"{name}[{index}, {index}]", f"{name}[{index}[:, None], {index}]",
        f"{name}.index_select({place}, {index}.abs())", f"{name}[{index}, :, {index}]",
        f"{name}.gather({place}, torch.zeros_like({name}, dtype=torch.int64))",
        f"{name}.take({index})", f"{name}.roll(1, {place})", f"{name}[None, {index}]",
        f"torch.take_along_dim({name}, {name}.argsort({place}, stable=True), {place})",
        f"{name}.repeat_interleave(2, {place})", f"{name}.tile(2)", f"F.pad({name}, (1, 0, 2, 1))",
        f"{name}.tril()", f"{name}.triu(1)", f"{name}.rot90()", f"F.pad({name}, (-1, 1), value=3)",
        f"{name}.index_add({place}, {index}.abs(), {name}.index_select({place}, {index}.abs()))",
        f"torch.zeros_like({name}).scatter_add({place}, {name}.long().abs() % 2, {name})",
        f"{name}.index_fill({place}, {index}.abs(), 2)", f"{name}.topk(1, {place})[0]",
        f"{name}.scatter_reduce({place}, torch.zeros_like({name}).long(), {name}, 'amax')",
        f"torch.bucketize({name}, torch.tensor([-1.0, 0.0, 0.5]))", f"F.one_hot({name} % 3, 3)",
    ]  # fmt: skip
    return choices.of(forms)


def product(choices: Choices, values: Values) -> str:
    one, other = any_of(choices, values), any_of(choices, values)
    forms = [
        f"{one} @ {other}", f"{one} @ {one}.mT", f"{one}.mT @ {one}",
        f"torch.outer({one}.flatten(), {other}.flatten())", f"F.linear({one}, {other})",
        f"torch.einsum('...i,...i->...', {one}, {other})", f"torch.cdist({one}, {other})",
        f"torch.einsum('ij,kj->ik', {one}, {other})", f"F.layer_norm({one}, {one}.shape[-1:])",
        f"F.normalize({one}, dim=0)", f"torch.addmm({one}, {one}, {other}, beta=0.5)",
        f"F.cosine_similarity({one}, {other}, dim=0)", f"F.mse_loss({one}, {other})",
        f"F.avg_pool1d({one}, 2)", f"F.max_pool1d({one}, 2, 1)", f"torch.trace({one})",
        f"F.conv1d({one}, {one}[:1, :, :1])", f"F.smooth_l1_loss({one}, {other}, reduction='none')",
        f"F.interpolate({one}, scale_factor=2)", f"torch.tensordot({one}, {other}, 1)",
    ]  # fmt: skip
    return choices.of(forms)


def creation(choices: Choices, values: Values) -> str:
    name = any_of(choices, values)
    forms = [
        "torch.zeros_like({0})", "torch.ones({0}.shape)", "torch.arange({0}.shape[0])",
        "{0}.new_full({0}.shape, 2)", "torch.eye({0}.shape[0])", "{0} * {0}.shape[0]",
        "{0}.sum() / {0}.numel()", "torch.full_like({0}, 1.5, dtype=torch.float32)",
        "torch.linspace(0, 1, {0}.shape[0])", "{0} + torch.arange({0}.shape[-1])",
        "torch.tensor({0}.shape[0])", "{0}.new_tensor([1.5, 2])", "torch.complex({0}, {0})",
    ]  # fmt: skip
    return choices.of(forms).format(name)


def write(choices: Choices, values: Values) -> str:
    """A line that changes a tensor, or a part of it."""
    name, other = any_of(choices, values), any_of(choices, values)
    place, index = dimension(choices, values[name]), f"torch.tensor([{choices.integer(-1, 1)}, 0])"
    target = f"{name}[{subscript(choices, values[name])}]"
    if choices.chance(20):
        target = f"{name}.{choices.of(['mT', 'view(-1)', 'diagonal()', 'flatten()', 'T'])}"
    number = choices.of(NUMBERS)
    operand = other if choices.chance(60) else number
    forms = [
        f"{target}.{choices.of(['add_', 'mul_', 'sub_', 'copy_', 'div_'])}({other})",
        f"{target} = {operand}", f"{target} {choices.of('+-*')}= {operand}", f"{target}.zero_()",
        f"{name} {choices.of('+-*')}= {operand}", f"{target}.fill_({number})",
        f"{name}[{name} > 0] = {number}", f"{name}.masked_fill_({other} > 0, {number})",
        f"{name}[{index}] = {operand}", f"{name}.clamp_(-1, 1)", f"{name}.tril_()",
        f"{name}.index_put_(({index},), {other}, accumulate=True)", f"{target}.neg_()",
        f"{name}.index_add_({place}, {index}.abs(), {other})", f"{target}.sigmoid_()",
        f"{name}.scatter_({place}, torch.zeros_like({name}).long(), {number})",
        f"{name}.transpose_(0, -1)", f"{name}.unsqueeze_({place})", f"{target}.exp_()",
        f"torch.add({name}, {other}, out={name})", f"{name}.index_copy_(0, {index}, {other})",
    ]  # fmt: skip
    return choices.of(forms)


Family = Callable[[Choices, Values], str]
FAMILIES: Final[Sequence[tuple[Family, int]]] = (
    (view, 6), (part, 4), (write, 7), (binary, 6), (unary, 3), (activation, 2), (paired, 3),
    (conversion, 3), (reduction, 4), (along, 3), (joined, 2), (selection, 3), (indexed, 4),
    (product, 4), (creation, 2),
)  # fmt: skip
