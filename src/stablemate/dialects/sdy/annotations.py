"""Annotations of shardings, which do not compute: values pass through.

Source: Shardy dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.dialects.func import Call, FuncOp
from stablemate.dialects.sdy.attributes import (
    PROPAGATION_DIRECTION,
    SHARDING,
    PropagationDirection,
    TensorSharding,
)
from stablemate.dialects.sdy.sharding import Sharded
from stablemate.dialects.stablehlo.constant import Constant as StablehloConstant
from stablemate.ir.core import BlockArgument, Operation, OpResult, Value
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import ANY_TENSOR, ANY_VALUE, SI64
from stablemate.ir.traits import Trait
from stablemate.ir.types import DYNAMIC, MemRefType, TensorType, Type, VectorType


class Resharded(Sharded):
    """Base of operations whose result is their input with another sharding."""

    __slots__ = ()
    exact = True
    input = define.operand("", ANY_VALUE)
    sharding = define.attribute("", SHARDING)
    result = define.result(ANY_VALUE, element_type="type", shape="type")
    assembly = "$input custom<Sharding> attr-dict `:` result-type"

    def shardings(self) -> Sequence[tuple[TensorSharding, Type]]:
        """The sharding of the result."""
        return [(self.sharding, self.input.type)]

    def infer(self) -> Type:
        """The type of the input."""
        return self.input.type

    def evaluate(self, *operands: object, **_: object) -> object:
        """The input: a sharding does not change the values."""
        return operands[0]


@op("sdy.sharding_constraint", traits=Trait.IDENTITY)
class ShardingConstraint(Resharded):
    """Constrains the sharding of a tensor.

    Source: Shardy dialect, sharding_constraint.
    """

    __slots__ = ()


@op("sdy.reshard", traits=Trait.IDENTITY)
class Reshard(Resharded):
    """Changes the sharding of a tensor.

    Source: Shardy dialect, reshard.
    """

    __slots__ = ()


@op("sdy.propagation_barrier", traits=Trait.IDENTITY)
class PropagationBarrier(Op):
    """Limits the propagation of shardings through a tensor to one direction, or blocks it.

    Source: Shardy dialect, propagation_barrier.
    """

    __slots__ = ()
    exact = True
    input = define.operand("", ANY_TENSOR)
    allowed_direction = define.attribute("", PROPAGATION_DIRECTION)
    result = define.result(ANY_TENSOR, element_type="type", shape="type")
    assembly = "$input custom<AllowedDirection> attr-dict `:` result-type"

    @constraint("allowed_direction")
    def blocks_something(self) -> Check:
        """allowed_direction is not BOTH"""
        direction = self.allowed_direction
        return holds(direction != PropagationDirection.BOTH, allowed_direction=direction.value)

    def infer(self) -> Type:
        """The type of the input."""
        return self.input.type

    def evaluate(self, *operands: object, **_: object) -> object:
        """Returns the input: a sharding changes where elements are, not what they are."""
        return operands[0]


@op("sdy.sharding_group", effects=True)
class ShardingGroup(Op):
    """Requires the same sharding for all tensors of a group.

    Source: Shardy dialect, sharding_group.
    """

    __slots__ = ()
    input = define.operand("", ANY_TENSOR)
    group_id = define.attribute("", SI64)
    assembly = "$input custom<GroupId> attr-dict `:` type($input)"

    def evaluate(self, *operands: object, **_: object) -> object:
        """Computes nothing: a group only constrains shardings."""
        return ()


@op("sdy.data_flow_edge", traits=Trait.IDENTITY)
class DataFlowEdge(Sharded):
    """The sharding of a value that flows into a region or out of one.

    Source: Shardy dialect, data_flow_edge.
    """

    __slots__ = ()
    exact = True
    input = define.operand("", ANY_VALUE)
    sharding = define.optional_attribute("", SHARDING)
    result = define.result(ANY_VALUE, element_type="type", shape="type")
    assembly = "$input custom<EdgeSharding> attr-dict `:` result-type"

    @constraint("input")
    def one_use(self) -> Check:
        """The input is used by this edge only"""
        uses = other_uses(self.input, self)
        return holds(not uses, uses=uses)

    @constraint("input")
    def starts_outside(self) -> Check:
        """The input is no result of an operation of Shardy but named_computation"""
        source = self.input.operation.name if isinstance(self.input, OpResult) else ""
        fits = not source.startswith("sdy.") or source == "sdy.named_computation"
        return holds(fits, operation=source)

    def shardings(self) -> Sequence[tuple[TensorSharding, Type]]:
        """The sharding of the edge, if it is known."""
        return [] if self.sharding is None else [(self.sharding, self.input.type)]

    @constraint("result")
    def shape_is_known(self) -> Check:
        """The result is of static shape"""
        return has_static_shape(self.result.type)

    def infer(self) -> Type:
        """The type of the input."""
        return self.input.type

    def evaluate(self, *operands: object, **_: object) -> object:
        """Returns the input: a sharding changes where elements are, not what they are."""
        return operands[0]


@op("sdy.func_data_flow_edge", traits=Trait.IDENTITY)
class FuncDataFlowEdge(Op):
    """A value that flows from a call into a function, or out of one.

    Source: Shardy dialect, func_data_flow_edge.
    """

    __slots__ = ()
    operand = define.operand("", ANY_VALUE)
    result = define.result(ANY_VALUE, element_type="type", shape="type")
    assembly = "$operand attr-dict `:` result-type"

    @constraint("result")
    def shape_is_known(self) -> Check:
        """The result is of static shape"""
        return has_static_shape(self.result.type)

    @constraint("type")
    def one_type(self) -> Check:
        """The result has the type of the operand"""
        operand, result = self.operand.type, self.result.type
        return holds(operand == result, operand=operand, result=result)

    @constraint("operand")
    def one_use(self) -> Check:
        """The operand is used by this edge only"""
        uses = other_uses(self.operand, self)
        return holds(not uses, uses=uses)

    @constraint("operand")
    def starts_at_a_function(self) -> Check:
        """The operand is an argument of a function or a result of a call"""
        match self.operand:
            case OpResult(operation=call):
                return holds(isinstance(call, Call), operation=call.name)
            case BlockArgument(block=block):
                owner = block.parent.parent if block.parent else None
                return holds(isinstance(owner, FuncOp), argument=owner.name if owner else "nothing")
            case _:
                return None

    def infer(self) -> Type:
        """The type of the operand."""
        return self.operand.type

    def evaluate(self, *operands: object, **_: object) -> object:
        """Returns the operand: an edge only leads shardings along."""
        return operands[0]


def other_uses(value: Value[Type], edge: Operation) -> list[str]:
    """The operations other than an edge that use a value of its block."""
    block = edge.parent
    users = (nested for top in (block.operations if block else ()) for nested in top.walk())
    return [user.name for user in users if value in user.operands and user is not edge]


def has_static_shape(value_type: Type) -> Check:
    """Whether a type has a shape that is static."""
    if not isinstance(value_type, TensorType | VectorType | MemRefType):
        return holds(False, result=value_type)
    shape = value_type.shape
    return holds(shape is not None and DYNAMIC not in shape, result=value_type)


@op("sdy.constant", traits=Trait.COMPOUND)
class Constant(StablehloConstant):
    """A literal that is not shared, so that each use can have its own sharding.

    Source: Shardy dialect, constant.
    """

    __slots__ = ()
