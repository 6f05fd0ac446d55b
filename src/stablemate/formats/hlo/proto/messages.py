"""Message classes, created at run time from the table of fields.

Source: Protocol Buffers, descriptors.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, TypeAlias

from stablemate.formats.hlo.proto.fields import MESSAGES, MessageField

Proto: TypeAlias = Any  # a message: its fields are attributes that no type checker knows

PACKAGE: Final = "xla"
# ``FieldDescriptorProto.Type``
SCALARS: Final = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "uint32": 13,
    "enum": 5,  # on the wire the same: numbers that have no word are kept
}
MESSAGE: Final = 11
SINGULAR: Final = 1
REPEATED: Final = 3


class MessageError(Exception):
    """An error in a message; the reader turns it into a ParseError with the place."""


@cache
def message_class(name: str) -> Any:
    """Returns the class of a message, by its name in the table."""
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(
        message_pool().FindMessageTypeByName(f"{PACKAGE}.{name}")
    )


@cache
def message_pool() -> Any:
    """Returns the descriptors of all messages."""
    from google.protobuf import descriptor_pb2, descriptor_pool

    file = descriptor_pb2.FileDescriptorProto(
        name="stablemate/hlo.proto", package=PACKAGE, syntax="proto3"
    )
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field in fields:
            add_field(message, name, field)
    descriptors = descriptor_pool.DescriptorPool()
    descriptors.Add(file)
    return descriptors


def add_field(message: Proto, name: str, field: MessageField) -> None:
    """Adds a field to the descriptor of a message."""
    added = message.field.add(
        name=field.name,
        number=field.number,
        label=REPEATED if field.repeated or field.key else SINGULAR,
    )
    if field.key:
        add_map(message, f"{PACKAGE}.{name}", added, field)
        return
    set_type(added, field.type)
    if field.optional:
        added.proto3_optional = True
        added.oneof_index = len(message.oneof_decl)
        message.oneof_decl.add(name=f"_{field.name}")


def add_map(message: Proto, owner: str, added: Proto, field: MessageField) -> None:
    """Makes a field a map: a repeated message of a key and its value."""
    entry = "".join(part.capitalize() for part in field.name.split("_")) + "Entry"
    pair = message.nested_type.add(name=entry)
    pair.options.map_entry = True
    for number, name, what in ((1, "key", field.key), (2, "value", field.type)):
        set_type(pair.field.add(name=name, number=number, label=SINGULAR), what)
    added.type = MESSAGE
    added.type_name = f".{owner}.{entry}"


def set_type(added: Proto, name: str) -> None:
    """Sets the type of a field: a scalar or a message."""
    added.type = SCALARS.get(name, MESSAGE)
    if name not in SCALARS:
        added.type_name = f".{PACKAGE}.{name}"
