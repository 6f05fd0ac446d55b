"""What a builder refuses, at the call, with the user's own line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stablemate.diagnostics.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    ParseError,
    StablemateError,
    VerifyError,
)
from stablemate.xla.builder.builder import ModuleBuilder
from stablemate.xla.builder.operations.contraction import DotDimensionNumbers


def line_of(text: str) -> int:
    """The line of this file that holds a text."""
    lines = inspect.getsource(inspect.getmodule(line_of)).splitlines()  # type: ignore[arg-type]
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_an_error_shows_the_line_of_the_call() -> None:
    b = ModuleBuilder("wrong")
    x = b.parameter(0, "f32[4,3]")
    y = b.parameter(1, "f32[2]")
    with pytest.raises(VerifyError) as caught:
        b.add(x, y, [1])  # this one
    rendered = caught.value.render().splitlines()
    assert rendered[0].startswith(f"{__file__}:{line_of('# ' + 'this one')}:9: error: add: sizes")
    assert rendered[1].endswith("        b.add(x, y, [1])  # this one")
    assert rendered[2].split("|")[1].startswith("         ^^^^^^^^^^^^^^^^ lhs = f32[4,3]")


def test_an_error_inside_a_function_shows_the_line_of_the_function() -> None:
    b = ModuleBuilder("wrong")
    with pytest.raises(VerifyError) as caught:
        b.reduce(
            b.parameter(0, "f32[4]"),
            0.0,
            lambda x, y: x & y,  # here
            [0],
        )
    span = caught.value.diagnostics[0].span
    assert span is not None
    assert span.line == line_of("# " + "here")
    assert span.text == "x & y"


def test_instructions_know_the_line_that_made_them() -> None:
    b = ModuleBuilder("spans")
    b.parameter(0, "f32[4]")
    span = b.tree().entry_computation.instructions[0].span
    assert span is not None
    assert span.text == 'b.parameter(0, "f32[4]")'


def test_source_that_is_not_known_has_a_name_and_a_line() -> None:
    code = compile("\n\nb.iota('f32[2]', 1)", "nowhere.py", "exec")
    with pytest.raises(VerifyError, match=r"^nowhere.py:3:1: error: iota"):
        exec(code, {"b": ModuleBuilder("x"), "__name__": "user"})


Wrong = Callable[[ModuleBuilder, Any], Any]
REFUSED: list[tuple[str, Wrong, type[StablemateError], str]] = [
    ("handle", lambda b, x: ModuleBuilder("o").neg(x), VerifyError, "belong to the builder"),
    ("operand", lambda b, x: b.add(x, "a"), ArgumentTypeError, "a handle, a number or an array"),
    ("number", lambda b, x: b.add(b.constant([1]), 1.5), ArgumentValueError, "1.5 cannot be"),
    ("range", lambda b, x: b.constant(300, "u8"), ArgumentValueError, "300 cannot be represented"),
    ("type", lambda b, x: b.constant(1, "f33"), ArgumentValueError, "no element type f33"),
    ("dtype", lambda b, x: b.add(x, np.float64(1)), ArgumentTypeError, "elements of f32"),
    ("shape", lambda b, x: b.parameter(1, "f32[2"), ParseError, "expected"),
    ("parameter", lambda b, x: b.parameter(0, "f32[]"), VerifyError, "numbers are used once"),
    ("bool", lambda b, x: bool(x), ArgumentTypeError, "has no value while"),
    ("iterate", lambda b, x: list(x), ArgumentTypeError, "only tuples have parts"),
    ("part", lambda b, x: x[9], VerifyError, "-rank <= dimension < rank"),
    ("parts", lambda b, x: x[0, 0, 0], VerifyError, "as many indices as dimensions"),
    ("step", lambda b, x: x[::-1], VerifyError, "steps are positive"),
    ("slash", lambda b, x: b.constant(1) / 2, VerifyError, "`/` of integers"),
    ("and", lambda b, x: x & x, VerifyError, "boolean or integer"),
    ("rank", lambda b, x: b.constant_r1([[1]]), VerifyError, "has rank 1"),
    ("iota", lambda b, x: b.iota("f32[2]", 1), VerifyError, "-rank <= dimension < rank"),
    ("reshape", lambda b, x: b.reshape(x, [5]), VerifyError, "number of elements stays"),
    ("collapse", lambda b, x: b.collapse(x, [1, 0]), VerifyError, "dimensions are consecutive"),
    ("transpose", lambda b, x: b.transpose(x, [0, 0]), VerifyError, "numbers are unique"),
    ("permutation", lambda b, x: b.transpose(x, [0]), VerifyError, "permutation"),
    ("broadcast", lambda b, x: b.broadcast(x, [-1]), VerifyError, "sizes are not negative"),
    (
        *("in_dim", lambda b, x: b.broadcast_in_dim(x, [2, 3], [1, 0])),
        *(VerifyError, "increases strictly"),
    ),
    ("bitcast", lambda b, x: b.bitcast_convert_type(x, "f64"), VerifyError, "ratio of the widths"),
    ("mixing", lambda b, x: b.bitcast_convert_type(x, "c128"), VerifyError, "both real numbers"),
    ("slice", lambda b, x: b.slice(x, [0, 0], [3, 3]), VerifyError, "start <= limit <= size"),
    ("limits", lambda b, x: b.slice(x, [0], [1]), VerifyError, "one start, limit and stride"),
    ("concatenate", lambda b, x: b.concatenate([], 0), VerifyError, "at least one operand"),
    ("scalars", lambda b, x: b.concat_in_dim([b.constant(1)], 0), VerifyError, "scalars have no"),
    ("tuple", lambda b, x: b.get_tuple_element(x, 0), VerifyError, "one of the tuple's"),
    (
        *("dot", lambda b, x: b.dot_general(x, x, DotDimensionNumbers([1], [0]))),
        *(VerifyError, "dot_general"),
    ),
    ("precision", lambda b, x: b.dot(x, x, "best"), VerifyError, "default, high, highest"),
    ("fft", lambda b, x: b.fft(x, "DCT", [2]), VerifyError, "FFT, IFFT, RFFT, IRFFT"),
    ("solve", lambda b, x: b.triangular_solve(x, x, True, True, True, "T"), VerifyError, "ADJOINT"),
    ("inits", lambda b, x: b.reduce([x, x], [0.0], min, [0]), VerifyError, "an initial value for"),
    ("reducer", lambda b, x: b.reduce(x, 0.0, 5, [0]), ArgumentTypeError, "a computation is a"),
    ("none", lambda b, x: b.reduce(x, 0.0, lambda p, q: None, [0]), VerifyError, "not None"),
    (
        *("window", lambda b, x: b.reduce_window(x, 0.0, lambda p, q: p, [2], [1])),
        *(VerifyError, "window_dimensions has a value for each dimension"),
    ),
    (
        *("padding", lambda b, x: b.reduce_window(x, 0.0, lambda p, q: p, [1, 1], padding="ALL")),
        *(VerifyError, "padding is SAME, VALID"),
    ),
    ("map", lambda b, x: b.map(x, lambda p: p, [1, 0]), VerifyError, "dimensions are 0, 1"),
    ("top_k", lambda b, x: b.top_k(x, 4), VerifyError, "k is at most the last dimension"),
    ("call", lambda b, x: b.call(unary(), x, x), VerifyError, "takes the operands"),
    (
        *("while", lambda b, x: b.while_(lambda s: b_true(s), lambda s: s[0], x)),
        *(VerifyError, "body"),
    ),
    (
        *("branches", lambda b, x: b.conditional(b.constant(0), [unary()], [])),
        *(VerifyError, "an operand for each branch"),
    ),
    ("token", lambda b, x: b.after_all(x), VerifyError, "operands are tokens"),
    ("tokens", lambda b, x: b.after_all(), VerifyError, "at least one token"),
    ("rng", lambda b, x: b.rng_bernoulli(0.5, "f32[2]"), VerifyError, "type of the result is u32"),
    (
        *("bits", lambda b, x: b.rng_bit_generator("mt19937", x, "u32[2]")),
        *(VerifyError, "rng_default, rng_three_fry"),
    ),
    ("infeed", lambda b, x: b.infeed("((f32[]), s32[])"), VerifyError, "not nested"),
    (
        "scatter",
        lambda b, x: b.reduce_scatter(x, max, 0, 3),
        VerifyError,
        "multiple of shard_count",
    ),
    ("count", lambda b, x: b.all_gather(x, 0, -1), VerifyError, "shard_count is positive"),
    ("host", lambda b, x: b.send_to_host(x, x, "f"), VerifyError, "a channel is a number"),
    (
        *("word", lambda b, x: b.custom_call("f", [x], "f32[]", schedule="SOON")),
        *(VerifyError, "schedule is one of SCHEDULE_NONE, SCHEDULE_LATEST"),
    ),
    (
        *("state", lambda b, x: b.rng_get_and_update_state(1, "s32[]")),
        *(VerifyError, "the result has the shape that follows"),
    ),
    ("split", lambda b, x: b.all_to_all(x, 0, 1, 3), VerifyError, "multiple of split_count"),
    ("empty", lambda b, x: ModuleBuilder("e").tree(), VerifyError, "at least one instruction"),
    ("gaps", lambda b, x: gap().tree(), VerifyError, "count from 0 without gaps"),
]


def unary() -> ModuleBuilder:
    """A computation of one matrix."""
    builder = ModuleBuilder("unary")
    builder.neg(builder.parameter(0, "f32[2,3]"))
    return builder


def gap() -> ModuleBuilder:
    """A computation without its first parameter."""
    builder = ModuleBuilder("gap")
    builder.parameter(1, "f32[]")
    return builder


def b_true(value: Any) -> Any:
    """True."""
    return value.builder.constant(True)


@pytest.mark.parametrize(
    ("make", "error", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_wrong_calls_are_refused(make: Wrong, error: type[StablemateError], message: str) -> None:
    b = ModuleBuilder("wrong")
    x = b.parameter(0, "f32[2,3]")
    with pytest.raises(error, match=message):
        make(b, x)


WRONG_KINDS: list[tuple[str, Wrong, str]] = [
    ("text", lambda b, x: b.transpose(x, "01"), "transpose: permutation is a sequence of integers"),
    ("float", lambda b, x: b.reshape(x, [2.0, 3.0]), "sizes is a sequence of integers, not list"),
    ("number", lambda b, x: b.get_dimension_size(x, 1.5), "dimension is an integer, not float"),
    ("handle", lambda b, x: b.get_tuple_element(1.5, 0), "tuple_data is a handle, not float"),
    ("operands", lambda b, x: b.tuple(x), "elements is a sequence of operands, not XlaOp"),
    ("pairs", lambda b, x: b.collective_permute(x, [(0, 1, 2)]), "a sequence of pairs of integers"),
    ("groups", lambda b, x: b.all_gather(x, 0, 2, [0, 1]), "a sequence of sequences of integers"),
    ("flag", lambda b, x: b.cholesky(x, "yes"), "lower is true or false, not str"),
    ("dots", lambda b, x: b.dot_general(x, x, [1]), "dimension_numbers is DotDimensionNumbers"),
    ("config", lambda b, x: b.pad(x, 0.0, [(1,), (2,)]), r"padding_config is \(low, high"),
    (
        "window",
        lambda b, x: b.reduce_window(x, 0.0, min, [1, 1], [1, 1], 3),
        "padding is SAME, VALID",
    ),
    ("channel", lambda b, x: b.recv("f32[2]", "one"), "channel_handle is an integer, not str"),
    ("accuracy", lambda b, x: b.exp(x, "best"), "result_accuracy is a ResultAccuracy, not str"),
    ("other", lambda b, x: b.reduce(x, 0.0, min, dimensions_to_reduce="0"), "dimensions_to_reduce"),
    ("alias", lambda b, x: b.custom_call("f", [x], "f32[]", "", False, {(): 1}), "a mapping of"),
]


@pytest.mark.parametrize(
    ("make", "message"), [row[1:] for row in WRONG_KINDS], ids=[row[0] for row in WRONG_KINDS]
)
def test_arguments_of_a_wrong_kind_are_refused(make: Wrong, message: str) -> None:
    b = ModuleBuilder("wrong")
    x = b.parameter(0, "f32[2,3]")
    with pytest.raises(ArgumentTypeError, match=message) as caught:
        make(b, x)
    span = caught.value.diagnostics[0].span
    assert span is not None
    assert span.source.name == __file__


def test_element_types_have_several_names() -> None:
    b = ModuleBuilder("types")
    x = b.parameter(0, "f32[2,3]")
    for name in ("F64", "f64", "float64", np.float64, np.dtype(np.float64)):
        assert str(b.shape(b.convert_element_type(x, name))) == "f64[2,3]{1,0}"
    assert str(b.shape(b.constant(1, np.uint8))) == "u8[]"
    for dtype, name in ((np.uint8, "u8"), (np.int8, "s8"), (np.bool_, "pred"), (np.int64, "s64")):
        assert str(b.shape(b.constant(np.ones(2, dtype)))) == f"{name}[2]{{0}}"
    assert str(b.shape(b.iota(np.int32, 3))) == "s32[3]{0}"
    assert str(b.shape(b.convert_element_type(x, "bool"))) == "pred[2,3]{1,0}"


def test_methods_of_a_builder_are_computations() -> None:
    b = ModuleBuilder("methods")
    x = b.parameter(0, "f32[2,3]")
    b.reduce(x, 0.0, b.add, [0])
    b.reduce_window(x, 0.0, b.max, [1, 2])
    b.map([x], b.neg)
    called = [computation for computation in b.tree().computations if computation.name != "methods"]
    assert [item.result.opcode for item in called] == ["add", "maximum", "negate"]
    assert [entry.name for entry in called] == ["add", "maximum", "negate"]


def test_arguments_may_be_numbers_of_numpy_ranges_and_single_numbers() -> None:
    b = ModuleBuilder("kinds")
    x = b.parameter(0, "f32[2,3]")
    assert b.shape(b.transpose(x, np.array([1, 0]))).dimensions == (3, 2)
    assert b.shape(b.reduce(x, 0.0, lambda p, q: p + q, np.int64(-1))).dimensions == (2,)
    assert b.shape(b.broadcast(x, 4)).dimensions == (4, 2, 3)
    assert b.shape(b.reshape(x, range(6, 7))).dimensions == (6,)
    assert b.shape(x[np.int32(1)]).dimensions == (3,)
    assert b.shape(np.float32(2) * x).dimensions == (2, 3)
    assert b.shape(np.float32([[1], [2]]) + x).dimensions == (2, 3)
    sizes = b.tree().entry_computation.instructions[-1].shape.dimensions
    assert all(type(size) is int for size in sizes)
