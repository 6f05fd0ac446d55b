"""Declares the revisions of VHLO's operations, one row each.

::

    revision("all_gather_v1", "operand -> result", until="1.4.0", attributes={"channel_id": I64})

A star marks variadic names. All attributes are required: VHLO has no defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.vhlo.kinds import VALUE
from stablemate.dialects.vhlo.versions import MINIMUM, NEWEST, Version, version
from stablemate.ir.core import Operation
from stablemate.ir.definition import define, op
from stablemate.ir.kinds import AttributeKind
from stablemate.ir.types import Attribute

NO_ATTRIBUTES: Final[Mapping[str, AttributeKind[Attribute]]] = {}


@dataclass(frozen=True, slots=True)
class Revision:
    """One revision of an operation, and the versions of StableHLO that write it.

    Attributes:
        mnemonic: Its name without dialect and number, such as ``all_gather``.
        number: 1 for the first revision.
        since: The first version that writes it.
        until: The last version that writes it; the newest known one for the newest revision.
    """

    mnemonic: str
    number: int
    since: Version
    until: Version

    def is_written_by(self, target: Version) -> bool:
        """Whether a version writes this revision."""
        return self.since <= target.without_patch <= self.until


class VhloOp(Operation):
    """An operation of VHLO: data that is read, checked, converted and written, never evaluated."""

    __slots__ = ()
    revision: ClassVar[Revision]


def revision(
    name: str,
    signature: str,
    *,
    since: str = str(MINIMUM),
    until: str = str(NEWEST),
    attributes: Mapping[str, AttributeKind[Attribute]] = NO_ATTRIBUTES,
    regions: str = "",
    assembly: str = "",
    terminator: bool = False,
    isolated: bool = False,
) -> type[VhloOp]:
    """The class of one revision.

    Args:
        name: The name without the dialect, such as ``all_gather_v1``.
        signature: ``operands -> results``.
        since: The first version that writes it.
        until: The last version that writes it.
        attributes: The kind of each attribute.
        regions: Its regions.
        assembly: Its declared syntax; most have the generic form only.
        terminator: Whether it ends a block.
        isolated: Whether its regions see no value from outside.
    """
    operands, _, results = signature.partition("->")
    mnemonic, _, number = name.rpartition("_v")
    body: dict[str, object] = {
        "__slots__": (),
        "__doc__": f"``vhlo.{name}``: as StableHLO {since} to {until} write it.",
        "__module__": __name__,
        "revision": Revision(mnemonic, int(number), version(since), version(until)),
        "assembly": assembly,
    }
    fields: list[Any] = [
        *(
            (define.variadic if is_variadic else define.operand)("", VALUE).with_name(label)
            for label, is_variadic in parse_name_list(operands)
        ),
        *(define.attribute("", kind).with_name(label) for label, kind in attributes.items()),
        *(
            (define.variadic_region if is_variadic else define.region)(
                empty=name.startswith("func"), several=True
            ).with_name(label)
            for label, is_variadic in parse_name_list(regions)
        ),
        *(
            (define.variadic_result if is_variadic else define.result)(VALUE).with_name(label)
            for label, is_variadic in parse_name_list(results)
        ),
    ]
    body |= {field_key(field.name): field for field in fields}
    cls = type(class_name(name), (VhloOp,), body)
    return op(f"vhlo.{name}", terminator=terminator, isolated=isolated)(cls)


def parse_name_list(names: str) -> list[tuple[str, bool]]:
    """The names in a comma separated list, and whether each is starred."""
    stripped = (name.strip() for name in names.split(","))
    return [(name.removesuffix("*"), name.endswith("*")) for name in stripped if name]


def field_key(name: str) -> str:
    """The Python name of a field: names that ``Operation`` uses itself get an underscore."""
    return f"{name}_" if hasattr(VhloOp, name) else name


def class_name(name: str) -> str:
    """The name of the class of an operation: ``AllGatherV1`` for ``all_gather_v1``."""
    return "".join(part.capitalize() for part in name.replace("-", "_").split("_"))
