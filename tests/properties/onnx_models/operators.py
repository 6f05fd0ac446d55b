"""Nodes of generated models, in the form that each version of the operators has.

Source: ONNX, Operator Schemas and Operator Changelog.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np
from onnx import helper

from tests.properties.onnx_models.drafts import Draft, NoNodeError, Value

Write = Callable[[Draft], None]


@dataclass(frozen=True, slots=True)
class Maker:
    """What adds nodes of an operator to a draft.

    Attributes:
        name: The operator.
        write: Adds the nodes.
        since: The first version that has it.
        is_exact: Whether results are exact if operands are.
    """

    name: str
    write: Write
    since: int
    is_exact: bool


MAKERS: Final[list[Maker]] = []


def makes(name: str, *, since: int = 7, exact: bool = False) -> Callable[[Write], Write]:
    """Registers a function that adds nodes."""

    def register(write: Write) -> Write:
        MAKERS.append(Maker(name, write, since, exact))
        return write

    return register


# elementwise

INEXACT: Final = {
    "Exp": 7, "Sigmoid": 7, "Tanh": 7, "Softplus": 7, "Softsign": 7, "Elu": 7, "Selu": 7, "Sin": 7,
    "Cos": 7, "Atan": 7, "Sinh": 9, "Erf": 9, "Asinh": 9, "Mish": 18, "Gelu": 20, "HardSwish": 14,
    "Celu": 12, "HardSigmoid": 7, "Reciprocal": 7, "Swish": 24,
}  # fmt: skip
SIGNED: Final = {"Neg": 7, "Abs": 7, "Sign": 9, "Relu": 7, "Identity": 7}
WHOLE: Final = {"Floor": 7, "Ceil": 7, "Round": 11}
PARAMETERS: Final = {
    "Elu": ("alpha",), "Selu": ("alpha", "gamma"), "LeakyRelu": ("alpha",), "Celu": ("alpha",),
    "HardSigmoid": ("alpha", "beta"), "ThresholdedRelu": ("alpha",), "Swish": ("alpha",),
}  # fmt: skip


def parameters(draft: Draft, operator: str) -> dict[str, float]:
    """Attributes of an elementwise operator, some of them."""
    names = draft.choices.subset(PARAMETERS.get(operator, ()))
    return {name: draft.choices.of([0.5, 0.25, 1.5, 1.0]) for name in names}


@makes("elementwise")
def inexact(draft: Draft) -> None:
    operator = draft.choices.of([n for n, since in INEXACT.items() if since <= draft.version])
    draft.node(operator, [draft.pick("f")], **parameters(draft, operator))


@makes("signed", exact=True)
def signed(draft: Draft) -> None:
    operator = draft.choices.of([n for n, since in SIGNED.items() if since <= draft.version])
    draft.node(operator, [draft.pick("fi")])


@makes("whole", exact=True)
def whole(draft: Draft) -> None:
    operator = draft.choices.of([n for n, since in WHOLE.items() if since <= draft.version])
    draft.node(operator, [draft.pick("f", exact=True)])


@makes("leaky", exact=True)
def leaky(draft: Draft) -> None:
    operators = ["LeakyRelu", "ThresholdedRelu"] if draft.version >= 10 else ["LeakyRelu"]
    operator = draft.choices.of(operators)
    draft.node(operator, [draft.pick("f", exact=True)], **parameters(draft, operator))


@makes("PRelu", exact=True)
def prelu(draft: Draft) -> None:
    x = draft.pick("f", least=1)
    shape = draft.choices.of([(1,), x.shape[1:], x.shape, (x.shape[1],) + (1,) * (x.rank - 2)])\
        if x.rank > 1 else (1,)  # fmt: skip
    draft.node("PRelu", [x, draft.constant(draft.numbers(shape, x.array.dtype))])


@makes("Sqrt")
def sqrt(draft: Draft) -> None:
    (y,) = draft.node("Abs", [draft.pick("f")])
    draft.node(draft.choices.of(["Sqrt", "Sqrt"]), [y])


@makes("Not", exact=True)
def logical_not(draft: Draft) -> None:
    draft.node("Not", [draft.pick("b")])


def partner(draft: Draft, x: Value) -> str:
    """Another operand for ``x``: a value or a constant to which it broadcasts."""
    same = [v for v in draft.values if v.array.dtype == x.array.dtype and broadcasts(x, v)]
    if same and draft.choices.chance(60):
        return draft.choices.of(same).name
    shape = list(x.shape)[draft.choices.below(x.rank + 1) :]
    shape = [1 if draft.choices.chance(25) else n for n in shape]
    if draft.choices.chance(10):
        shape = [2, *x.shape]
    return draft.constant(draft.numbers(shape, x.array.dtype))


def broadcasts(one: Value, other: Value) -> bool:
    """Whether two values have shapes that broadcast."""
    try:
        np.broadcast_shapes(one.shape, other.shape)
    except ValueError:
        return False
    return True


@makes("binary", exact=True)
def binary(draft: Draft) -> None:
    x = draft.pick("fiu")
    inputs: list[Any] = [x, partner(draft, x)]
    operators = ["Add", "Sub", "Mul", "Max", "Min"]
    draft.node(draft.choices.of(operators), draft.choices.permutation(inputs))


@makes("variadic", exact=True)
def variadic(draft: Draft) -> None:
    x = draft.pick("f", exact=True)
    count = draft.choices.integer(0, 2)
    operator = draft.choices.of(["Max", "Min", "Sum"] if draft.version >= 8 else ["Sum"])
    same = [v for v in draft.values if v.shape == x.shape and v.array.dtype == x.array.dtype]
    draft.node(operator, [x, *[draft.choices.of(same) for _ in range(count)]])


@makes("Mean")
def mean(draft: Draft) -> None:
    x = draft.pick("f")
    draft.node("Mean", [x, partner(draft, x)] if draft.version >= 8 else [x, x])


@makes("division")
def division(draft: Draft) -> None:
    x = draft.pick("fi")
    numbers = draft.numbers(x.shape[-1:], x.array.dtype)
    divisor = draft.constant(np.where(numbers == 0, 3, numbers).astype(x.array.dtype))
    operators = ["Div"]
    if draft.version >= 10 and x.is_exact:
        operators.append("Mod")
    operator = draft.choices.of(operators)
    is_c = x.kind == "f" or draft.choices.chance(40)
    draft.node(operator, [x, divisor], fmod=1 if operator == "Mod" and is_c else None)


@makes("Pow")
def power(draft: Draft) -> None:
    x = draft.pick("f")
    exponent = draft.choices.of([2, 3, 1, 0])
    dtype = x.array.dtype if draft.version < 12 else draft.choices.of([x.array.dtype, "int64"])
    draft.node("Pow", [x, draft.constant(np.array(exponent, dtype))])


@makes("comparison", exact=True)
def comparison(draft: Draft) -> None:
    kinds = "fi" if draft.version >= 9 else "f"
    x = draft.pick("i" if draft.version < 11 and draft.choices.chance(20) else kinds, exact=True)
    same = [
        v for v in draft.values
        if v.array.dtype == x.array.dtype and broadcasts(x, v) and v.is_exact
    ]  # fmt: skip
    operators = ["Greater", "Less", "Equal"]
    if draft.version >= 12:
        operators += ["GreaterOrEqual", "LessOrEqual"]
    draft.node(draft.choices.of(operators), [x, draft.choices.of(same)])


@makes("logic", exact=True)
def logic(draft: Draft) -> None:
    x = draft.pick("b")
    draft.node(draft.choices.of(["And", "Or", "Xor"]), [x, partner(draft, x)])


@makes("bits", exact=True, since=18)
def bits(draft: Draft) -> None:
    x = draft.pick("iu")
    operator = draft.choices.of(["BitwiseAnd", "BitwiseOr", "BitwiseXor"])
    draft.node(operator, [x, partner(draft, x)])


@makes("BitShift", exact=True, since=11)
def bit_shift(draft: Draft) -> None:
    x = draft.pick("u")
    places = draft.constant(np.full(x.shape[-1:], draft.choices.below(4), x.array.dtype))
    draft.node("BitShift", [x, places], direction=draft.choices.of(["LEFT", "RIGHT"]))


@makes("Clip", exact=True)
def clip(draft: Draft) -> None:
    x = draft.pick("f" if draft.version < 12 else "fiu")
    low, high = draft.choices.of([(-1, 1), (0, 2), (0, None), (None, 1), (None, None), (2, 1)])
    if draft.version < 11:
        draft.node("Clip", [x], min=None if low is None else float(low),
                   max=None if high is None else float(high))  # fmt: skip
        return
    if x.kind == "u" and low is not None and low < 0:
        low = 0
    bounds = [
        "" if bound is None else draft.constant(np.array(bound, x.array.dtype))
        for bound in (low, high)
    ]
    draft.node("Clip", [x, *bounds])


@makes("Cast", exact=True)
def cast(draft: Draft) -> None:
    x = draft.pick(exact=True)
    targets = ["float32", "int64", "int32", "bool", "float64", "int8", "uint8", "float16"]
    target = draft.choices.of(targets)
    if target.startswith("u") and x.kind == "f":
        raise NoNodeError  # floats below the range have no defined result
    if target == "int8" and x.array.size and np.abs(x.array.astype(float)).max() > 120:
        raise NoNodeError
    draft.node("Cast", [x], to=helper.np_dtype_to_tensor_dtype(np.dtype(target)))


@makes("CastLike", exact=True, since=15)
def cast_like(draft: Draft) -> None:
    x, y = draft.pick(exact=True), draft.pick("fi")
    draft.node("CastLike", [x, y])


@makes("Where", exact=True, since=9)
def where(draft: Draft) -> None:
    x = draft.pick("fiu", exact=True)
    if draft.choices.chance(50):
        condition = draft.constant(draft.numbers(x.shape[-1:], bool))
    else:
        condition = draft.pick("b", test=lambda v: broadcasts(v, x)).name
    draft.node("Where", draft.choices.of([
        [condition, x, partner(draft, x)], [condition, partner(draft, x), x],
    ]))  # fmt: skip


@makes("IsNaN", exact=True, since=9)
def is_nan(draft: Draft) -> None:
    operator = draft.choices.of(["IsNaN", "IsInf"] if draft.version >= 10 else ["IsNaN"])
    draft.node(operator, [draft.pick("f")])


@makes("Dropout", exact=True)
def dropout(draft: Draft) -> None:
    x, wanted = draft.pick("f"), draft.choices.integer(1, 2)
    if draft.version < 12:
        draft.node("Dropout", [x], wanted, ratio=0.3)
    else:
        ratio = draft.choices.of(["", draft.constant(np.float32(0.3))])
        draft.node("Dropout", [x, ratio], wanted)


# movement


@makes("Transpose", exact=True)
def transpose(draft: Draft) -> None:
    x = draft.pick(least=1)
    order = None if draft.choices.chance(20) else draft.choices.permutation(range(x.rank))
    draft.node("Transpose", [x], perm=order)


def target_shape(draft: Draft, x: Value) -> list[int]:
    """A shape of as many elements, with 0 and -1 here and there."""
    left, result = x.array.size, []
    while left > 1 and len(result) < 4:
        divisors = [n for n in (1, 2, 3, 4, 5, 7, 6, left) if left % n == 0]
        result.append(draft.choices.of(divisors))
        left //= result[-1]
    shape: list[int] = [*result, *([left] if left > 1 or not result else [])]
    if x.array.size and draft.choices.chance(60):
        shape[draft.choices.below(len(shape))] = -1
    return [
        0 if i < x.rank and n == x.shape[i] and draft.choices.chance(30) else n
        for i, n in enumerate(shape)
    ]


@makes("Reshape", exact=True)
def reshape(draft: Draft) -> None:
    x = draft.pick()
    if draft.choices.chance(40) and x.rank:  # as exporters do it: sizes of the tensor itself
        (sizes,) = draft.node("Shape", [x])
        first = draft.integers([0])
        (batch,) = draft.node("Gather", [sizes, first], axis=0)
        (target,) = draft.node("Concat", [batch, draft.integers([-1])], axis=0)
        draft.node("Reshape", [x, target])
        return
    draft.node("Reshape", [x, draft.integers(target_shape(draft, x))])


@makes("Flatten", exact=True)
def flatten(draft: Draft) -> None:
    x = draft.pick("f" if draft.version < 9 else "fiub", least=1)
    draft.node("Flatten", [x], axis=draft.choices.of([None, draft.axis(x.rank), x.rank]))


def axes_of(draft: Draft, rank: int, *, negative_since: int = 11) -> list[int]:
    """Some dimensions, one at least."""
    count = draft.choices.integer(1, max(rank - 1, 1))
    chosen = draft.choices.some(range(rank), count)
    negative = draft.version >= negative_since and draft.choices.chance(30)
    return sorted(a - rank if negative else a for a in chosen)


@makes("Squeeze", exact=True)
def squeeze(draft: Draft) -> None:
    x = draft.pick(test=lambda v: 1 in v.shape)
    ones = [i for i, n in enumerate(x.shape) if n == 1]
    axes = sorted(draft.choices.some(ones, draft.choices.integer(1, len(ones))))
    if draft.version >= 11 and draft.choices.chance(30):
        axes = [a - x.rank for a in axes]
    if draft.choices.chance(20):
        draft.node("Squeeze", [x])
    elif draft.version < 13:
        draft.node("Squeeze", [x], axes=axes)
    else:
        draft.node("Squeeze", [x, draft.integers(axes)])


@makes("Unsqueeze", exact=True)
def unsqueeze(draft: Draft) -> None:
    x = draft.pick(test=lambda v: v.rank < 4)
    axes = axes_of(draft, x.rank + draft.choices.integer(1, 2))
    rank = x.rank + len(axes)
    if not all(-rank <= axis < rank for axis in axes):
        raise NoNodeError
    if draft.version < 13:
        draft.node("Unsqueeze", [x], axes=axes)
    else:
        draft.node("Unsqueeze", [x, draft.integers(axes)])


@makes("Concat", exact=True)
def concat(draft: Draft) -> None:
    x = draft.pick(least=1)
    axis = draft.axis(x.rank)
    others = [
        v for v in draft.values
        if v.array.dtype == x.array.dtype and v.rank == x.rank
        and np.delete(v.shape, axis).tolist() == np.delete(x.shape, axis).tolist()
    ]  # fmt: skip
    count = draft.choices.integer(1, 3)
    draft.node("Concat", [draft.choices.of(others) for _ in range(count)], axis=axis)


@makes("Split", exact=True)
def split(draft: Draft) -> None:
    x = draft.pick("f", least=1, test=lambda v: max(v.shape, default=0) > 1)
    axis = draft.choices.of([i for i, n in enumerate(x.shape) if n > 1])
    size = x.shape[axis]
    first = draft.choices.integer(1, size - 1)
    sizes = [first, size - first]
    if draft.version < 13:
        stated = sizes if size % 2 or draft.choices.chance(50) else None
        draft.node("Split", [x], 2, axis=axis, split=stated)
    elif draft.version >= 18 and draft.choices.chance(50):
        count = draft.choices.integer(1, size)
        draft.node("Split", [x], count, axis=axis, num_outputs=count)
    elif size % 2 == 0 and draft.version < 18 and draft.choices.chance(30):
        draft.node("Split", [x], 2, axis=axis)
    else:
        draft.node("Split", [x, draft.integers(sizes)], 2, axis=axis)


@makes("Slice", exact=True)
def slice_(draft: Draft) -> None:
    x = draft.pick(least=1)
    axes = axes_of(draft, x.rank, negative_since=10)
    starts = [draft.choices.integer(-x.shape[a], x.shape[a] - 1) if x.shape[a] else 0 for a in axes]
    ends = [draft.choices.of([x.shape[a], x.shape[a] - 1, -1, 1 << 30, 2]) for a in axes]
    if draft.version < 10:
        draft.node("Slice", [x], axes=[a % x.rank for a in axes], starts=starts, ends=ends)
        return
    steps = [1] * len(axes)
    if draft.choices.chance(40):
        steps = [draft.choices.of([1, 2, -1, 3, -2]) for _ in axes]
        for i, (axis, step) in enumerate(zip(axes, steps, strict=True)):
            if step < 0:
                starts[i] = draft.choices.of([-1, x.shape[axis] - 1, 1 << 30])
                ends[i] = draft.choices.of([-(1 << 40), 0, -x.shape[axis] - 1])
    dtype = draft.choices.of(["int64", "int32"])
    bounds = [np.clip(item, *[np.iinfo(dtype).min, np.iinfo(dtype).max]) for item in (starts, ends)]
    inputs = [draft.integers(item, dtype) for item in bounds]
    if draft.choices.chance(20) and len(axes) == x.rank and min(axes) >= 0 and steps[0] == 1:
        draft.node("Slice", [x, *inputs])
        return
    more = [draft.integers(axes, dtype)]
    if set(steps) != {1} or draft.choices.chance(50):
        more.append(draft.integers(steps, dtype))
    draft.node("Slice", [x, *inputs, *more])


@makes("Pad", exact=True)
def pad(draft: Draft) -> None:
    x = draft.pick("f" if draft.version < 13 else "fiub", least=1)
    modes = ["constant", "reflect", "edge"] + (["wrap"] if draft.version >= 19 else [])
    mode = draft.choices.of(modes)
    most = min(x.shape) - 1 if mode != "constant" else 2
    if most < 0:
        raise NoNodeError
    low = 0 if mode != "constant" else -min(min(x.shape) // 2, 1)
    if x.kind == "b":
        mode = "constant"
    pads = [draft.choices.integer(low, max(most, low)) for _ in range(2 * x.rank)]
    if draft.version < 11:
        value = draft.choices.of([None, 1.5])
        draft.node("Pad", [x], pads=pads, mode=mode, value=value)
        return
    value = draft.choices.of(["", draft.constant(draft.numbers((), x.array.dtype))])
    if draft.version >= 18 and draft.choices.chance(40):
        axes = axes_of(draft, x.rank)
        pads = pads[: 2 * len(axes)]
        draft.node("Pad", [x, draft.integers(pads), value, draft.integers(axes)], mode=mode)
        return
    draft.node("Pad", [x, draft.integers(pads), value], mode=mode)


@makes("Expand", exact=True, since=8)
def expand(draft: Draft) -> None:
    x = draft.pick()
    shape = [draft.choices.of([1, 2, 3]) if n == 1 else draft.choices.of([n, 1]) for n in x.shape]
    shape = shape[draft.choices.below(len(shape) + 1) :]
    if draft.choices.chance(30):
        shape = [2, *x.shape]
    draft.node("Expand", [x, draft.integers(shape)])


@makes("Tile", exact=True)
def tile(draft: Draft) -> None:
    x = draft.pick("fi", least=1)
    draft.node("Tile", [x, draft.integers([draft.choices.integer(1, 2) for _ in x.shape])])


@makes("Shape", exact=True)
def shape_(draft: Draft) -> None:
    x = draft.pick()
    bounds: dict[str, Any] = {}
    if draft.version >= 15:
        bounds["start"] = draft.choices.of([None, 0, 1, -1, -2, 9])
        bounds["end"] = draft.choices.of([None, 2, -1, 1, -9])
    (sizes,) = draft.node(draft.choices.of(["Shape", "Size"]), [x], **bounds)
    if draft.choices.chance(50) and draft.version >= 9:
        draft.node("ConstantOfShape", [sizes])


@makes("ConstantOfShape", exact=True, since=9)
def constant_of_shape(draft: Draft) -> None:
    value = draft.choices.of([None, np.array([3], "int64"), np.array([0.5], "float32"),
                              np.array([True]), np.array([2], "uint8")])  # fmt: skip
    tensor = None if value is None else helper.make_tensor(
        "", helper.np_dtype_to_tensor_dtype(value.dtype), [1], value
    )  # fmt: skip
    sizes = draft.integers(draft.choices.of([[2, 3], [], [4], [0, 2], [1, 2, 3]]))
    draft.node("ConstantOfShape", [sizes], value=tensor)


@makes("EyeLike", exact=True, since=9)
def eye_like(draft: Draft) -> None:
    x = draft.pick("fiu", rank=2)
    dtype = draft.choices.of([None, 1, 7, 6])
    draft.node("EyeLike", [x], k=draft.choices.of([None, 1, -1, 9]), dtype=dtype)


@makes("Range", exact=True, since=11)
def range_(draft: Draft) -> None:
    start, limit, delta = draft.choices.of([(0, 5, 1), (5, 0, -2), (1, 8, 3), (2, 2, 1), (3, 1, 1)])
    dtype = draft.choices.of(["int64", "int32", "float32", "float64", "int16"])
    draft.node("Range", [draft.constant(np.array(v, dtype)) for v in (start, limit, delta)])


@makes("SpaceToDepth", exact=True)
def space_to_depth(draft: Draft) -> None:
    x = draft.pick("f", rank=4)
    draft.node("SpaceToDepth", [x], blocksize=draft.choices.of([1, 2, 3]))


@makes("DepthToSpace", exact=True)
def depth_to_space(draft: Draft) -> None:
    x = draft.pick("f", rank=4)
    mode = draft.choices.of([None, "DCR", "CRD"]) if draft.version >= 11 else None
    draft.node("DepthToSpace", [x], blocksize=draft.choices.of([1, 2]), mode=mode)


@makes("Trilu", exact=True, since=14)
def trilu(draft: Draft) -> None:
    x = draft.pick(least=2)
    k = draft.choices.of(["", draft.constant(np.int64(draft.choices.integer(-2, 2)))])
    draft.node("Trilu", [x, k], upper=draft.choices.of([None, 0, 1]))


@makes("ReverseSequence", exact=True, since=10)
def reverse_sequence(draft: Draft) -> None:
    x = draft.pick(least=2)
    batch = draft.choices.below(2)
    time = 1 - batch
    lengths = [draft.choices.integer(1, max(x.shape[time], 1)) for _ in range(x.shape[batch])]
    draft.node("ReverseSequence", [x, draft.integers(lengths)], batch_axis=batch, time_axis=time)


# indexing


def places(draft: Draft, size: int, shape: Sequence[int]) -> str:
    """A constant of indices below a size, some of them from the end."""
    draw = draft.choices.generator()
    low = -size if draft.version >= 11 and draft.choices.chance(40) else 0
    numbers = draw.integers(low, size, shape)
    return draft.constant(numbers.astype(draft.choices.of(["int64", "int32"])))


@makes("Gather", exact=True)
def gather(draft: Draft) -> None:
    x = draft.pick(least=1, test=lambda v: v.array.size > 0)
    axis = draft.axis(x.rank)
    shape = draft.choices.of([(), (1,), (3,), (2, 2), (0,)])
    draft.node("Gather", [x, places(draft, x.shape[axis], shape)], axis=axis)


@makes("GatherElements", exact=True, since=11)
def gather_elements(draft: Draft) -> None:
    x = draft.pick(least=1, test=lambda v: v.array.size > 0)
    axis = draft.axis(x.rank)
    shape = [draft.choices.integer(1, n) for n in x.shape]
    draft.node("GatherElements", [x, places(draft, x.shape[axis], shape)], axis=axis)


@makes("GatherND", exact=True, since=11)
def gather_nd(draft: Draft) -> None:
    x = draft.pick(least=1, test=lambda v: v.array.size > 0)
    count = draft.choices.integer(1, x.rank)
    draw = draft.choices.generator()
    numbers = np.stack([draw.integers(-n, n, (2, 3)) for n in x.shape[:count]], -1)
    draft.node("GatherND", [x, draft.constant(numbers.astype("int64"))])


@makes("ScatterElements", exact=True, since=11)
def scatter_elements(draft: Draft) -> None:
    x = draft.pick("f", least=1, exact=True, test=lambda v: v.array.size > 0)
    axis = draft.axis(x.rank)
    shape = [draft.choices.integer(1, n) for n in x.shape]
    order = np.argsort(draft.choices.generator().random(x.shape), axis % x.rank)
    index = draft.constant(order[tuple(map(slice, shape))].astype("int64"))
    modes = [None, "add", "mul"] if draft.version >= 16 else [None]
    modes += ["max", "min"] if draft.version >= 18 else []
    updates = draft.constant(draft.numbers(shape, x.array.dtype))
    reduction = draft.choices.of(modes)
    draft.node("ScatterElements", [x, index, updates], axis=axis, reduction=reduction)


@makes("ScatterND", exact=True, since=11)
def scatter_nd(draft: Draft) -> None:
    x = draft.pick("f", least=1, exact=True, test=lambda v: v.array.size > 1)
    count = draft.choices.integer(1, x.rank)
    flat = draft.choices.some(range(prod(x.shape[:count])), min(2, prod(x.shape[:count])))
    index = np.stack(np.unravel_index(flat, x.shape[:count]), -1).astype("int64")
    updates = draft.numbers((len(flat), *x.shape[count:]), x.array.dtype)
    modes = [None, "add"] if draft.version >= 16 else [None]
    modes += ["max", "min"] if draft.version >= 18 else []
    inputs: list[Any] = [x, draft.constant(index), draft.constant(updates)]
    draft.node("ScatterND", inputs, reduction=draft.choices.of(modes))


@makes("OneHot", exact=True, since=9)
def one_hot(draft: Draft) -> None:
    x = draft.pick("i", exact=True, test=lambda v: v.array.dtype == np.int64 and v.rank < 4)
    dtype = draft.choices.of(["float32", "int64"])
    values = draft.constant(np.array([0, 2], dtype))
    depth = draft.integers([draft.choices.of([3, 5])])
    axis = draft.choices.integer(-x.rank - 1, x.rank)
    draft.node("OneHot", [x, depth, values], axis=draft.choices.of([None, axis]))


@makes("Compress", exact=True, since=9)
def compress(draft: Draft) -> None:
    x = draft.pick(least=1)
    axis = None if draft.choices.chance(30) else draft.axis(x.rank)
    count = x.array.size if axis is None else x.shape[axis]
    mask = draft.constant(draft.numbers((min(count, 5),), bool))
    draft.node("Compress", [x, mask], axis=axis)


@makes("NonZero", exact=True, since=9)
def non_zero(draft: Draft) -> None:
    draft.node("NonZero", [draft.pick(least=1, exact=True)])


@makes("TopK", exact=True)
def top_k(draft: Draft) -> None:
    x = draft.pick("f", least=1, exact=True, test=lambda v: v.array.size > 0)
    axis = draft.axis(x.rank)
    k = draft.choices.integer(1, x.shape[axis])
    if draft.version < 10:
        draft.node("TopK", [x], 2, axis=axis, k=k)
        return
    largest = draft.choices.of([None, 0, 1]) if draft.version >= 11 else None
    draft.node("TopK", [x, draft.integers([k])], 2, axis=axis, largest=largest)


@makes("Unique", exact=True, since=11)
def unique(draft: Draft) -> None:
    x = draft.pick("fi", least=1, exact=True)
    axis = draft.choices.of([None, draft.axis(x.rank)])
    ordered = draft.choices.of([None, 0, 1])
    draft.node("Unique", [x], draft.choices.integer(1, 4), axis=axis, sorted=ordered)


# reductions


SUMS: Final = (
    "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
    "ReduceSumSquare", "ReduceLogSumExp",
)  # fmt: skip


@makes("reduction")
def reduction(draft: Draft) -> None:
    x = draft.pick("fi", least=1)
    left_out = set() if x.array.size else {"ReduceMean"}  # of no elements it is undefined
    if x.kind != "f":
        left_out.add(
            "ReduceLogSumExp"
        )  # ONNX Runtime rounds powers of e to integers, ONNX does not
    operator = draft.choices.of([name for name in SUMS if name not in left_out])
    axes = draft.choices.of([None, axes_of(draft, x.rank), axes_of(draft, x.rank)])
    keepdims = draft.choices.of([None, 0, 1])
    if draft.version < (13 if operator == "ReduceSum" else 18):
        draft.node(operator, [x], axes=axes, keepdims=keepdims)
        return
    if axes is None and draft.choices.chance(30):
        axes = []
    no_operation = draft.choices.of([None, 0, 1])
    inputs = ["" if axes is None else draft.integers(axes)]
    draft.node(operator, [x, *inputs], keepdims=keepdims, noop_with_empty_axes=no_operation)


@makes("ArgMax", exact=True)
def arg_max(draft: Draft) -> None:
    x = draft.pick("f", least=1, exact=True, test=lambda v: v.array.size > 0)
    last = draft.choices.of([None, 0, 1]) if draft.version >= 12 else None
    draft.node(
        draft.choices.of(["ArgMax", "ArgMin"]), [x],
        axis=draft.choices.of([None, draft.axis(x.rank)]),
        keepdims=draft.choices.of([None, 0, 1]), select_last_index=last,
    )  # fmt: skip


@makes("CumSum", exact=True, since=11)
def cum_sum(draft: Draft) -> None:
    x = draft.pick("fi", least=1)
    axis = draft.constant(np.array(draft.axis(x.rank), draft.choices.of(["int64", "int32"])))
    flags = {name: draft.choices.of([None, 0, 1]) for name in ("exclusive", "reverse")}
    draft.node("CumSum", [x, axis], **flags)


@makes("softmax")
def softmax(draft: Draft) -> None:
    x = draft.pick("f", least=1)
    axis = draft.choices.of([None, draft.axis(x.rank), draft.axis(x.rank)])
    draft.node(draft.choices.of(["Softmax", "LogSoftmax"]), [x], axis=axis)


@makes("Hardmax", exact=True)
def hardmax(draft: Draft) -> None:
    x = draft.pick("f", least=1, exact=True)
    draft.node("Hardmax", [x], axis=draft.choices.of([None, draft.axis(x.rank)]))


# contractions


@makes("MatMul")
def mat_mul(draft: Draft) -> None:
    x = draft.pick("f", least=1)
    shape = [*x.shape[:-2], x.shape[-1], draft.choices.of([1, 2, 3])]
    shape = draft.choices.of([shape[-2:], shape, shape[-2:-1]])
    draft.node("MatMul", [x, draft.constant(draft.numbers(shape, x.array.dtype))])


@makes("Gemm")
def gemm(draft: Draft) -> None:
    x = draft.pick("f", rank=2)
    trans_a, trans_b = draft.choices.below(2), draft.choices.below(2)
    rows, inner = x.shape[::-1] if trans_a else x.shape
    columns = draft.choices.of([1, 2, 3])
    weights = draft.numbers((columns, inner) if trans_b else (inner, columns), x.array.dtype)
    shape = draft.choices.of([(columns,), (1, columns), (rows, 1), (1,), (), (rows, columns)])
    bias = draft.constant(draft.numbers(shape, x.array.dtype))
    if draft.version >= 11 and draft.choices.chance(25):
        bias = ""
    draft.node(
        "Gemm", [x, draft.constant(weights), bias], alpha=draft.choices.of([None, 0.5]),
        beta=draft.choices.of([None, 2.0]), transA=trans_a or None, transB=trans_b or None,
    )  # fmt: skip


@makes("Einsum", since=12)
def einsum(draft: Draft) -> None:
    x = draft.pick("f", rank=2)
    shape = draft.choices.of([(x.shape[1], 3), (2, x.shape[1])])
    equation = draft.choices.of(["ij,jk->ik", "ij,jk", "...j,jk->...k", "ij,jk->k"])
    if shape[0] == 2:
        equation = draft.choices.of(["ij,kj->ki", "i j , k j -> i k", "ij,kj->"])
    other = draft.constant(draft.numbers(shape, x.array.dtype))
    draft.node("Einsum", [x, other], equation=equation)


def window(draft: Draft, x: Value, *, least: int = 1) -> dict[str, Any]:
    """Attributes of a window over the dimensions after the first two."""
    rank = x.rank - 2
    kernel = [draft.choices.integer(least, min(3, max(n, 1))) for n in x.shape[2:]]
    result: dict[str, Any] = {"kernel_shape": kernel}
    if draft.choices.chance(50):
        result["strides"] = [draft.choices.integer(1, 2) for _ in range(rank)]
    padding = draft.choices.of(["", "pads", "SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"])
    if padding == "pads":
        result["pads"] = [draft.choices.below(k) for k in kernel] * 2
    elif padding:
        result["auto_pad"] = padding
    return result


@makes("Conv")
def conv(draft: Draft) -> None:
    x = draft.pick("f", least=3, test=lambda v: v.rank < 6 and v.array.size > 0)
    settings = window(draft, x)
    channels = x.shape[1]
    groups = draft.choices.of([1, channels])
    outputs = groups * draft.choices.integer(1, 2)
    if draft.choices.chance(25):
        settings["dilations"] = [draft.choices.integer(1, 2) for _ in settings["kernel_shape"]]
    kernel = settings["kernel_shape"]
    weights = draft.numbers((outputs, channels // groups, *kernel), x.array.dtype)
    bias = draft.choices.of(["", draft.constant(draft.numbers((outputs,), x.array.dtype))])
    if draft.choices.chance(30):
        del settings["kernel_shape"]
    draft.node("Conv", [x, draft.constant(weights), bias], **settings,
               group=None if groups == 1 and draft.choices.chance(50) else groups)  # fmt: skip


@makes("ConvTranspose")
def conv_transpose(draft: Draft) -> None:
    x = draft.pick("f", least=3, test=lambda v: v.rank < 5 and v.array.size > 0)
    settings = window(draft, x)
    channels, kernel = x.shape[1], settings["kernel_shape"]
    groups = draft.choices.of([1, channels])
    strides = settings.get("strides", [1] * len(kernel))
    if max(strides) > 1 and draft.choices.chance(40):
        settings["output_padding"] = [draft.choices.below(s) for s in strides]
    if draft.choices.chance(20):
        settings["dilations"] = [draft.choices.integer(1, 2) for _ in kernel]
    if draft.choices.chance(20):
        settings["output_shape"] = [n * s for n, s in zip(x.shape[2:], strides, strict=True)]
    spread = settings.get("dilations", [1] * len(kernel))
    reach = [d * (k - 1) + 1 for k, d in zip(kernel, spread, strict=True)]
    if any(n < s for n, s in zip(reach, strides, strict=True)):
        without_same(settings)  # ONNX Runtime's result is smaller than ONNX's shape inference says
    weights = draft.numbers((channels, draft.choices.integer(1, 2), *kernel), x.array.dtype)
    bias = draft.constant(draft.numbers((weights.shape[1] * groups,), x.array.dtype))
    inputs = [x, draft.constant(weights), draft.choices.of(["", bias])]
    draft.node("ConvTranspose", inputs, group=groups, **settings)


def without_same(settings: dict[str, Any]) -> None:
    """Leaves out a padding that keeps sizes."""
    if settings.get("auto_pad", "").startswith("SAME"):
        del settings["auto_pad"]


@makes("pooling")
def pooling(draft: Draft) -> None:
    x = draft.pick("f", least=3, test=lambda v: v.rank < 6 and v.array.size > 0)
    settings = window(draft, x)
    operator = draft.choices.of(["MaxPool", "AveragePool", "LpPool"])
    if draft.version >= 10 and operator != "LpPool" and draft.choices.chance(30):
        settings["ceil_mode"] = 1
    newest = {"MaxPool": 10, "AveragePool": 19, "LpPool": 18}[operator]
    if draft.version >= newest and draft.choices.chance(30):
        kernel = settings["kernel_shape"]
        fits = [2 * (k - 1) < n for k, n in zip(kernel, x.shape[2:], strict=True)]
        settings["dilations"] = [draft.choices.integer(1, 1 + fit) for fit in fits]
        without_same(settings)  # ONNX Runtime ignores dilations in it, against ONNX's formula
    if operator == "AveragePool":
        settings["count_include_pad"] = draft.choices.of([None, 0, 1])
    if operator == "LpPool":
        settings["p"] = draft.choices.of([None, 1, 2])
    outputs = 1
    if operator == "MaxPool" and draft.version >= 8 and x.is_exact and draft.choices.chance(20):
        outputs = 2
        settings["storage_order"] = draft.choices.of([None, 0])
    draft.node(operator, [x], outputs, **settings)


@makes("global pooling")
def global_pooling(draft: Draft) -> None:
    x = draft.pick("f", least=3, test=lambda v: v.array.size > 0)
    operator = draft.choices.of(["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"])
    draft.node(operator, [x])


@makes("BatchNormalization")
def batch_normalization(draft: Draft) -> None:
    x = draft.pick("f", least=2)
    dtype, shape = x.array.dtype, (x.shape[1],)
    scale, bias, mean_ = (draft.constant(draft.numbers(shape, dtype)) for _ in range(3))
    variance = draft.constant(np.abs(draft.numbers(shape, dtype)) + np.ones((), dtype))
    draft.node(
        "BatchNormalization", [x, scale, bias, mean_, variance],
        epsilon=draft.choices.of([None, 0.001]), momentum=draft.choices.of([None, 0.5]),
        spatial=1 if draft.version < 9 and draft.choices.chance(50) else None,
    )  # fmt: skip


@makes("InstanceNormalization")
def instance_normalization(draft: Draft) -> None:
    x = draft.pick("f", least=3, test=lambda v: v.array.size > 0)
    scale, bias = (draft.constant(draft.numbers((x.shape[1],), x.array.dtype)) for _ in range(2))
    draft.node("InstanceNormalization", [x, scale, bias], epsilon=draft.choices.of([None, 0.01]))


@makes("LayerNormalization", since=17)
def layer_normalization(draft: Draft) -> None:
    x = draft.pick("f", least=1)
    axis = draft.axis(x.rank)
    shape = x.shape[axis:]
    scale, bias = (draft.constant(draft.numbers(shape, x.array.dtype)) for _ in range(2))
    inputs = [x, scale, draft.choices.of(["", bias])]
    draft.node("LayerNormalization", inputs, draft.choices.integer(1, 3), axis=axis)


@makes("LRN")
def lrn(draft: Draft) -> None:
    x = draft.pick("f", rank=4)
    draft.node("LRN", [x], size=draft.choices.of([1, 3, 2]), alpha=draft.choices.of([None, 0.1]))


@makes("LpNormalization")
def lp_normalization(draft: Draft) -> None:
    x = draft.pick("f", least=1)
    axis = draft.choices.of([None, draft.axis(x.rank)])
    draft.node("LpNormalization", [x], axis=axis, p=draft.choices.of([None, 1, 2]))


@makes("MeanVarianceNormalization", since=9)
def mean_variance_normalization(draft: Draft) -> None:
    x = draft.pick("f", rank=4)
    draft.node("MeanVarianceNormalization", [x], axes=draft.choices.of([None, [0, 2, 3], [1]]))


# images


@makes("Upsample")
def upsample(draft: Draft) -> None:
    if draft.version > 9:
        raise NoNodeError
    x = draft.pick("f", rank=4)
    mode = draft.choices.of(["nearest", "linear", None])
    scales = [1.0, 1.0, draft.choices.of([2.0, 1.0, 3.0]), draft.choices.of([2.0, 1.5])]
    if draft.version < 9:
        draft.node("Upsample", [x], scales=scales, mode=mode)
    else:
        draft.node("Upsample", [x, draft.constant(np.array(scales, "float32"))], mode=mode)


@makes("Resize", since=10)
def resize(draft: Draft) -> None:
    x = draft.pick("f", rank=4, test=lambda v: v.array.size > 0)
    mode = draft.choices.of(["nearest", "linear"] + (["cubic"] if draft.version >= 11 else []))
    scales = np.array(
        [1, 1, draft.choices.of([2, 1, 0.5]), draft.choices.of([2, 1.5, 0.75])], "float32"
    )
    if draft.version < 11:
        draft.node("Resize", [x, draft.constant(scales)], mode=mode)
        return
    transformations = ["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"]
    settings: dict[str, Any] = {
        "mode": mode, "coordinate_transformation_mode": draft.choices.of(transformations),
    }  # fmt: skip
    if mode == "nearest":
        modes = ["floor", "ceil", "round_prefer_floor", "round_prefer_ceil", None]
        settings["nearest_mode"] = draft.choices.of(modes)
    if mode == "cubic":
        settings["cubic_coeff_a"] = draft.choices.of([None, -0.5])
        settings["exclude_outside"] = draft.choices.of([None, 1])
    region = draft.choices.of(["", draft.constant(np.zeros(0, "float32"))])
    region = region if draft.version >= 13 else draft.constant(np.zeros(0, "float32"))
    # ONNX's corners are those of sizes that are not rounded, ONNX Runtime's are not.
    has_corners = settings["coordinate_transformation_mode"] == "align_corners"
    if draft.choices.chance(60) and not has_corners:
        draft.node("Resize", [x, region, draft.constant(scales)], **settings)
        return
    sizes = [*x.shape[:2], *[draft.choices.integer(1, 2 * n) for n in x.shape[2:]]]
    empty = "" if draft.version >= 13 else draft.constant(np.zeros(0, "float32"))
    draft.node("Resize", [x, region, empty, draft.integers(sizes)], **settings)


# quantized numbers


@makes("QuantizeLinear", since=10)
def quantize(draft: Draft) -> None:
    x = draft.pick("f", exact=True, test=lambda v: v.array.dtype == np.float32)
    dtype = draft.choices.of(["uint8", "int8"])
    zero = draft.constant(np.array(draft.choices.of([0, 3]), dtype))
    scale = draft.constant(np.float32(draft.choices.of([0.5, 0.125, 1])))
    (numbers,) = draft.node("QuantizeLinear", [x, scale, draft.choices.of([zero, zero])])
    if draft.choices.chance(70):
        draft.node("DequantizeLinear", [numbers, scale, zero])


@makes("QuantizeLinear of an axis", since=13)
def quantize_axis(draft: Draft) -> None:
    x = draft.pick("f", least=2, exact=True, test=lambda v: v.array.dtype == np.float32)
    axis = draft.axis(x.rank)
    shape = (x.shape[axis],)
    draw = draft.choices.generator()
    scale = draft.constant(np.exp2(draw.integers(-3, 1, shape)).astype("float32"))
    zero = draft.constant(draw.integers(0, 5, shape).astype("uint8"))
    (numbers,) = draft.node("QuantizeLinear", [x, scale, zero], axis=axis)
    draft.node("DequantizeLinear", [numbers, scale, zero], axis=axis)


@makes("DynamicQuantizeLinear", since=11)
def dynamic_quantize(draft: Draft) -> None:
    x = draft.pick("f", exact=True, test=lambda v: v.array.dtype == np.float32 and v.array.size > 0)
    numbers, scale, zero = draft.node("DynamicQuantizeLinear", [x], 3)
    draft.node("DequantizeLinear", [numbers, scale, zero])


@makes("MatMulInteger", since=10, exact=True)
def mat_mul_integer(draft: Draft) -> None:
    x = draft.pick("iu", least=2, test=lambda v: v.array.dtype.itemsize == 1)
    weights = draft.constant(draft.numbers((x.shape[-1], 3), draft.choices.of(["int8", "uint8"])))
    zero = draft.choices.of(["", draft.constant(np.array(1, x.array.dtype))])
    draft.node("MatMulInteger", [x, weights, zero])


# recurrent layers


@makes("recurrent")
def recurrent(draft: Draft) -> None:
    x = draft.pick("f", rank=3, test=lambda v: v.array.dtype == np.float32 and v.array.size > 0)
    operator = draft.choices.of(["LSTM", "GRU", "RNN"])
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[operator]
    direction = draft.choices.of([None, "reverse", "bidirectional"])
    count, hidden = 2 if direction == "bidirectional" else 1, draft.choices.of([2, 3])
    rows = gates * hidden
    sizes = (x.shape[2], hidden)
    weights = [draft.constant(draft.numbers((count, rows, n)) / np.float32(4)) for n in sizes]
    bias = draft.choices.of(["", draft.constant(draft.numbers((count, 2 * rows)))])
    initial = draft.constant(draft.numbers((count, x.shape[1], hidden)))
    state = ["", draft.choices.of(["", initial])]
    reset = draft.choices.of([None, 0, 1]) if operator == "GRU" else None
    draft.node(
        operator, [x, *weights, bias, *state], draft.choices.integer(1, 2), hidden_size=hidden,
        direction=direction, linear_before_reset=reset, clip=draft.choices.of([None, 0.5]),
    )  # fmt: skip
