"""Dataclasses whose methods are compiled when they are first called.

``dataclasses.dataclass`` compiles up to six methods for each class when it is defined, half a
millisecond: a third of what a process imports before its first result, for classes of which most
are never instantiated, and fewer compared. Here Python makes a method that depends on the fields
at its first call, and the others are shared by all classes.

Source: Python, dataclasses.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from copy import copy
from dataclasses import FrozenInstanceError, fields, make_dataclass
from dataclasses import dataclass as with_fields
from functools import partial
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
NOTHING: Final = {"init": False, "repr": False, "eq": False, "match_args": False}
# What Python's decorator is asked for, for one method.
REQUESTS: Final[Mapping[str, Mapping[str, bool]]] = {
    "__init__": {"init": True},
    "__eq__": {"eq": True},
    "__hash__": {"eq": True, "frozen": True},
}


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
        methods["__init__"] = defer_method(made, "__init__", frozen=frozen, slots=sets_defaults)
        methods["__signature__"] = SignatureOnDemand()
    if repr:
        methods["__repr__"] = representation
    if eq:
        methods["__eq__"] = defer_method(made, "__eq__")
    if frozen:
        methods |= FROZEN_AND_SLOTTED if slots else FROZEN
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    if eq and not has_hash:
        hashing = defer_method(made, "__hash__") if frozen else None
        setattr(made, "__hash__", hashing)  # noqa: B010
    return made


if not TYPE_CHECKING:
    dataclass = deferred_dataclass


def defer_method(cls: type, name: str, **options: bool) -> Method:
    """A method that has Python make the one which takes its place, and calls it."""
    mark = object()  # the closures would refer to themselves if they compared the method

    def settle() -> Method:
        function = method_of_python(name, cls, **options)
        function.__qualname__ = f"{cls.__qualname__}.{name}"
        function.__module__ = cls.__module__
        if getattr(cls.__dict__[name], "mark", None) is mark:
            setattr(cls, name, function)
        return function

    def method(*arguments: object, **keywords: object) -> object:
        return settle()(*arguments, **keywords)

    method.__name__, method.__qualname__ = name, f"{cls.__qualname__}.{name}"
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


def method_of_python(name: str, cls: type, **options: bool) -> FunctionType:
    """The method that Python's decorator makes for a class with the same fields."""
    items = [(item.name, item.type, copy(item)) for item in fields(cls)]
    namespace: dict[str, object] = {"__doc__": name}  # or Python makes one of the signature
    if hasattr(cls, "__post_init__"):
        namespace["__post_init__"] = None
    requests: dict[str, Any] = {**NOTHING, **options, **REQUESTS[name]}
    made = make_dataclass(cls.__name__, items, namespace=namespace, **requests)
    method: FunctionType = made.__dict__[name]
    return method


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
