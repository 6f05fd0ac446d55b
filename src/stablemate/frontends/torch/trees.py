"""Objects among the inputs and results of a model: their tensors become leaves of the tree.

PyTorch's trees know tuples, lists, dictionaries and classes that someone registers. Here these are
dataclasses, and objects whose attributes hold tensors, such as the caches of keys and values that
models of transformers return.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, Final, TypeAlias, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.torch.pytorch import is_module, pytree, register_dataclass

Path: TypeAlias = str  # of a tensor in an object: ``layers.0.keys``


class CycleError(Exception):
    """An object is a part of itself: it is no tree."""


class Hole:
    """The place of a tensor in the outline of an object."""


HOLE: Final = Hole()


@dataclass(frozen=True, slots=True)
class Outline:
    """A list, a dictionary or an object without its tensors.

    Attributes:
        kind: Its class.
        names: The keys of a dictionary, the names of attributes; empty for a sequence.
        parts: An outline, ``HOLE`` or a value that is no tensor for each of its parts.
    """

    kind: type[Any]
    names: tuple[object, ...]
    parts: tuple[object, ...]


def register_classes(tree: object) -> None:
    """Registers the classes of a tree that hold tensors, so that these are part of it."""
    trees = pytree()
    leaves: list[object] = trees.tree_leaves(tree)
    kinds: set[object] = {type(leaf) for leaf in leaves if holds_tensors(leaf)}
    for kind in kinds:
        if is_dataclass(kind):
            register_dataclass(kind)
        else:
            trees.register_pytree_node(
                kind, flatten, unflatten, flatten_with_keys_fn=flatten_with_keys
            )
    if kinds:
        register_classes(tree)  # fields may be others


def holds_tensors(leaf: Any) -> bool:
    """Whether a leaf is a dataclass, or an object with a tensor somewhere in its attributes."""
    if is_array(leaf) or isinstance(leaf, type) or is_module(leaf):
        return False
    try:
        return is_dataclass(type(cast(object, leaf))) or len(list(tensors_in(leaf))) > 0
    except CycleError:
        return False


def is_array(value: Any) -> bool:
    """Whether a value is a tensor, or an array in the place of one."""
    return hasattr(type(cast(object, value)), "__dlpack__")


def flatten(value: object) -> tuple[list[Any], Outline]:
    """The tensors of an object, and what is left without them."""
    return [tensor for _, tensor in tensors_in(value)], outline_of(value)


def flatten_with_keys(value: object) -> tuple[list[tuple[object, Any]], Outline]:
    """The same, with the path of each tensor."""
    key = pytree().MappingKey  # names of attributes have no dots
    return [(key(path), tensor) for path, tensor in tensors_in(value)], outline_of(value)


def unflatten(tensors: Any, outline: Outline) -> object:
    """The object of an outline with these tensors, or with whatever stands for them."""
    return fill(outline, iter(tensors))


def parts_of(value: object) -> tuple[tuple[object, ...], Sequence[object]] | None:
    """The names and the parts of a container or an object; None if it is a single value."""
    if isinstance(value, dict):
        mapping = cast("Mapping[Any, Any]", value)
        return tuple(mapping), tuple(mapping.values())
    if type(value) in (list, tuple):
        return (), tuple(cast("Sequence[Any]", value))
    attributes: Mapping[str, object] | None = getattr(value, "__dict__", None)
    if isinstance(value, type) or attributes is None:
        return None
    return tuple(attributes), tuple(attributes.values())


def tensors_in(
    value: object, path: Path = "", around: tuple[int, ...] = ()
) -> Iterator[tuple[Path, object]]:
    """The tensors in a value, with their paths, in the order of its parts.

    Args:
        value: The value.
        path: Its own path.
        around: What it is a part of.

    Raises:
        CycleError: It is a part of itself.
    """
    if is_array(value):
        yield path, value
        return
    if id(value) in around:
        raise CycleError
    names, parts = parts_of(value) or ((), ())
    for name, part in zip(names or range(len(parts)), parts, strict=True):
        yield from tensors_in(part, f"{path}.{name}" if path else str(name), (*around, id(value)))


def outline_of(value: Any) -> Any:
    """A value with a hole in the place of each tensor."""
    if is_array(value):
        return HOLE
    names, parts = parts_of(value) or ((), ())
    outlines = tuple(map(outline_of, parts))
    if not any(part is HOLE or isinstance(part, Outline) for part in outlines):
        return value
    kind: type[object] = type(cast(object, value))
    return Outline(kind, names, outlines)


def fill(outline: object, tensors: Iterator[object]) -> object:
    """The value of an outline; holes take the tensors in order."""
    if outline is HOLE:
        return next(tensors)
    if not isinstance(outline, Outline):
        return outline
    parts = [fill(part, tensors) for part in outline.parts]
    kind: Any = outline.kind
    if outline.kind in (list, tuple):
        return kind(parts)
    if issubclass(outline.kind, dict):
        return kind(zip(outline.names, parts, strict=True))
    value: Any = object.__new__(kind)
    value.__dict__.update(zip(outline.names, parts, strict=True))
    return value
