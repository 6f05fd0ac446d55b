"""Result shapes of instructions that StableHLO has no operation for.

They hand values on, call computations, or stand for one half of an operation.

Source: XLA, operation semantics; HLO text as XLA reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final, TypeAlias

from stablemate.xla.layout import Layout
from stablemate.xla.primitive_types import PRED, S32, TOKEN, U32, U64
from stablemate.xla.shape import TOKEN_SHAPE, Shape
from stablemate.xla.shape_inference.case import InferenceCase, alike, format_shapes

U32_SCALAR: Final = Shape(U32, layout=Layout.row_major(0))
RNG_STATE: Final = Shape(U64, (2,), layout=Layout.row_major(1))


ShapeRule: TypeAlias = Callable[[InferenceCase], Shape]


# ---- values handed on


def tuple_(case: InferenceCase) -> Shape:
    """The result is the tuple of the operands' shapes."""
    return Shape.tuple_of(case.operands)


def get_tuple_element(case: InferenceCase) -> Shape:
    """A part of the operand."""
    operand = case.operand(0)
    index: int = case.need("index")
    case.require(operand.is_tuple, "the operand is a tuple", operand=operand)
    size = len(operand.elements)
    case.require(0 <= index < size, "0 <= index < size(operand)", index=index, size=size)
    return operand.elements[index]


def first_operand(case: InferenceCase) -> Shape:
    """The result has the first operand's shape."""
    return case.operand(0)


def add_dependency(case: InferenceCase) -> Shape:
    """The first operand; the second is a token."""
    token = case.operand(1)
    case.require(token.element_type is TOKEN, "operand 1 is a token", operand=token)
    return case.operand(0)


def after_all(case: InferenceCase) -> Shape:
    """The result is a token; so are the operands."""
    fits = all(operand.element_type is TOKEN for operand in case.operands)
    case.require(fits, "the operands are tokens", operands=format_shapes(case.operands))
    return TOKEN_SHAPE


def bitcast(case: InferenceCase) -> Shape:
    """An array of as many bits."""
    operand, result = case.operand(0), case.free()
    fits = operand.is_array and result.is_array
    case.require(fits, "operand and result are arrays", operand=operand, result=result)
    sizes = (logical_bits(operand), logical_bits(result))
    if sizes[0] != sizes[1] and operand.is_static and result.is_static:
        tiled = [shape for shape in (operand, result) if shape.layout and shape.layout.tiles]
        case.require(bool(tiled), "operand and result take the same memory", bits=sizes)
    return result


def logical_bits(shape: Shape) -> int:
    """Bits of all elements, without what layouts add."""
    return prod(shape.dimensions) * shape.element_type.bits


def free(case: InferenceCase) -> Shape:
    """The result has the shape that the instruction declares."""
    return case.free()


def literal_shape(case: InferenceCase) -> Shape:
    """The shape of the literal."""
    shape: Shape = case.need("literal").shape
    return shape


# ---- computations


def call(case: InferenceCase) -> Shape:
    """The result shape of the computation."""
    signature = case.signature("to_apply")
    case.takes("to_apply", signature, case.operands)
    return signature.result


def fusion(case: InferenceCase) -> Shape:
    """The result shape of the computation."""
    signature = case.signature("calls")
    case.takes("calls", signature, case.operands)
    return signature.result


def while_(case: InferenceCase) -> Shape:
    """The shape of the operand, which the body returns too."""
    operand = case.operand(0)
    condition, body = case.signature("condition"), case.signature("body")
    case.takes("condition", condition, [operand])
    case.takes("body", body, [operand])
    result = condition.result
    fits = result.element_type is PRED and not result.rank
    case.require(fits, "condition gives pred[]", condition=result)
    fits = alike(body.result, operand)
    case.require(fits, "body gives what it takes", body=body.result, operand=operand)
    return operand


def conditional(case: InferenceCase) -> Shape:
    """The result shape of the branches."""
    selector, rest = case.operand(0), case.operands[1:]
    names: Sequence[str] = case.attributes.get("branch_computations", ())
    selector_type = S32 if names else PRED
    if not names:
        names = (case.need("true_computation"), case.need("false_computation"))
        selector_type = PRED
    fits = not selector.rank and selector.element_type in (
        {S32, PRED} if len(names) == 2 else {S32}
    )
    case.require(fits, f"operand 0 is {selector_type}[]", operand=selector)
    counts = {"operands": len(rest), "branches": len(names)}
    case.require(len(rest) == len(names) > 0, "each branch has an operand", **counts)
    signatures = [case.computations.signature(name, case.span) for name in names]
    for name, signature, operand in zip(names, signatures, rest, strict=True):
        case.takes(f"branch {name}", signature, [operand])
        first, result = signatures[0].result, signature.result
        case.require(alike(first, result), "the branches give one shape", a=first, b=result)
    return signatures[0].result


# ---- halves of operations


def copy_start(case: InferenceCase) -> Shape:
    """``(destination, source, context)``."""
    operand = case.operand(0)
    return Shape.tuple_of((operand, operand, U32_SCALAR))


def start_operand_part(case: InferenceCase, number: int, size: int) -> Shape:
    """A part of the operand, which is the result of the operation's first half."""
    operand = case.operand(0)
    fits = operand.is_tuple and len(operand.elements) >= size
    case.require(fits, "the operand is what the start gives", operand=operand)
    return operand.elements[number]


def copy_done(case: InferenceCase) -> Shape:
    """The result is the destination, the first part of ``copy-start``."""
    return start_operand_part(case, 0, 3)


def second_part(case: InferenceCase) -> Shape:
    """The result of what was started."""
    return start_operand_part(case, 1, 2)


def async_start(case: InferenceCase) -> Shape:
    """``((operands), result, context...)``."""
    signature, result = case.signature("calls"), case.free()
    case.takes("calls", signature, case.operands)
    expected = (Shape.tuple_of(case.operands), signature.result)
    context = result.elements[2:] if result.is_tuple else ()
    return Shape.tuple_of((*expected, *context))


def send(case: InferenceCase) -> Shape:
    """``(data, context, token)``."""
    token = case.operand(1)
    case.require(token.element_type is TOKEN, "operand 1 is a token", operand=token)
    case.require_transferable(case.operand(0))
    return Shape.tuple_of((case.operand(0), U32_SCALAR, TOKEN_SHAPE))


def send_done(case: InferenceCase) -> Shape:
    """The result is the token of ``send``."""
    start_operand_part(case, 2, 3)
    return TOKEN_SHAPE


def recv(case: InferenceCase) -> Shape:
    """``(data, context, token)``; the data is free."""
    token, result = case.operand(0), case.free()
    case.require(token.element_type is TOKEN, "operand 0 is a token", operand=token)
    fits = result.is_tuple and len(result.elements) == 3
    case.require(fits, "the result is (data, u32[], token[])", result=result)
    case.require_transferable(result.elements[0])
    return Shape.tuple_of((result.elements[0], U32_SCALAR, TOKEN_SHAPE))


def recv_done(case: InferenceCase) -> Shape:
    """``(data, token)``."""
    return Shape.tuple_of((start_operand_part(case, 0, 3), TOKEN_SHAPE))


def infeed(case: InferenceCase) -> Shape:
    """``(data, token)``; the data is free."""
    token, result = case.operand(0), case.free()
    case.require(token.element_type is TOKEN, "operand 0 is a token", operand=token)
    fits = result.is_tuple and len(result.elements) == 2
    case.require(fits, "the result is (data, token[])", result=result)
    case.require_transferable(result.elements[0])
    return Shape.tuple_of((result.elements[0], TOKEN_SHAPE))


def outfeed(case: InferenceCase) -> Shape:
    """The result is a token; so is operand 1."""
    token = case.operand(1)
    case.require_transferable(case.operand(0))
    case.require(token.element_type is TOKEN, "operand 1 is a token", operand=token)
    return TOKEN_SHAPE


def rng_state(case: InferenceCase) -> Shape:
    """``u64[2]``."""
    return RNG_STATE


SHAPE_RULES: Final[dict[str, ShapeRule]] = {
    "parameter": free,
    "constant": literal_shape,
    "custom-call": free,
    "tuple": tuple_,
    "get-tuple-element": get_tuple_element,
    "copy": first_operand,
    "domain": first_operand,
    "opt-barrier": first_operand,
    "add-dependency": add_dependency,
    "after-all": after_all,
    "bitcast": bitcast,
    "call": call,
    "fusion": fusion,
    "while": while_,
    "conditional": conditional,
    "copy-start": copy_start,
    "copy-done": copy_done,
    "all-reduce-done": first_operand,
    "all-gather-done": second_part,
    "collective-permute-done": second_part,
    "async-start": async_start,
    "async-update": first_operand,
    "async-done": second_part,
    "send": send,
    "send-done": send_done,
    "recv": recv,
    "recv-done": recv_done,
    "infeed": infeed,
    "outfeed": outfeed,
    "rng-get-and-update-state": rng_state,
}
