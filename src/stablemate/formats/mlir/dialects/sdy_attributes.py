"""Reads the attributes of Shardy.

Source: Shardy dialect; spelled as upstream prints them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ParseError
from stablemate.dialects.sdy import attributes as sdy
from stablemate.dialects.sdy.mesh import first_broken_rule
from stablemate.dialects.sdy.propagation import (
    AxisEdge,
    EdgeValue,
    PropagationEdges,
    PropagationStep,
)
from stablemate.formats.mlir.attribute_reader import AttributeReader, DialectAttributeReader
from stablemate.ir.attributes import SymbolAttribute
from stablemate.ir.types import Attribute

FACTOR: Final = re.compile(r"z_([1-9][0-9]{0,5})|([i-z])")
PRIORITY: Final = re.compile(r"p(0|[1-9][0-9]{0,17})")


def read_mesh(reader: AttributeReader) -> sdy.Mesh:
    """``<["x"=2], device_ids=[1, 0]>``; MLIR checks it where it is read."""
    start = reader.start
    reader.expect("<")
    axes = reader.read_enclosed("[", lambda: read_mesh_axis(reader))
    ids: tuple[int, ...] = ()
    if reader.accept(","):
        reader.expect("device_ids")
        reader.expect("=")
        if reader.followed_by("]"):
            reader.reject_unexpected("a list of device ids")
        ids = reader.integers()
    reader.expect(">")
    in_order = axes and ids == tuple(range(len(ids)))  # the default order, which is not stored
    mesh = sdy.Mesh(tuple(axes), () if in_order and has_every_device(axes, ids) else ids)
    if (broken := first_broken_rule(mesh)) is not None:
        rule, message, values = broken
        raise ParseError(Diagnostic(message, rule, reader.span(start), values))
    return mesh


def has_every_device(axes: list[sdy.MeshAxis], ids: tuple[int, ...]) -> bool:
    """Whether there is a device for each position of a mesh."""
    return math.prod(axis.size for axis in axes) == len(ids)


def read_mesh_axis(reader: AttributeReader) -> sdy.MeshAxis:
    """``"x"=2``."""
    name = reader.string_here("the name of an axis")
    reader.expect("=")
    size = reader.integer_or_boolean("the size of an axis")
    return sdy.MeshAxis(name, size)


def read_axis(reader: AttributeReader) -> sdy.AxisRef:
    """``"x"`` or ``"x":(1)2``."""
    name = reader.string_here("the name of an axis")
    if not reader.accept(":"):
        return sdy.AxisRef(name)
    reader.expect("(")
    before = reader.integer_or_boolean("the size before the part of the axis")
    reader.expect(")")
    return sdy.AxisRef(
        name, sdy.SubAxis(before, reader.integer_or_boolean("the size of a part of an axis"))
    )


def read_axes(reader: AttributeReader) -> tuple[sdy.AxisRef, ...]:
    """``{"x", "y"}``."""
    return tuple(reader.read_enclosed("{", lambda: read_axis(reader)))


def read_dimension(reader: AttributeReader) -> sdy.DimensionSharding:
    """``{"x", ?}p1``."""
    axes: list[sdy.AxisRef] = []
    closed, more = True, True
    reader.expect("{")
    while more and not (reader.at("}") and not axes):
        closed = not reader.accept("?")
        if closed:
            axes.append(read_axis(reader))
        more = closed and reader.accept(",")
    reader.expect("}", "',' or '}'")
    priority = None
    if reader.kind == "bare":
        priority = PRIORITY.fullmatch(reader.keyword_here("a priority"))
        if priority is None:
            reader.error("expected a priority such as p1 before this")
    return sdy.DimensionSharding(tuple(axes), closed, int(priority[1]) if priority else None)


def read_sharding(reader: AttributeReader) -> sdy.TensorSharding:
    """``<@mesh, [{"x"}, {}], replicated={"y"}>``."""
    reader.expect("<")
    inline = reader.accept("mesh")
    mesh = read_mesh(reader) if inline else SymbolAttribute(reader.symbol())
    reader.expect(",")
    dimensions = reader.read_enclosed("[", lambda: read_dimension(reader))
    lists: dict[str, Any] = {}
    while reader.accept(","):
        name = reader.choice({n: n for n in ("replicated", "unreduced")}, "a list of axes")
        if name in lists:
            reader.error(f"'{name}' occurs twice")
        reader.expect("=")
        if name == "unreduced" and not reader.at("{"):
            lists["reduction"] = read_reduction(reader)
        lists[name] = read_axes(reader)
    reader.expect(">", "',' or '>'")
    return sdy.TensorSharding(mesh, tuple(dimensions), **lists)


def read_reduction(reader: AttributeReader) -> sdy.ReductionOp:
    """``max``."""
    return reader.choice(
        {reduction.value: reduction for reduction in sdy.REDUCTIONS}, "a reduction"
    )


def read_sharding_list(reader: AttributeReader) -> sdy.TensorShardingPerValue:
    """``[<@mesh, [{}]>]``."""
    return sdy.TensorShardingPerValue(
        tuple(reader.read_enclosed("[", lambda: read_sharding(reader)))
    )


def read_sharding_per_value(reader: AttributeReader) -> sdy.TensorShardingPerValue:
    """``<[<@mesh, [{}]>]>``."""
    reader.expect("<")
    shardings = read_sharding_list(reader)
    reader.expect(">")
    return shardings


def read_manual_axes(reader: AttributeReader) -> sdy.ManualAxes:
    """``{"x"}``."""
    return sdy.ManualAxes(tuple(reader.read_enclosed("{", lambda: reader.string("an axis"))))


def read_axis_list(reader: AttributeReader) -> sdy.AxisRefList:
    """``{"x"}``."""
    return sdy.AxisRefList(read_axes(reader))


def read_axis_lists(reader: AttributeReader) -> sdy.ListOfAxisRefLists:
    """``[{"x"}, {}]``."""
    return sdy.ListOfAxisRefLists(tuple(reader.read_enclosed("[", lambda: read_axes(reader))))


def read_move(reader: AttributeReader) -> sdy.AllToAllParam:
    """``{"x"}: 0->1``."""
    if reader.at("{") and reader.followed_by("}"):
        reader.advance()
        reader.error("expected a list of axes that is not empty")
    axes = read_axes(reader)
    reader.expect(":")
    source = reader.integer_or_boolean("a dimension")
    reader.expect("->")
    return sdy.AllToAllParam(axes, source, reader.integer_or_boolean("a dimension"))


def read_moves(reader: AttributeReader) -> sdy.AllToAllParamList:
    """``[{"x"}: 0->1]``."""
    return sdy.AllToAllParamList(tuple(reader.read_enclosed("[", lambda: read_move(reader))))


# ---- sharding rules


def read_factors(reader: AttributeReader) -> tuple[int, ...]:
    """Reads ``jk``, the factors of a dimension, which are written together."""
    token = reader.keyword_here("factors such as ij")
    factors: list[int] = []
    position = 0
    while position < len(token):
        match = FACTOR.match(token, position)
        if match is None:
            reader.error("factors before this are called i, j, ..., z, z_1, z_2, ...")
        late, early = match.groups()
        last = len(sdy.FACTOR_LETTERS) - 1
        factors.append(last + int(late) if late else sdy.FACTOR_LETTERS.index(early))
        position = match.end()
    return tuple(factors)


def read_factor(reader: AttributeReader) -> int:
    """Reads ``j``, the letters and digits of one factor."""
    place = (reader.start, reader.end)
    factors = read_factors(reader)
    if len(factors) != 1:
        reader.error("expected one factor", place)
    return factors[0]


def read_mappings(reader: AttributeReader) -> tuple[sdy.TensorMapping, ...]:
    """``([i, jk], [j, k])``."""

    def factors() -> tuple[int, ...]:
        if reader.kind != "bare":
            reader.reject_unexpected("factors such as ij")
        return read_factors(reader)

    def mapping() -> sdy.TensorMapping:
        return tuple(reader.read_enclosed("[", factors))

    return tuple(reader.read_enclosed("(", mapping))


def read_factor_sizes(reader: AttributeReader) -> tuple[int, ...]:
    """``{i=8, j=2}``: the factors in their order."""
    sizes: list[int] = []

    def size() -> None:
        place = (reader.start, reader.end)
        if read_factor(reader) != len(sizes):
            reader.error(f"expected the factor {sdy.factor_name(len(sizes))}", place)
        reader.expect("=")
        sizes.append(reader.integer_or_boolean("the size of a factor"))

    reader.read_enclosed("{", size)
    return tuple(sizes)


def read_rule(reader: AttributeReader) -> sdy.OpShardingRule:
    """``<([i, j], [j, k])->([i, k]) {i=8, j=2, k=4} reduction={j}, custom>``."""
    reader.expect("<")
    operands = read_mappings(reader)
    reader.expect("->")
    results = read_mappings(reader)
    sizes = read_factor_sizes(reader) if reader.at("{") else ()
    lists: dict[str, tuple[int, ...]] = {}
    for name in sdy.OpShardingRule.FACTOR_LISTS:
        if reader.accept(name):
            reader.expect("=")
            lists[name] = tuple(reader.read_enclosed("{", lambda: read_factor(reader)))
    custom = reader.accept(",")
    if custom:
        reader.expect("custom")
    reader.expect(">")
    return sdy.OpShardingRule(sizes, operands, results, **lists, is_custom=custom)


# ---- propagation edges


def read_edge_value(reader: AttributeReader) -> EdgeValue:
    """``operand-0``."""
    kind = reader.choice({name: name for name in ("operand", "result")}, "operand or result")
    reader.expect("-")
    return EdgeValue(kind, reader.integer_or_boolean("the number of a value"))


def read_edge(reader: AttributeReader) -> AxisEdge:
    """``{"x" = operand-0 -> [result-0]}``."""
    reader.expect("{")
    axis = read_axis(reader)
    reader.expect("=")
    source = read_edge_value(reader)
    reader.expect("->")
    if reader.followed_by("]"):
        reader.reject_unexpected("a list of values that is not empty")
    targets = reader.read_enclosed("[", lambda: read_edge_value(reader))
    reader.expect("}")
    return AxisEdge(axis, source, tuple(targets))


def read_step(reader: AttributeReader) -> PropagationStep:
    """``{step-0 = [{"x" = operand-0 -> [result-0]}]}``."""
    reader.expect("{")
    reader.expect("step")
    reader.expect("-")
    index = reader.integer_or_boolean("the number of a step")
    reader.expect("=")
    edges = reader.read_enclosed("[", lambda: read_edge(reader))
    reader.expect("}")
    return PropagationStep(index, tuple(edges))


def read_edges(reader: AttributeReader) -> PropagationEdges:
    """``<[{step-0 = [{"x" = operand-0 -> [result-0]}]}]>``."""
    reader.expect("<")
    steps = reader.read_enclosed("[", lambda: read_step(reader))
    reader.expect(">")
    return PropagationEdges(tuple(steps))


LISTS: Final[dict[str, Callable[[AttributeReader], Attribute]]] = {
    "manual_axes": read_manual_axes,
    "axis_ref_list": read_axis_list,
    "list_of_axis_ref_lists": read_axis_lists,
    "all_to_all_param_list": read_moves,
}


def read_list(reader: AttributeReader) -> Attribute:
    """Reads what is in the brackets of ``#sdy<manual_axes{"x"}>``."""
    read: Any = reader.choice(LISTS, "a list of Shardy")
    attribute: Attribute = read(reader)
    return attribute


ATTRIBUTES: Final[dict[str, DialectAttributeReader]] = {
    "#sdy": read_list,
    "#sdy.mesh": read_mesh,
    "#sdy.sharding": read_sharding,
    "#sdy.sharding_per_value": read_sharding_per_value,
    "#sdy.op_sharding_rule": read_rule,
    "#sdy.propagation_edges": read_edges,
}
