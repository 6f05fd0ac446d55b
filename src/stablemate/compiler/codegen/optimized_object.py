"""Compiles LLVM text that was written by hand, with LLVM's usual passes."""

from __future__ import annotations

from stablemate.compiler.codegen.object_code import parsed
from stablemate.compiler.config.disk_cache import cache, key_of
from stablemate.compiler.config.target import Target, compiler_version


def optimized_object(source: str, target: Target) -> bytes:
    """The object of LLVM text after the usual passes; it is kept in the disk cache."""
    import llvmlite.binding as llvm

    key = key_of("optimized", source, f"{target} {compiler_version()}")
    content = cache().get(key)
    if content is None:
        machine, module = target.machine(), parsed(source, target)
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        content = bytes(machine.emit_object(module))
        cache().put(key, content)
    return content
