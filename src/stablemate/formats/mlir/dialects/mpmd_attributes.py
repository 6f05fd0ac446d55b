"""Reads the attributes and the type of MPMD.

Source: Shardy, MPMD dialect; spelled as upstream prints them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from stablemate.dialects.parse_only import mpmd_attributes as mpmd
from stablemate.dialects.sdy.attributes import Mesh, TensorSharding
from stablemate.formats.mlir.attribute_reader import AttributeReader, DialectAttributeReader
from stablemate.formats.mlir.dialects.sdy_attributes import read_mesh, read_sharding
from stablemate.formats.mlir.dialects.stablehlo_attributes import dotted_enumeration
from stablemate.formats.mlir.type_reader import TypeReader
from stablemate.ir.types import TensorType, Type


def read_named_mesh(reader: AttributeReader) -> mpmd.NamedMesh:
    """``<"m1" : <["x"=2]>>``."""
    reader.expect("<")
    name = reader.string_here("the name of a mesh")
    reader.expect(":")
    start = reader.start
    mesh = reader.attribute() if reader.kind == "hash" else read_mesh(reader)
    if not isinstance(mesh, Mesh):
        reader.error(f"expected a mesh, found {mesh}", (start, reader.previous_end))
    reader.expect(">")
    return mpmd.NamedMesh(name, mesh)


def read_topology(reader: AttributeReader) -> mpmd.Topology:
    """``<<"m1" : <["x"=2]>>, ...>``, of one mesh at least."""

    def mesh() -> mpmd.NamedMesh:
        start = reader.start
        named = reader.attribute() if reader.kind == "hash" else read_named_mesh(reader)
        if not isinstance(named, mpmd.NamedMesh):
            reader.error(f"expected a named mesh, found {named}", (start, reader.previous_end))
        return named

    reader.expect("<")
    meshes = [mesh()]
    while reader.accept(","):
        meshes.append(mesh())
    reader.expect(">", "',' or '>'")
    return mpmd.Topology(tuple(meshes))


def read_origin_name(reader: AttributeReader) -> mpmd.UserOrigin:
    """``"f"(1)``."""
    name, count = reader.string_here("the name of a computation"), 0
    if reader.accept("("):
        count = reader.integer()
        reader.expect(")")
    return mpmd.UserOrigin(name, count)


def read_user_origin(reader: AttributeReader) -> mpmd.UserOrigin:
    """``<"f"(1)>``."""
    reader.expect("<")
    origin = read_origin_name(reader)
    reader.expect(">")
    return origin


def read_mesh_tensor(reader: TypeReader) -> Type:
    """``<"m1", tensor<4xf32>, sharding=<@mesh, [{"x"}]>, memory_kind="device">``."""
    assert isinstance(reader, AttributeReader)
    reader.expect("<")
    name = reader.string_here("the name of a mesh")
    reader.expect(",")
    start = reader.start
    tensor = reader.type()
    if not isinstance(tensor, TensorType):
        reader.error(f"expected a tensor type, found {tensor}", (start, reader.previous_end))
    sharding = read_tensor_sharding(reader) if follows(reader, "sharding") else None
    kind = reader.string("a kind of memory") if follows(reader, "memory_kind") else None
    reader.expect(">", "',' or '>'")
    return mpmd.MeshTensorType(name, tensor, sharding, kind)


def follows(reader: AttributeReader, word: str) -> bool:
    """Whether ``, word =`` follows; if so, it is read."""
    if not reader.at(",") or not reader.followed_by(word):
        return False
    reader.advance()
    reader.advance()
    reader.expect("=")
    return True


def read_tensor_sharding(reader: AttributeReader) -> TensorSharding:
    """``<@mesh, [{"x"}]>``, with or without the name of the attribute."""
    start = reader.start
    sharding = reader.attribute() if reader.kind == "hash" else read_sharding(reader)
    if not isinstance(sharding, TensorSharding):
        reader.error(f"expected a sharding, found {sharding}", (start, reader.previous_end))
    return sharding


ATTRIBUTES: Final[dict[str, DialectAttributeReader]] = {
    "#mpmd.named_mesh": read_named_mesh,
    "#mpmd.topology": read_topology,
    "#mpmd.user_origin": read_user_origin,
    "#mpmd.reduction": dotted_enumeration(mpmd.REDUCTION),
}
TYPES: Final[dict[str, Callable[[TypeReader], Type]]] = {"!mpmd.mesh_tensor": read_mesh_tensor}
