"""Attributes of Shardy in frontend attributes, as text or as attributes.

Source: XLA, Shardy's round trip through HLO: ``xla.sdy`` attributes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.mhlo.frontend_attributes import FRONTEND_ATTRIBUTES, frontend_attributes
from stablemate.dialects.sdy.attributes import Mesh, TensorSharding
from stablemate.formats.mlir.parser import parse_attribute
from stablemate.ir.attributes import DictionaryAttribute, StringAttribute, SymbolAttribute
from stablemate.ir.core import Operation
from stablemate.ir.types import Attribute
from stablemate.transforms.sharding_import.boundaries import violation

PREFIX: Final = "xla.sdy."
MESHES: Final = "xla.sdy.meshes"
SHARDING: Final = "xla.sdy.sharding"
SHARDING_RULE: Final = "xla.sdy.sharding_rule"
IN_SHARDINGS: Final = "xla.sdy.in_shardings"
OUT_SHARDINGS: Final = "xla.sdy.out_shardings"
MANUAL_AXES: Final = "xla.sdy.manual_axes"
DIRECTION: Final = "xla.sdy.allowed_direction"
GROUP: Final = "xla.sdy.sharding_group_id"
# The attributes that become those of Shardy; others stay as they are.
KNOWN: Final = frozenset(
    {
        MESHES,
        SHARDING,
        SHARDING_RULE,
        IN_SHARDINGS,
        OUT_SHARDINGS,
        MANUAL_AXES,
        DIRECTION,
        GROUP,
    }
)

AttributeT = TypeVar("AttributeT", bound=Attribute)


def shardy_attributes(attributes: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
    """The frontend attributes among some attributes, those outside the dictionary included."""
    outside = {name: value for name, value in attributes.items() if name.startswith(PREFIX)}
    return {**outside, **frontend_attributes(attributes)}


def without_known(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """The attributes without those that become attributes of Shardy."""
    rest = {name: value for name, value in attributes.items() if name not in KNOWN}
    entry = rest.get(FRONTEND_ATTRIBUTES)
    if isinstance(entry, DictionaryAttribute):
        kept = {name: value for name, value in entry.entries.items() if name not in KNOWN}
        if kept:
            rest[FRONTEND_ATTRIBUTES] = DictionaryAttribute(kept)
        else:
            del rest[FRONTEND_ATTRIBUTES]
    return rest


def read(
    operation: Operation, name: str, attribute: Attribute, kind: type[AttributeT], noun: str
) -> AttributeT:
    """An attribute of Shardy, of the attribute itself or of its text.

    Args:
        operation: The operation that has it, at whose place errors are.
        name: The name of the frontend attribute.
        attribute: Its value.
        kind: The class of the attribute.
        noun: What it is, for errors.

    Raises:
        VerifyError: It is something else.
    """
    found = attribute
    if isinstance(attribute, StringAttribute):
        try:
            found = parse_attribute(unescape(attribute.value))
        except StablemateError as error:
            text = f"{name} is no {noun}: {error.diagnostics[0].message}"
            raise violation(operation, text, FRONTEND_ATTRIBUTES, text=attribute.value) from error
    if not isinstance(found, kind):
        raise violation(operation, f"{name} is no {noun}", FRONTEND_ATTRIBUTES, text=attribute)
    return found


def unescape(text: str) -> str:
    """The text of an attribute; older producers put backslashes before its quotes."""
    return text.replace('\\"', '"').replace("\\22", '"') if "\\" in text else text


def read_meshes(operation: Operation, attribute: Attribute) -> dict[str, Mesh]:
    """The meshes of a dictionary, by name.

    Raises:
        VerifyError: It holds something else.
    """
    meshes = read(operation, MESHES, attribute, DictionaryAttribute, "dictionary of meshes")
    return {
        name: read(operation, f"{MESHES} {name}", value, Mesh, "mesh")
        for name, value in meshes.entries.items()
    }


def check_mesh(operation: Operation, sharding: TensorSharding, meshes: Mapping[str, Mesh]) -> None:
    """Rejects a sharding on a mesh that the program does not have.

    Raises:
        VerifyError: There is no such mesh, or it has no such axis.
    """
    mesh = sharding.mesh
    if isinstance(mesh, SymbolAttribute):
        if mesh.root not in meshes:
            known = ", ".join(f"@{name}" for name in meshes) or "none"
            raise violation(
                operation,
                f"there is no mesh {mesh}: {MESHES} of the module has {known}",
                FRONTEND_ATTRIBUTES,
                sharding=sharding.inner_text(),
            )
        mesh = meshes[mesh.root]
    unknown = [str(axis) for axis in sharding.axes if axis.name not in mesh.sizes]
    if unknown:
        raise violation(
            operation,
            f"the mesh has no axis {', '.join(unknown)}",
            FRONTEND_ATTRIBUTES,
            sharding=sharding.inner_text(),
            mesh=mesh.inner_text(),
        )
