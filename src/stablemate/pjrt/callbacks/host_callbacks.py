"""Binds the calls of Python in a program to their functions.

A call says where its function is in the list of host callbacks that JAX keeps with a lowered
program. This is the same in every process, so that JAX finds the program in its persistent cache
(since 0.11; before, it keeps no such program there). While JAX compiles a program, its calls also
have the numbers of the functions; in a program that comes from the cache, they get those of the
functions for which JAX has looked it up.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from inspect import signature
from typing import Any, Final

from stablemate.api.module import Module
from stablemate.bridges import jax_internals
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.execution.custom_calls.call import TYPED_CONFIG, target_call
from stablemate.ir.attributes import DictionaryAttribute, IntegerAttribute
from stablemate.numerics.elements import UI64
from stablemate.pjrt.callbacks.python_callbacks import INDEX, NUMBER, TARGET, Callback

HOST_CALLBACKS: Final = "host_callbacks"
CALL: Final = "stablehlo.custom_call"


class Bound(threading.local):
    """The functions of the program that a thread compiles or reads from the persistent cache.

    Attributes:
        callbacks: The functions, in the order of JAX's list.
    """

    callbacks: Sequence[Callback] = ()


BOUND: Final = Bound()


@contextmanager
def bind_callbacks(callbacks: Sequence[Callback]) -> Generator[None]:
    """Binds programs to functions while a block runs in this thread."""
    before, BOUND.callbacks = BOUND.callbacks, callbacks
    try:
        yield
    finally:
        BOUND.callbacks = before


def bind_calls(module: Module) -> None:
    """Gives the calls of a program the numbers of the functions of this thread, if it has any."""
    if not BOUND.callbacks:
        return
    for operation in module.ir.operation.walk():
        if isinstance(operation, CustomCall) and operation.call_target_name == TARGET:
            call = target_call(operation, ())
            number = BOUND.callbacks[int(call.config[INDEX])].number
            entries = {**(call.dictionary or {}), NUMBER: IntegerAttribute(number, UI64)}
            inside = isinstance(operation.backend_config, DictionaryAttribute)
            holder = operation.attributes if inside else operation.discardable
            holder["backend_config" if inside else TYPED_CONFIG] = DictionaryAttribute(entries)


@contextmanager
def numbered_calls(module: Any, callbacks: Sequence[Callback]) -> Generator[None]:
    """Gives the calls of a module of jaxlib the numbers of functions while a block runs."""
    ir = jax_internals.ir()
    changed: list[tuple[Any, str, Any]] = []

    def bind(operation: Any) -> Any:
        attributes = operation.attributes
        if operation.name == CALL and ir.StringAttr(attributes["call_target_name"]).value == TARGET:
            name = TYPED_CONFIG if TYPED_CONFIG in attributes else "backend_config"
            config = ir.DictAttr(attributes[name])
            index: Any = ir.IntegerAttr(config[INDEX])
            number: Any = ir.IntegerAttr.get(index.type, callbacks[int(index.value)].number)
            changed.append((attributes, name, config))
            attributes[name] = ir.DictAttr.get({INDEX: index, NUMBER: number})
        return ir.WalkResult.ADVANCE

    with module.context:
        module.operation.walk(bind)
    try:
        yield
    finally:
        for attributes, name, config in changed:
            attributes[name] = config


def separate(callbacks: Sequence[object]) -> tuple[list[Callback], list[object]]:
    """The functions of programs of stablemate, and those of other clients."""
    own = [callback for callback in callbacks if isinstance(callback, Callback)]
    return own, [callback for callback in callbacks if not isinstance(callback, Callback)]


def number_calls(original: Callable[..., object]) -> Callable[..., object]:
    """``backend_compile_and_load``, which gives the calls their numbers."""
    parameters = signature(original)
    module = list(parameters.parameters)[1]

    def compile_numbered(*arguments: object, **options: object) -> object:
        given = parameters.bind(*arguments, **options)
        own, others = separate(given.arguments[HOST_CALLBACKS])
        own = own or list(BOUND.callbacks)
        if not own:
            return original(*arguments, **options)
        given.arguments[HOST_CALLBACKS] = others
        with numbered_calls(given.arguments[module], own):
            return original(*given.args, **given.kwargs)

    compile_numbered.__module__ = __name__
    return compile_numbered


def looking_up(original: Callable[..., object]) -> Callable[..., object]:
    """``compile_or_get_cached``, which binds what it reads to the functions."""
    parameters = signature(original)

    def look_up(*arguments: object, **options: object) -> object:
        given = parameters.bind(*arguments, **options)
        own, given.arguments[HOST_CALLBACKS] = separate(given.arguments[HOST_CALLBACKS])
        with bind_callbacks(own):
            return original(*given.args, **given.kwargs)

    return look_up


def install() -> None:
    """Replaces JAX's functions that compile programs and look them up, once."""
    compiler: Any = jax_internals.compiler()
    compile_ = compiler.backend_compile_and_load
    if compile_.__module__ == __name__:
        return
    compiler.backend_compile_and_load = number_calls(compile_)
    if HOST_CALLBACKS not in signature(compiler._cache_write).parameters:  # since JAX 0.11
        compiler.compile_or_get_cached = looking_up(compiler.compile_or_get_cached)
