"""Dataclasses whose methods are compiled when they are first called.

``dataclasses.dataclass`` compiles up to six methods for each class when it is defined, half a
millisecond: a third of what a process imports before its first result, for classes of which most
are never instantiated, and fewer compared. Here a method that depends on the fields is compiled
from the same text at its first call, and the others are shared by all classes.

Source: Python, dataclasses.
"""

from __future__ import annotations

import inspect
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from dataclasses import dataclass as with_fields
from functools import partial
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from dataclasses import dataclass as dataclass

T = TypeVar("T")


class Unset:
    """The argument of a field whose default is made by a factory."""

    def __repr__(self) -> str:
        return "<factory>"


UNSET: Final = Unset()


def deferred_dataclass(
    cls: type[T] | None = None, /, *, init: bool = True, repr: bool = True, eq: bool = True,
    frozen: bool = False, kw_only: bool = False, slots: bool = False,
) -> Any:  # fmt: skip
    """A decorator like ``dataclasses.dataclass``; the parameters mean the same.

    Methods that the class defines stay. As there, a frozen class that compares has a hash, another
    one that compares has none.
    """
    if cls is None:
        return partial(
            deferred_dataclass, init=init, repr=repr, eq=eq, frozen=frozen, kw_only=kw_only,
            slots=slots,
        )  # fmt: skip
    base: Any = getattr(cls, "__dataclass_params__", None)
    made: Any = with_fields(
        cls, init=False, repr=False, eq=False, kw_only=kw_only, slots=slots,
        frozen=frozen and base is not None and base.frozen,
    )  # fmt: skip
    made.__dataclass_params__.frozen = frozen  # what is derived from it is asked for the same
    own = made.__dict__
    has_hash = own.get("__hash__") is not None or ("__hash__" in own and "__eq__" not in own)
    methods: dict[str, Any] = {}
    if init:
        methods["__init__"] = deferred(made, "__init__", partial(initializer, frozen, slots))
        methods["__signature__"] = SignatureOnDemand()
    if repr:
        methods["__repr__"] = representation
    if eq:
        methods["__eq__"] = deferred(made, "__eq__", comparison)
    if frozen:
        methods |= FROZEN_AND_SLOTTED if slots else FROZEN
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    if eq and not has_hash:
        hashing = deferred(made, "__hash__", hash_function) if frozen else None
        setattr(made, "__hash__", hashing)  # noqa: B010
    return made


if not TYPE_CHECKING:
    dataclass = deferred_dataclass


def deferred(cls: type, name: str, compiled: Callable[[type], Callable[..., Any]]) -> Any:
    """A method that compiles the one which takes its place, and calls it."""

    def method(*arguments: Any, **keywords: Any) -> Any:
        return settled()(*arguments, **keywords)

    def settled() -> Callable[..., Any]:
        function = compiled(cls)
        function.__qualname__ = f"{cls.__qualname__}.{name}"
        function.__module__ = cls.__module__
        if cls.__dict__[name] is method:
            setattr(cls, name, function)
        return function

    method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
    setattr(method, "settled", settled)  # noqa: B010
    return method


class SignatureOnDemand:
    """The signature of a class, which ``inspect.signature`` asks for: that of its initializer."""

    def __get__(self, instance: object, owner: type) -> inspect.Signature:
        if instance is not None:
            raise AttributeError("__signature__")
        method: Any = inspect.getattr_static(owner, "__init__")
        signature = inspect.signature(getattr(method, "settled", lambda: method)())
        return signature.replace(parameters=list(signature.parameters.values())[1:])


def compiled(name: str, parameters: str, lines: Sequence[str], names: Mapping[str, Any]) -> Any:
    """A function of this text."""
    namespace = dict(names)
    exec("\n ".join([f"def {name}({parameters}):", *(lines or ["pass"])]), namespace)
    return namespace[name]


def initializer(frozen: bool, slots: bool, cls: type) -> Any:
    """The method that sets the fields to its arguments, and calls ``__post_init__``."""
    names: dict[str, Any] = {"UNSET": UNSET, "assign": object.__setattr__}
    positional: list[str] = ["self"]
    keywords: list[str] = []
    lines: list[str] = []
    for item in fields(cls):
        names |= {f"default_{item.name}": item.default, f"make_{item.name}": item.default_factory}
        if item.init:
            (keywords if item.kw_only else positional).append(parameter(item))
        value = value_text(item, slots)
        if value:
            lines.append(
                f"assign(self, {item.name!r}, {value})" if frozen else f"self.{item.name} = {value}"
            )
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = [*positional, *(["*", *keywords] if keywords else [])]
    function = compiled("__init__", ", ".join(parameters), lines, names)
    function.__annotations__ = {item.name: item.type for item in fields(cls) if item.init}
    function.__annotations__["return"] = None
    return function


def parameter(item: Field[Any]) -> str:
    """The parameter of a field."""
    if item.default is not MISSING:
        return f"{item.name}=default_{item.name}"
    return item.name if item.default_factory is MISSING else f"{item.name}=UNSET"


def value_text(item: Field[Any], slots: bool) -> str:
    """What a field is set to; empty if the class holds its value, or nothing does."""
    made = f"make_{item.name}()"
    if item.init:
        has_factory = item.default_factory is not MISSING
        return f"{made} if {item.name} is UNSET else {item.name}" if has_factory else item.name
    if item.default_factory is not MISSING:
        return made
    return f"default_{item.name}" if slots and item.default is not MISSING else ""


def tuple_text(owner: str, items: Sequence[Field[Any]]) -> str:
    """The tuple of fields of an object."""
    return f"({''.join(f'{owner}.{item.name}, ' for item in items)})"


def comparison(cls: type) -> Any:
    """The method that compares the fields of objects of one class."""
    compares = [item for item in fields(cls) if item.compare]
    lines = [
        "if other.__class__ is not self.__class__: return NotImplemented",
        f"return {tuple_text('self', compares)} == {tuple_text('other', compares)}",
    ]
    return compiled("__eq__", "self, other", lines, {})


def hash_function(cls: type) -> Any:
    """The method that hashes the fields that are compared."""
    hashes = [item for item in fields(cls) if (item.compare if item.hash is None else item.hash)]
    return compiled("__hash__", "self", [f"return hash({tuple_text('self', hashes)})"], {})


# methods of all classes


@recursive_repr()
def representation(self: Any) -> str:
    """The name of the class with the fields."""
    shown = [f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def is_frozen(value: Any, name: str) -> bool:
    """Whether an attribute cannot be set: fields, and others unless a subclass has these."""
    return "__dataclass_fields__" in type(value).__dict__ or name in value.__dataclass_fields__


def refuse_assignment(self: Any, name: str, value: object) -> None:
    """Sets no field.

    Raises:
        FrozenInstanceError: Somebody tries to.
    """
    if is_frozen(self, name):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def refuse_deletion(self: Any, name: str) -> None:
    """Deletes no field.

    Raises:
        FrozenInstanceError: Somebody tries to.
    """
    if is_frozen(self, name):
        raise FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def state_of(self: Any) -> list[Any]:
    """The fields, for copies."""
    return [getattr(self, item.name) for item in fields(self)]


def restore(self: Any, state: Sequence[Any]) -> None:
    """Sets the fields of a copy, which is not frozen yet."""
    for item, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)


FROZEN: Final = {"__setattr__": refuse_assignment, "__delattr__": refuse_deletion}
FROZEN_AND_SLOTTED: Final = FROZEN | {"__getstate__": state_of, "__setstate__": restore}
