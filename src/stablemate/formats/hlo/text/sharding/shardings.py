"""Reads and writes shardings.

Source: XLA, HLO text; ``OpSharding``.
"""

from __future__ import annotations

import re
from math import prod
from typing import Final, get_args

from stablemate.diagnostics.source import Source
from stablemate.formats.hlo.text.lexer.scanner import ATTRIBUTE, IDENTIFIER, SPACE, Scanner
from stablemate.formats.hlo.text.metadata import metadata_text, read_metadata
from stablemate.formats.hlo.text.sharding.meshes import (
    axes_text,
    axis_reader,
    axis_text,
    check_disjoint,
    mesh_text,
    read_axes,
    read_mesh,
)
from stablemate.formats.hlo.text.sharding.subgroups import normalize_sharding
from stablemate.formats.hlo.text.sharding.tile_assignments import (
    iota_text,
    read_iota,
    read_sizes,
    sizes_text,
)
from stablemate.xla.values import (
    HloAxisRef,
    HloDimensionSharding,
    HloDomain,
    HloMesh,
    HloNamedSharding,
    HloSharding,
    Metadata,
    ShardGroup,
    ShardingKind,
)

PART: Final = re.compile(rf"({IDENTIFIER}=?){SPACE}")
ANY_NAME: Final = re.compile(rf"{IDENTIFIER}={SPACE}")
WHOLE: Final[tuple[ShardingKind, ...]] = ("replicated", "manual", "unknown", "unreduced")
SUBGROUPS: Final[dict[str, ShardingKind]] = {
    get_argument: get_argument
    for get_argument in get_args(ShardingKind)
    if get_argument in ("replicated", "manual", "maximal", "unreduced")
}


def sharding_of_text(text: str) -> HloSharding:
    """Returns the sharding that a text holds.

    Raises:
        ParseError: It says something else.
    """
    scanner = Scanner(Source(text, "<sharding>"))
    sharding = read_sharding(scanner)
    if not scanner.at_end:
        scanner.reject_unexpected("the end of the sharding")
    return sharding


def read_sharding(scanner: Scanner) -> HloSharding:
    """Reads ``{...}``: one sharding, or one for each leaf of a tuple."""
    with scanner.nested():
        start = scanner.position
        scanner.expect("{")
        if scanner.at("{") or scanner.at("}"):
            elements = scanner.read_separated("}", lambda: read_sharding(scanner))
            if any(element.kind == "tuple" for element in elements):
                scanner.error("a tuple of shardings is flat", (start, start + 1))
            return HloSharding("tuple", elements=tuple(elements))
        return read_single(scanner, start)


def read_single(scanner: Scanner, start: int) -> HloSharding:
    """Reads the rest of a sharding that is not a tuple, after its brace."""
    if scanner.at_word("mesh"):
        return read_named(scanner)
    if scanner.accept_word("maximal_mesh"):
        return read_maximal_mesh(scanner)
    fields: dict[str, object] = {}
    while not scanner.accept("}"):
        read_field(scanner, fields)
    if "kind" not in fields:
        scanner.error("a sharding says how it shards", (start, start + 1))
    return check_sharding(scanner, HloSharding(**fields), start)  # type: ignore[arg-type]


def read_field(scanner: Scanner, fields: dict[str, object]) -> None:
    """Reads one word or assignment of a sharding."""
    place = scanner.here()
    word = scanner.take(PART, "a part of a sharding")
    if word in (*WHOLE, "maximal"):
        set_once(scanner, fields, "kind", word, place)
    elif word == "device=":
        fields["devices"] = (scanner.signed_integer(),)
    elif word == "devices=":
        set_once(scanner, fields, "kind", "tiled", place)
        read_assignment(scanner, fields)
    elif word == "last_tile_dim_replicate":
        fields["replicate_on_last_tile_dim"] = True
    elif word == "last_tile_dims=":
        fields["last_tile_dims"] = tuple(
            scanner.read_enclosed("{", "}", lambda: read_subgroup(scanner))
        )
    elif word in ("shard_as", "shard_like"):
        fields["group"] = ShardGroup(scanner.signed_integer(), word == "shard_like")
    elif word == "metadata=":
        fields["metadata"] = read_metadata_list(scanner)
    else:
        scanner.error(f"'{word.rstrip('=')}' is not a part of a sharding", place)


def set_once(
    scanner: Scanner, fields: dict[str, object], key: str, value: object, place: tuple[int, int]
) -> None:
    """Sets a field, and rejects a second value."""
    if key in fields:
        scanner.error("a sharding is of one kind", place)
    fields[key] = value


def read_assignment(scanner: Scanner, fields: dict[str, object]) -> None:
    """``[2,2]0,1,3,2`` or ``[4,2]<=[8]``."""
    start = scanner.position
    dimensions = read_sizes(scanner)
    fields["dimensions"] = dimensions
    if scanner.accept("<="):
        fields["iota"] = read_iota(scanner, dimensions, start)
        return
    devices = [scanner.signed_integer("the number of a device")]
    while scanner.at(","):
        position = scanner.position
        scanner.accept(",")
        if not scanner.text[scanner.position : scanner.position + 1].isdigit():
            scanner.jump(position)
            break
        devices.append(scanner.signed_integer("the number of a device"))
    if prod(dimensions) != len(devices):
        message = f"{prod(dimensions)} tiles need as many devices, not {len(devices)}"
        scanner.error(message, (start, scanner.position))
    fields["devices"] = tuple(devices)


def read_subgroup(scanner: Scanner) -> ShardingKind:
    """Reads the kind of one of the last dimensions of an assignment."""
    place = scanner.here()
    word = scanner.word("the kind of a subgroup")
    if word not in SUBGROUPS:
        scanner.error(f"'{word}' is not one of {', '.join(SUBGROUPS)}", place)
    return SUBGROUPS[word]


def read_metadata_list(scanner: Scanner) -> tuple[Metadata, ...]:
    """``{op_name="x"}`` or ``{{...}, {...}}``."""
    position = scanner.position
    scanner.expect("{")
    if scanner.at("{"):
        return tuple(scanner.read_separated("}", lambda: read_metadata(scanner)))
    scanner.jump(position)
    return (read_metadata(scanner),)


def check_sharding(scanner: Scanner, sharding: HloSharding, start: int) -> HloSharding:
    """Rejects inconsistent fields; returns a tiled sharding in canonical form."""
    place = (start, start + 1)
    if sharding.kind == "maximal" and len(sharding.devices) != 1:
        scanner.error("a maximal sharding has one device", place)
    if sharding.kind in WHOLE and sharding.devices:
        scanner.error(f"a sharding that is {sharding.kind} names no device", place)
    if sharding.kind == "tiled" and not sharding.dimensions:
        scanner.error("a tile assignment has dimensions", place)
    if sharding.kind == "tiled" and len(sharding.devices) == 1:
        scanner.error("a list of devices names at least two", place)
    return normalize_sharding(sharding) if sharding.kind == "tiled" else sharding


# ---- with named axes


def read_named(scanner: Scanner) -> HloSharding:
    """``mesh['x'=2], [{'x'}, {?}], replicated={'y'}}``.

    XLA takes no comma behind the mesh, or two, and any name in the place of ``device_ids=``.
    """
    start = scanner.position
    mesh = read_mesh(scanner)
    if scanner.accept(",") and (match := ANY_NAME.match(scanner.text, scanner.position)):
        scanner.jump(match.end())
    scanner.accept(",")
    fields: dict[str, object] = {}
    metadata: tuple[Metadata, ...] = ()
    if scanner.at("["):
        dimensions = scanner.read_enclosed("[", "]", lambda: read_dimension(scanner, mesh))
        fields["dimensions"] = tuple(dimensions)
    else:
        place = scanner.here()
        word = scanner.word("'[' and dimensions, or 'replicated'")
        if word not in ("replicated", "manual", "unreduced"):
            scanner.error(f"'{word}' is not one of replicated, manual, unreduced", place)
        fields["whole"] = word
    while scanner.accept(","):
        place = scanner.here()
        match = ANY_NAME.match(scanner.text, scanner.position)
        if match is None:
            scanner.reject_unexpected("'replicated=', 'unreduced=', 'manual=' or 'metadata='")
        scanner.jump(match.end())
        word = match[0].removesuffix("=")
        if word == "metadata":
            metadata = read_metadata_list(scanner)
        elif word in ("replicated", "unreduced", "manual"):
            fields[word] = read_axes(scanner, mesh)
        else:
            scanner.error(f"'{word}' is not a part of a sharding with named axes", place)
    scanner.expect("}")
    named = with_word(HloNamedSharding(mesh, **fields))  # type: ignore[arg-type]
    axes = [axis for dimension in named.dimensions for axis in dimension.axes]
    axes += [*named.replicated, *named.unreduced, *named.manual]
    check_disjoint(scanner, axes, mesh, (start, scanner.position))
    return HloSharding("tiled", named=named, metadata=metadata)


def with_word(named: HloNamedSharding) -> HloNamedSharding:
    """Returns a sharding without dimensions by its word: all axes of the mesh are of one kind."""
    if named.whole or named.dimensions:
        return named
    every = tuple(HloAxisRef(number) for number in range(len(named.mesh.axes)))
    kinds = (named.replicated, named.unreduced, named.manual)
    if not any(kinds):
        return HloNamedSharding(named.mesh, whole="replicated")
    if kinds == ((), every, ()):
        return HloNamedSharding(named.mesh, whole="unreduced")
    if kinds == ((), (), every):
        return HloNamedSharding(named.mesh, whole="manual")
    return named


def read_dimension(scanner: Scanner, mesh: HloMesh) -> HloDimensionSharding:
    """``{'x', ?}``."""
    axes: list[HloAxisRef] = []
    read = axis_reader(scanner, mesh)
    scanner.expect("{")
    while not scanner.accept("}"):
        if axes:
            scanner.expect(",")
        if scanner.accept("?"):
            scanner.expect("}")
            return HloDimensionSharding(tuple(axes), closed=False)
        axes.append(read())
    return HloDimensionSharding(tuple(axes))


def read_maximal_mesh(scanner: Scanner) -> HloSharding:
    """``[device_id=3]}`` after ``{maximal_mesh``."""
    scanner.expect("[")
    scanner.expect("device_id=")
    device = scanner.signed_integer()
    scanner.expect("]")
    metadata: tuple[Metadata, ...] = ()
    if scanner.accept(","):
        scanner.expect("metadata=")
        metadata = read_metadata_list(scanner)
    scanner.expect("}")
    named = HloNamedSharding(HloMesh((), (device,)), whole="maximal")
    return HloSharding("tiled", named=named, metadata=metadata)


def read_domain(scanner: Scanner) -> HloDomain:
    """``{kind="sharding", entry={...}, exit={...}}``, in any order."""
    start = scanner.position
    scanner.expect("{")
    sides: dict[str, HloSharding] = {}
    kind = ""
    while not scanner.at("}"):
        scanner.accept(",")
        place = scanner.here()
        name = scanner.take(ATTRIBUTE, "'kind=', 'entry=' or 'exit='")
        if name in sides or (kind and name == "kind"):
            scanner.error(f"'{name}' occurs twice", place)
        if name == "kind":
            kind = scanner.string()
            if kind != "sharding":
                scanner.error('the kind of a domain is "sharding"', place)
        elif name in ("entry", "exit"):
            sides[name] = read_sharding(scanner)
        else:
            scanner.error(f"'{name}' is not one of kind, entry, exit", place)
    scanner.expect("}")
    if not kind or len(sides) < 2:
        scanner.error("a domain has 'kind', 'entry' and 'exit'", (start, start + 1))
    return HloDomain(kind, **sides)


# ---- written


def sharding_text(sharding: HloSharding, *, with_metadata: bool = True) -> str:
    """Formats a sharding and, for a tuple, those of its elements."""
    if sharding.kind == "tuple":
        parts = (
            sharding_text(element, with_metadata=with_metadata) for element in sharding.elements
        )
        return f"{{{', '.join(parts)}}}"
    tail = metadata_tail(sharding) if with_metadata else ""
    if sharding.named is not None:
        texts = (f"{{{metadata_text(metadata)}}}" for metadata in sharding.metadata)
        tail = f", metadata={{{', '.join(texts)}}}" if tail else ""
        return f"{{{named_text(sharding.named)}{tail}}}"
    group = ""
    if sharding.group is not None:
        word = "shard_like" if sharding.group.like else "shard_as"
        group = f" {word} {sharding.group.id}"
    if sharding.kind == "maximal":
        return f"{{maximal device={sharding.devices[0]}{group}{tail}}}"
    if sharding.kind != "tiled":
        return f"{{{sharding.kind}{group}{tail}}}"
    if sharding.iota is not None:
        assigned = f"<={iota_text(sharding.iota)}"
    else:
        assigned = ",".join(map(str, sharding.devices))
    last = " last_tile_dim_replicate" if sharding.replicate_on_last_tile_dim else ""
    if sharding.last_tile_dims:
        last = f" last_tile_dims={{{', '.join(sharding.last_tile_dims)}}}"
    return f"{{devices={sizes_text(sharding.dimensions)}{assigned}{last}{group}{tail}}}"


def metadata_tail(sharding: HloSharding) -> str:
    """Prints the metadata of a sharding, after a space."""
    if not sharding.metadata:
        return ""
    texts = [f"{{{metadata_text(metadata)}}}" for metadata in sharding.metadata]
    return f" metadata={texts[0] if len(texts) == 1 else '{' + ', '.join(texts) + '}'}"


def named_text(named: HloNamedSharding) -> str:
    """Prints a sharding with named axes, without braces."""
    if named.whole == "maximal":
        return f"maximal_mesh[device_id={named.mesh.device_ids[0]}]"
    parts = [mesh_text(named.mesh)]
    if named.whole:
        parts.append(named.whole)
    else:
        dimensions = (dimension_text(dimension, named.mesh) for dimension in named.dimensions)
        parts.append(f"[{', '.join(dimensions)}]")
    for word in ("replicated", "unreduced", "manual"):
        if axes := getattr(named, word):
            parts.append(f"{word}={axes_text(axes, named.mesh, ', ')}")
    return ", ".join(parts)


def dimension_text(dimension: HloDimensionSharding, mesh: HloMesh) -> str:
    """``{'x', ?}``."""
    axes = [axis_text(axis, mesh) for axis in dimension.axes]
    return f"{{{', '.join([*axes, *['?'] * (not dimension.closed)])}}}"


def domain_text(domain: HloDomain) -> str:
    """Formats the shardings at a domain's entry and exit."""
    entry, leaving = sharding_text(domain.entry), sharding_text(domain.exit)
    return f'{{kind="{domain.kind}", entry={entry}, exit={leaving}}}'
