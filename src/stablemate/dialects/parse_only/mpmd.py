"""The operations of MPMD.

Source: Shardy, MPMD dialect, the operations of the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.func import FuncOp, types_of
from stablemate.dialects.parse_only.base import ParseOnlyOp
from stablemate.dialects.parse_only.mpmd_attributes import (
    MESH_TENSOR,
    ORIGINS,
    REDUCTION,
    USER_ORIGIN,
    MeshTensorType,
    ReductionKind,
    Topology,
)
from stablemate.dialects.sdy.attributes import SHARDING_PER_VALUE, Mesh
from stablemate.ir.core import Operation
from stablemate.ir.definition import Check, constraint, define, holds, op
from stablemate.ir.kinds import (
    ANY_TENSOR,
    ANY_VALUE,
    SI64,
    STRING,
    SYMBOL,
    TOKEN_VALUE,
    integer_kind,
)
from stablemate.ir.types import TensorType, Type
from stablemate.numerics.elements import IntegerType

TOPOLOGY: Final = "topology"  # of a function
MESH_SHAPE: Final = "mesh_shape"  # of a function that holds a fragment
UI32: Final = replace(
    integer_kind(IntegerType(32, "unsigned")), description="unsigned 32-bit integer"
)


def topology_of(operation: Operation) -> Topology | None:
    """The topology of the function around an operation."""
    function = operation.parent_operation()
    while function is not None and not isinstance(function, FuncOp):
        function = function.parent_operation()
    topology = None if function is None else function.discardable.get(TOPOLOGY)
    return topology if isinstance(topology, Topology) else None


class OnMeshes(ParseOnlyOp):
    """Base of operations whose values are on meshes of the topology."""

    __slots__ = ()

    @constraint("topology")
    def has_topology(self) -> Check:
        """The function has the attribute topology, #mpmd.topology"""
        return holds(topology_of(self) is not None)

    @constraint("mesh")
    def has_meshes(self) -> Check:
        """The topology has the meshes of operands and results"""
        topology = topology_of(self)
        assert topology is not None
        names = (t.mesh_name for t in self.value_types() if isinstance(t, MeshTensorType))
        unknown = next((name for name in names if topology.mesh(name) is None), None)
        return holds(unknown is None, mesh=unknown, topology=topology)

    def value_types(self) -> Sequence[Type]:
        """The types of operands and results."""
        return [value.type for value in (*self.operands, *self.results)]


class Reassignment(OnMeshes):
    """Base of operations between a tensor and the same tensor on a mesh."""

    __slots__ = ()

    @constraint("type")
    def same_tensor(self) -> Check:
        """The tensor on the mesh has the type of the other one"""
        types = [t.tensor if isinstance(t, MeshTensorType) else t for t in self.value_types()]
        return holds(len(set(types)) == 1, types=types)

    @constraint("sharding")
    def replicated(self) -> Check:
        """Each device of the mesh holds the whole tensor"""
        types = [t for t in self.value_types() if isinstance(t, MeshTensorType)]
        return holds(all(t.is_replicated for t in types), types=types)


@op("mpmd.assign")
class Assign(Reassignment):
    """A tensor on a mesh, whose devices all hold the whole of it."""

    __slots__ = ()
    tensor = define.operand("", ANY_TENSOR)
    origin = define.optional_attribute("", STRING)
    result = define.result(MESH_TENSOR)
    assembly = "attr-dict $tensor `:` functional-type"


@op("mpmd.unassign")
class Unassign(Reassignment):
    """A tensor that was on a mesh."""

    __slots__ = ()
    tensor = define.operand("", MESH_TENSOR)
    origin = define.optional_attribute("", STRING)
    result = define.result(ANY_TENSOR)
    assembly = "attr-dict $tensor `:` functional-type"


@op("mpmd.transfer")
class Transfer(OnMeshes):
    """A tensor on another mesh."""

    __slots__ = ()
    tensor = define.operand("", MESH_TENSOR)
    result = define.result(MESH_TENSOR)
    assembly = "attr-dict $tensor `:` functional-type"

    @constraint("type")
    def same_tensor(self) -> Check:
        """Operand and result are the same tensor"""
        operand, result = self.tensor.type, self.result.type
        return holds(operand.tensor == result.tensor, operand=operand, result=result)


class SameTensor(ParseOnlyOp):
    """Base of operations whose operands and result have one type."""

    __slots__ = ()

    @constraint("type")
    def same_types(self) -> Check:
        """Operands and result have one type"""
        types = [value.type for value in (*self.operands, *self.results)]
        return holds(len(set(types)) == 1, types=types)


@op("mpmd.broadcast")
class Broadcast(SameTensor):
    """A tensor for whatever mesh uses it."""

    __slots__ = ()
    tensor = define.operand("", ANY_TENSOR)
    result = define.result(ANY_TENSOR)
    assembly = "attr-dict $tensor `:` same-type"


@op("mpmd.reduce")
class Reduce(SameTensor):
    """Tensors of different meshes combined, for whatever mesh uses the result."""

    __slots__ = ()
    tensors = define.variadic("", ANY_TENSOR)
    reduction = define.default_attribute("", REDUCTION, ReductionKind.NONE, filled=True)
    result = define.result(ANY_TENSOR)
    assembly = "custom<MeshReduction> attr-dict $tensors `:` functional-type"

    @constraint("number")
    def number_of_tensors(self) -> Check:
        """1 <= size(tensors), and size(tensors) = 1 if the reduction is none"""
        size = len(self.operands)
        fits = size == 1 if self.reduction is ReductionKind.NONE else size >= 1
        return holds(fits, tensors=size, reduction=self.reduction.value)


@op("mpmd.named_tensor")
class NamedTensor(SameTensor):
    """A tensor with a name, by which it can be assigned to a mesh."""

    __slots__ = ()
    tensor = define.operand("", ANY_TENSOR)
    tensor_name = define.attribute("", STRING).with_name("name")
    result = define.result(ANY_TENSOR)
    assembly = "$tensor custom<TensorName> attr-dict `:` same-type"


class Computation(OnMeshes):
    """Base of operations with a body of operations.

    The body has the types of operands and results, of tensors on a mesh those of the tensors.
    """

    __slots__ = ()

    @constraint("arguments")
    def arguments_fit(self) -> Check:
        """The arguments of the body are the tensors of the operands"""
        arguments = types_of(self.regions[0].block.arguments)
        expected = tensors(types_of(self.operands))
        return holds(arguments == expected, arguments=arguments, expected=expected)

    @constraint("results")
    def results_fit(self) -> Check:
        """The body returns the tensors of the results"""
        returned = types_of(self.regions[0].block.terminator.operands)
        expected = tensors(types_of(self.results))
        return holds(returned == expected, returned=returned, expected=expected)


def tensors(types: Sequence[Type]) -> tuple[Type, ...]:
    """The types of the tensors on meshes; other types as they are."""
    return tuple(t.tensor if isinstance(t, MeshTensorType) else t for t in types)


@op("mpmd.named_computation", isolated=True)
class NamedComputation(ParseOnlyOp):
    """A part of a program with a name, by which it can be assigned to a mesh."""

    __slots__ = ()
    tensors = define.variadic("", ANY_TENSOR | TOKEN_VALUE)
    origin = define.attribute("", USER_ORIGIN)
    region = define.region("")
    outputs = define.variadic_result(ANY_TENSOR | TOKEN_VALUE)
    assembly = "custom<OriginComputation>"
    arguments_fit = Computation.arguments_fit
    results_fit = Computation.results_fit


class OfMesh(OnMeshes):
    """Base of operations that a mesh of the topology executes."""

    __slots__ = ()
    origin = define.attribute("", ORIGINS)
    mesh_name = define.attribute("", STRING)

    @constraint("mesh_name")
    def is_of_topology(self) -> Check:
        """The topology has the mesh, and all values are on it"""
        topology = topology_of(self)
        assert topology is not None
        types = (t for t in self.value_types() if isinstance(t, MeshTensorType))
        other = next((t.mesh_name for t in types if t.mesh_name != self.mesh_name), None)
        known = topology.mesh(self.mesh_name) is not None
        return holds(known and other is None, mesh_name=self.mesh_name, other=other)


@op("mpmd.fragment", isolated=True)
class Fragment(OfMesh):
    """A computation that the devices of a mesh execute."""

    __slots__ = ()
    inputs = define.variadic("", MESH_TENSOR | TOKEN_VALUE)
    stage_id = define.optional_attribute("", SI64)
    in_shardings = define.optional_attribute("", SHARDING_PER_VALUE)
    out_shardings = define.optional_attribute("", SHARDING_PER_VALUE)
    region = define.region("")
    outputs = define.variadic_result(MESH_TENSOR | TOKEN_VALUE)
    assembly = "custom<Fragment>"
    arguments_fit = Computation.arguments_fit
    results_fit = Computation.results_fit


@op("mpmd.fragment_call")
class FragmentCall(OfMesh):
    """A call of a function that the devices of a mesh execute."""

    __slots__ = ()
    inputs = define.variadic("", MESH_TENSOR | TOKEN_VALUE)
    callee = define.attribute("", SYMBOL)
    outputs = define.variadic_result(MESH_TENSOR | TOKEN_VALUE)
    assembly = "custom<FragmentOrigins> custom<Callee> attr-dict `:` functional-type"

    @constraint("callee")
    def callee_exists(self) -> Check:
        """callee is a function of the module with the attribute mesh_shape"""
        callee = find_symbol(self, self.callee)
        is_fragment = isinstance(callee, FuncOp) and isinstance(
            callee.discardable.get(MESH_SHAPE), Mesh
        )
        return holds(is_fragment, callee=f"@{self.callee}")

    @constraint("mesh_shape")
    def same_mesh(self) -> Check:
        """mesh_shape of the callee is the mesh"""
        callee, topology = find_symbol(self, self.callee), topology_of(self)
        assert callee is not None
        assert topology is not None
        mesh, shape = topology.mesh(self.mesh_name), callee.discardable.get(MESH_SHAPE)
        return holds(mesh == shape, mesh=mesh, mesh_shape=shape)

    @constraint("type")
    def matches_callee(self) -> Check:
        """The callee takes and returns the tensors of operands and results"""
        callee = find_symbol(self, self.callee)
        assert isinstance(callee, FuncOp)
        operands, results = tensors(types_of(self.operands)), tensors(types_of(self.results))
        fits = (operands, results) == (callee.type.inputs, callee.type.results)
        return holds(fits, operands=operands, results=results, callee=callee.type)


@op("mpmd.call")
class Call(ParseOnlyOp):
    """The results of a function of the module."""

    __slots__ = ()
    inputs = define.variadic("", ANY_VALUE)
    callee = define.attribute("", SYMBOL)
    outputs = define.variadic_result(ANY_VALUE)
    assembly = "custom<Callee> attr-dict `:` functional-type"

    @constraint("callee")
    def callee_exists(self) -> Check:
        """callee is a function of the module"""
        callee = find_symbol(self, self.callee)
        return holds(isinstance(callee, FuncOp), callee=f"@{self.callee}")

    @constraint("operands")
    def operands_fit(self) -> Check:
        """The callee takes the operands"""
        callee, inputs = find_symbol(self, self.callee), types_of(self.operands)
        assert isinstance(callee, FuncOp)
        return holds(inputs == callee.type.inputs, operands=inputs, callee=callee.type)

    @constraint("results")
    def results_fit(self) -> Check:
        """The callee returns the results"""
        callee, results = find_symbol(self, self.callee), types_of(self.results)
        assert isinstance(callee, FuncOp)
        return holds(results == callee.type.results, results=results, callee=callee.type)


@op("mpmd.for")
class For(ParseOnlyOp):
    """The body again and again: it takes what it returned, and the number of the iteration."""

    __slots__ = ()
    tensors = define.variadic("", ANY_VALUE)
    iterations = define.attribute("", UI32)
    unroll_factor = define.optional_attribute("", UI32)
    region = define.region("")
    outputs = define.variadic_result(ANY_VALUE)
    assembly = "custom<MeshLoop>"

    @constraint("iterations")
    def positive(self) -> Check:
        """0 < iterations, and iterations % unroll_factor = 0"""
        factor = 1 if self.unroll_factor is None else self.unroll_factor
        fits = self.iterations > 0 and factor > 0 and self.iterations % factor == 0
        return holds(fits, iterations=self.iterations, unroll_factor=self.unroll_factor)

    @constraint("kinds")
    def one_kind(self) -> Check:
        """Operands and results are all tensors, or all tensors on meshes"""
        types = types_of((*self.operands, *self.results))
        on_meshes = {isinstance(t, MeshTensorType) for t in types}
        return holds(len(on_meshes) <= 1, types=types)

    @constraint("types")
    def types_fit(self) -> Check:
        """Operands, results, arguments of the body and what it returns have the same types"""
        *arguments, index = types_of(self.region.block.arguments) or (None,)
        returned = types_of(self.region.block.terminator.operands)
        operands, results = types_of(self.operands), types_of(self.results)
        fits = tuple(arguments) == operands == results == returned
        return holds(
            fits and isinstance(index, TensorType), arguments=arguments, index=index,
            operands=operands, results=results, returned=returned,
        )  # fmt: skip


@op("mpmd.return", terminator=True)
class Return(ParseOnlyOp):
    """Ends the body of a computation."""

    __slots__ = ()
    values = define.variadic("", ANY_VALUE)
    assembly = "custom<ReturnedValues>"
