"""Trees of arguments and results: tuples, lists, dictionaries and types registered with JAX.

A tree is flattened from left to right, a dictionary in the order of the stored keys. ``None`` is a
node without leaves.

Source: JAX, pytrees.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError

Kind: TypeAlias = Literal["leaf", "none", "tuple", "list", "dict", "custom"]
KINDS: Final[tuple[Kind, ...]] = ("leaf", "none", "tuple", "list", "dict", "custom")


@dataclass(frozen=True, slots=True)
class Tree:
    """The structure of a tree, without its leaves.

    Attributes:
        kind: What kind of node it is.
        children: What it consists of.
        keys: The keys of a dictionary.
        custom_name: The name under which the type of a custom node was registered.
        custom_data: What the type stored beside the children; None if it stored nothing.
    """

    kind: Kind
    children: tuple[Tree, ...] = ()
    keys: tuple[str, ...] = ()
    custom_name: str | None = None
    custom_data: bytes | None = None

    @property
    def leaves(self) -> int:
        """Counts the leaves below this node."""
        return 1 if self.kind == "leaf" else sum(child.leaves for child in self.children)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the children of a named tuple, from its data; empty for other nodes."""
        try:
            document: object = json.loads(self.custom_data or b"null")
        except ValueError:
            return ()
        names = cast(list[object], document) if isinstance(document, list) else []
        return tuple(map(str, names)) if len(names) == len(self.children) else ()

    def steps(self) -> Iterator[tuple[str, Tree]]:
        """Yields each child with the Python expression that reaches it from the node."""
        fields = self.fields
        for i, child in enumerate(self.children):
            if self.kind == "dict":
                yield f"[{self.keys[i]!r}]", child
            elif fields:
                yield f".{fields[i]}", child
            else:
                yield f"[{i}]", child

    def paths(self, root: str) -> list[str]:
        """Returns the path to each leaf, such as ``args[0]['w']``, from a root with this name."""
        if self.kind == "leaf":
            return [root]
        return [path for step, child in self.steps() for path in child.paths(root + step)]

    def flatten(self, value: object, path: str) -> list[object]:
        """Returns the leaves of a value of this structure.

        Args:
            value: Tuples, lists and dictionaries as the tree has them. A custom node is a sequence
                of its children, or has them as attributes if it is a named tuple.
            path: The name of the value in messages.

        Raises:
            ArgumentTypeError: It has another structure.
            ArgumentValueError: A dictionary has other keys, a sequence another length.
        """
        if self.kind == "leaf":
            return [value]
        children = self.children_of(value, path)
        steps = zip(self.steps(), children, strict=True)
        return [leaf for (step, child), part in steps for leaf in child.flatten(part, path + step)]

    def children_of(self, value: object, path: str) -> Sequence[object]:
        """Returns the children of a value that is such a node."""
        if self.kind == "none":
            if value is not None:
                raise ArgumentTypeError(f"{path} is None, not {type_name(value)}")
            return ()
        if self.kind == "dict":
            return self.values_of(value, path)
        expected = {"tuple": tuple, "list": list}.get(self.kind, (tuple, list))
        if not isinstance(value, expected):
            raise ArgumentTypeError(f"{path} is {self}, not {type_name(value)}")
        children = cast(Sequence[object], value)
        if len(children) != len(self.children):
            raise ArgumentValueError(f"{path} is {self}, but has {len(children)} elements")
        return children

    def values_of(self, value: object, path: str) -> Sequence[object]:
        """Returns the values of a dictionary, in the order of the tree."""
        if not isinstance(value, Mapping):
            raise ArgumentTypeError(f"{path} is {self}, not {type_name(value)}")
        mapping = cast(Mapping[str, object], value)
        missing = [key for key in self.keys if key not in mapping]
        unknown = [key for key in mapping if key not in self.keys]
        if missing or unknown:
            problem = f"{missing[0]!r} is missing" if missing else f"{unknown[0]!r} is given too"
            raise ArgumentValueError(f"{path} must have {keys_text(self.keys)}, but {problem}")
        return [mapping[key] for key in self.keys]

    def unflatten(self, leaves: Iterator[object]) -> object:
        """Builds the value of this structure from its leaves; custom nodes become tuples."""
        match self.kind:
            case "leaf":
                return next(leaves)
            case "none":
                return None
            case "dict":
                children = [child.unflatten(leaves) for child in self.children]
                return dict(zip(self.keys, children, strict=True))
            case "list":
                return [child.unflatten(leaves) for child in self.children]
            case _:
                return tuple([child.unflatten(leaves) for child in self.children])

    def __str__(self) -> str:
        """Spells the tree as Python would, with a star for each leaf."""
        inner = ", ".join(map(str, self.children))
        match self.kind:
            case "leaf":
                return "*"
            case "none":
                return "None"
            case "dict":
                pairs = zip(self.keys, self.children, strict=True)
                return "{" + ", ".join(f"{key!r}: {child}" for key, child in pairs) + "}"
            case "list":
                return f"[{inner}]"
            case "tuple":
                return f"({inner},)" if len(self.children) == 1 else f"({inner})"
            case "custom":
                return f"{self.custom_name}({inner})"


def keys_text(keys: Sequence[str]) -> str:
    """Names the keys of a dictionary, for messages."""
    names = ", ".join(map(repr, keys))
    return f"the key{'s' if len(keys) > 1 else ''} {names}" if keys else "no keys"


def type_name(value: object) -> str:
    """Names the type of a value, for messages."""
    return "None" if value is None else f"a {type(value).__name__}"
