"""Dataclasses whose methods are compiled at their first call are those of Python otherwise."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Final

import pytest

import stablemate
from stablemate.deferred_dataclasses import dataclass as deferred_dataclass

OPTIONS: Final[dict[str, dict[str, bool]]] = {
    "plain": {},
    "slots": {"slots": True},
    "frozen": {"frozen": True},
    "frozen and slots": {"frozen": True, "slots": True},
    "identity": {"eq": False},
    "frozen identity": {"frozen": True, "eq": False, "slots": True},
    "keywords": {"kw_only": True, "frozen": True},
    "without initializer": {"init": False, "repr": False, "slots": True, "frozen": True},
}
Decorator = Callable[..., Any]


def family(decorator: Decorator, options: dict[str, bool]) -> list[Any]:
    """A class, one derived from it, and one with methods of its own."""

    class Point:
        """A point."""

        x: int
        y: float = 0.5
        names: list[str] = field(default_factory=list)
        hidden: int = field(default=3, repr=False, compare=False)
        fixed: int = field(default=4, init=False)
        made: tuple[int, ...] = field(default_factory=tuple, init=False, hash=False)
        last: str = field(default="z", kw_only=True)

    base = decorator(**options)(Point)

    solid: Any = type(
        "Solid", (base,), {"__annotations__": {"z": "int"}, "z": 7, "__module__": __name__}
    )

    class Own:
        """A class with methods of its own."""

        x: int = 1

        def __post_init__(self) -> None:
            LOG.append(self.x)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, type(self))

        def __repr__(self) -> str:
            return "own"

    return [base, decorator(**options)(solid), decorator(**options)(Own)]


def hash_of(value: object) -> object:
    """The hash, unless it is the identity."""
    return "identity" if hash(value) == object.__hash__(value) else hash(value)


LOG: list[int] = []
CALLS: Final[dict[str, Callable[[Any], Any]]] = {
    "positional": lambda cls: cls(1, 2.0),
    "keywords": lambda cls: cls(x=1, y=2.0, hidden=9),
    "none": lambda cls: cls(),
    "too many": lambda cls: cls(1, 2, 3, 4, 5, 6, 7, 8),
    "unknown": lambda cls: cls(1, unknown=2),
    "equal": lambda cls: (cls(x=1) == cls(x=1), cls(x=1) == cls(x=2), cls(x=1) == 1),
    "hidden": lambda cls: cls(x=1, hidden=1) == cls(x=1, hidden=2),
    "hash": lambda cls: len({hash(value) for value in [cls(x=1), cls(x=1)]}),
    "hash of numbers": lambda cls: hash_of(cls(x=1, names=())),
    "text": lambda cls: repr(cls(x=1)),
    "fixed": lambda cls: (cls(x=1).fixed, cls(x=1).made, cls(x=1).last),
    "replaced": lambda cls: repr(replace(cls(x=1), x=5)),
    "set": lambda cls: setattr(cls(x=1), "x", 2),
    "deleted": lambda cls: delattr(cls(x=1), "x"),
    "added": lambda cls: setattr(cls(x=1), "more", 2),
    "copied": lambda cls: repr(copy.copy(cls(x=1))),
    "signature": inspect.signature,
    "fields": lambda cls: [(f.name, f.type, f.init) for f in dataclasses.fields(cls)],
    "matched": lambda cls: cls.__match_args__,
    "dictionary": lambda cls: dataclasses.asdict(cls(x=1)),
    "slots": lambda cls: hasattr(cls(x=1), "__dict__"),
}


def outcome(call: Callable[[Any], Any], cls: Any) -> object:
    """What a call returns, or that it raises an error.

    Python's frozen classes with slots raise a TypeError for what is no field, by a fault of theirs.
    """
    try:
        result = call(cls)
    except (TypeError, dataclasses.FrozenInstanceError):
        return "refused"
    except AttributeError:
        return "no attribute"
    return result if isinstance(result, int | str | tuple | list) else str(result)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_classes_behave_like_those_of_python(
    options: dict[str, bool], call: Callable[[Any], Any]
) -> None:
    """Each call comes first, when no method is compiled, and again."""
    expected = family(dataclasses.dataclass, options)
    for ours, theirs in zip(family(deferred_dataclass, options), expected, strict=True):
        for _ in range(2):
            first = outcome(call, ours)
            assert re.sub("0x[0-9a-f]+", "", str(first)) == re.sub(
                "0x[0-9a-f]+", "", str(outcome(call, theirs))
            )


def test_a_post_initializer_is_called_once() -> None:
    """With the fields set."""
    *_, own = family(deferred_dataclass, {"frozen": True})
    LOG.clear()
    own(5)
    assert LOG == [5]


@deferred_dataclass(frozen=True, slots=True)
class Pickled:
    """A class that a pickle finds."""

    x: int
    names: tuple[str, ...] = ()


def test_frozen_objects_are_pickled() -> None:
    """Pickle sets no attribute of theirs by assignment."""
    value = Pickled(1, ("a",))
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value


def test_a_class_of_python_derives_from_one_that_is_frozen() -> None:
    """And must be frozen itself."""

    @dataclasses.dataclass(frozen=True)
    class Derived(Pickled):
        """A class of a user."""

        more: int = 3

    assert Derived(1) == Derived(1, (), 3)
    with pytest.raises(TypeError, match="non-frozen"):
        dataclasses.dataclass(type("Open", (Pickled,), {}))


def test_methods_are_compiled_when_they_are_called() -> None:
    """The class has them from then on."""

    @deferred_dataclass(frozen=True)
    class Late:
        """A class."""

        x: int

    before: Any = Late.__init__
    before_equal: Any = Late.__eq__
    value = Late(1)
    assert Late.__init__ is not before
    assert Late.__eq__ is before_equal
    before(value, 2)  # whoever holds the former one calls the latter
    assert value.x == 2


def test_the_package_defines_its_dataclasses_so() -> None:
    """Python's decorator compiles six methods for each of 600 classes at every import."""
    found = subprocess.run(
        [sys.executable, "-c", PROBE, str(Path(stablemate.__file__).parents[1])],
        check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    assert found == []


PROBE: Final = """
import dataclasses, sys
original = dataclasses.dataclass
def watched(cls=None, /, **options):
    def decorate(cls):
        module = cls.__module__  # from Python 3.12 on, the deferred methods' classes have one, too
        is_ours = module.startswith("stablemate") and module != "stablemate.deferred_dataclasses"
        if options.get("init", True) and is_ours:
            print(module)
        return original(cls, **options)
    return decorate if cls is None else decorate(cls)
dataclasses.dataclass = watched
import stablemate as sm
from stablemate.compiler import pipeline
"""
