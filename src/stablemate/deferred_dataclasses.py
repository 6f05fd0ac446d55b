"""Dataclasses whose initializers are compiled when they are first called.

``dataclasses.dataclass`` compiles up to six methods for each class when it is defined, half a
millisecond: a third of what a process imports before its first result, for classes of which most
are never instantiated, and fewer compared. Here the first call of a class compiles its initializer,
a tenth of a millisecond, and the other methods are closures or shared by all classes.

Source: Python, dataclasses.
"""

from __future__ import annotations

import inspect
from dataclasses import MISSING, FrozenInstanceError, fields
from dataclasses import dataclass as with_fields
from functools import partial
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from dataclasses import Field
    from dataclasses import dataclass as dataclass
    from types import FunctionType
    from typing import ClassVar, Protocol, TypeAlias

    Method: TypeAlias = Callable[..., object]

    class Instance(Protocol):
        """An instance of a dataclass."""

        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


T = TypeVar("T")


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
    methods: dict[str, object] = {}
    if init:
        sets_defaults = slots and any(not item.init for item in fields(made))
        methods["__init__"] = defer_initializer(made, frozen=frozen, slots=sets_defaults)
        methods["__signature__"] = SignatureOnDemand()
    if repr:
        methods["__repr__"] = representation
    if eq:
        methods["__eq__"] = equality_method([item.name for item in fields(made) if item.compare])
    if frozen:
        methods |= FROZEN_AND_SLOTTED if slots else FROZEN
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    if eq and not has_hash:
        hashed = [f.name for f in fields(made) if (f.compare if f.hash is None else f.hash)]
        setattr(made, "__hash__", hash_method(hashed) if frozen else None)  # noqa: B010
    return made


if not TYPE_CHECKING:
    dataclass = deferred_dataclass


def defer_initializer(cls: type, *, frozen: bool, slots: bool) -> Method:
    """An initializer that compiles the one which takes its place, and calls it."""
    mark = object()  # the closures would refer to themselves if they compared the method

    def settle() -> Method:
        function = compile_initializer(cls, frozen=frozen, slots=slots)
        if getattr(cls.__dict__["__init__"], "mark", None) is mark:
            setattr(cls, "__init__", function)  # noqa: B010
        return function

    def method(*arguments: object, **keywords: object) -> object:
        return settle()(*arguments, **keywords)

    method.__name__, method.__qualname__ = "__init__", f"{cls.__qualname__}.__init__"
    setattr(method, "settle", settle)  # noqa: B010
    setattr(method, "mark", mark)  # noqa: B010
    return method


class SignatureOnDemand:
    """The signature of a class, which ``inspect.signature`` asks for: that of its initializer."""

    def __get__(self, instance: object, owner: type) -> inspect.Signature:
        if instance is not None:
            raise AttributeError("__signature__")
        method: Method = inspect.getattr_static(owner, "__init__")
        signature = inspect.signature(getattr(method, "settle", lambda: method)())
        return signature.replace(parameters=list(signature.parameters.values())[1:])


class Factory:
    """The default of a parameter whose value a factory makes."""

    def __repr__(self) -> str:
        return "<factory>"


FACTORY: Final = Factory()


def compile_initializer(cls: type, *, frozen: bool, slots: bool) -> FunctionType:
    """The initializer of a class: parameters and values are those of Python's decorator.

    Args:
        cls: The class, whose fields are known.
        frozen: Whether assignments to its fields are refused.
        slots: Whether fields that are no parameters need their defaults set: without slots, the
            class has them.
    """
    names: dict[str, object] = {"FACTORY": FACTORY, "set_field": object.__setattr__}
    annotations: dict[str, object] = {}
    positional, keywords = ["self"], ["*"]
    body: list[str] = []
    for item in fields(cls):
        parameter = value = name = item.name
        if item.default_factory is not MISSING:
            names[f"factory_of_{name}"] = item.default_factory
            parameter = f"{name}=FACTORY"
            value = f"factory_of_{name}()"
            if item.init:
                value += f" if {name} is FACTORY else {name}"
        elif item.default is not MISSING:
            names[f"default_of_{name}"] = item.default
            parameter = f"{name}=default_of_{name}"
            value = name if item.init else f"default_of_{name}"
        if item.init:
            (keywords if item.kw_only else positional).append(parameter)
            annotations[name] = item.type
        elif item.default_factory is MISSING and (item.default is MISSING or not slots):
            continue
        body.append(f"set_field(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(positional + (keywords if len(keywords) > 1 else []))
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), names)
    function: Any = names["__init__"]
    function.__annotations__ = {**annotations, "return": None}
    function.__qualname__, function.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    initializer: FunctionType = function
    return initializer


def equality_method(names: Sequence[str]) -> Method:
    """The method that compares objects of one class by attributes, as tuples of them."""
    values_of: Callable[[object], object] = attrgetter(*names) if names else type
    is_tuple = len(names) != 1

    def __eq__(self: object, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        if self is other:
            return True
        mine, others = values_of(self), values_of(other)
        return mine == others if is_tuple else (mine,) == (others,)

    return __eq__


def hash_method(names: Sequence[str]) -> Method:
    """The method that hashes an object by attributes, as a tuple of them."""
    values_of: Callable[[object], object] = attrgetter(*names) if names else lambda _: ()
    is_tuple = len(names) != 1

    def __hash__(self: object) -> int:
        return hash(values_of(self) if is_tuple else (values_of(self),))

    return __hash__


# methods of all classes


@recursive_repr()
def representation(self: Instance) -> str:
    """The name of the class with the fields."""
    shown = [f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def is_frozen(value: Instance, name: str) -> bool:
    """Whether an attribute cannot be set: fields, and others unless a subclass has these."""
    return "__dataclass_fields__" in type(value).__dict__ or name in value.__dataclass_fields__


def refuse_assignment(self: Instance, name: str, value: object) -> None:
    """Sets no field.

    Raises:
        FrozenInstanceError: Somebody tries to.
    """
    if is_frozen(self, name):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def refuse_deletion(self: Instance, name: str) -> None:
    """Deletes no field.

    Raises:
        FrozenInstanceError: Somebody tries to.
    """
    if is_frozen(self, name):
        raise FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def state_of(self: Instance) -> list[object]:
    """The values of the fields, in their order, as ``copy`` and ``pickle`` take them."""
    return [getattr(self, item.name) for item in fields(self)]


def restore(self: Instance, state: Sequence[object]) -> None:
    """Sets the fields of a copy, which is not frozen yet."""
    for item, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)


FROZEN: Final = {"__setattr__": refuse_assignment, "__delattr__": refuse_deletion}
FROZEN_AND_SLOTTED: Final = FROZEN | {"__getstate__": state_of, "__setstate__": restore}
