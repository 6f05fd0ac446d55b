"""Compiles LLVM text that was written by hand, with LLVM's usual passes or the first of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from stablemate.compiler.codegen.object_code import llvm_module
from stablemate.compiler.config.disk_cache import cache, key_of
from stablemate.compiler.config.target import Target, compiler_version


def optimized_object(source: str, target: Target) -> bytes:
    """The object of LLVM text after the usual passes; it is kept in the disk cache."""
    return object_after("optimized", usual_passes, source, target)


def register_object(source: str, target: Target) -> bytes:
    """The object of LLVM text whose variables have become registers; it is kept in the disk cache.

    Functions that are marked ``alwaysinline`` are inlined.

    Text whose loops and vectors are written as they are to run needs no more passes: those would
    take five times as long as to write the instructions.
    """
    return object_after("registers", variables_to_registers, source, target)


def object_after(name: str, run: Callable[[Any, Any], None], source: str, target: Target) -> bytes:
    """The object of LLVM text after some passes."""
    key = key_of(name, source, f"{target} {compiler_version()}")
    content = cache().get(key)
    if content is None:
        machine = target.machine()
        with llvm_module(source, target) as module:
            run(machine, module)
            content = bytes(machine.emit_object(module))
        cache().put(key, content)
    return content


def usual_passes(machine: object, module: object) -> None:
    """Runs the passes of a compiler's second level."""
    builder = pass_builder(machine)
    builder.getModulePassManager().run(module, builder)


def variables_to_registers(machine: object, module: object) -> None:
    """Runs the passes that inline what is marked so and make values of variables."""
    passes = llvm_binding().create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.run(module, pass_builder(machine))


def pass_builder(machine: object) -> Any:
    """LLVM's passes for a machine."""
    llvm = llvm_binding()
    return llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))


def llvm_binding() -> Any:
    """LLVM; its functions have no types."""
    return import_module("llvmlite.binding")
