"""The functions of a library, in LLVM IR: create, call, destroy, and what describes it.

They are two modules. That of the interface has only instructions that every processor of the
architecture has, because it checks which ones this processor has. That of the step loop, like the
kernels, has those of the target.

An instance is an arena, a copy of each program image whose relative words are addresses, and the
state of the step loop. All instances of a process share the workers of one thread pool, which start
with the first instance that may use them and end with the last one. After a fork the child has no
workers: its calls run in the thread of the caller.
"""

from __future__ import annotations

from string import Template
from typing import Final

from stablemate.compiler.config.target import Target
from stablemate.compiler.runtime.native import (
    floating_point_environment,
    kernel_log,
    step_loop,
    thread_pool,
)
from stablemate.compiler.runtime.native.runtime import STACK_BYTES
from stablemate.deployment.constants import ConstantPool
from stablemate.deployment.interface import LibraryInterface
from stablemate.deployment.runtime.data_section import (
    blob,
    data_text,
    image_offsets,
    text_bytes,
)
from stablemate.deployment.runtime.interface_text import API, BATCH_API
from stablemate.deployment.runtime.library_layouts import FIELDS, INSTANCE_BYTES, VALUE_BYTES
from stablemate.deployment.runtime.processor_check import check_text
from stablemate.deployment.runtime.trace_text import trace_text
from stablemate.deployment.runtime.weights_digest import digest, signed_literal
from stablemate.deployment.runtime.weights_text import EMBEDDED, MAPPED, READ_ONLY
from stablemate.deployment.runtime.workers_text import WORKERS

TIME_SLICE: Final = 1 << 62  # ticks: a call is never interrupted

# Each has at most one part that is known at run time: a path, or an argument or result.
MESSAGES: Final = {
    "unsuitable": "this processor lacks %s, which this library was built to use: $cpu",
    "no_memory": "there is no memory for an instance of $total_bytes bytes",
    "negative_threads": "an instance cannot have a negative number of threads",
    "no_weights": "cannot read the weights, $weights_bytes bytes, in %s: %m",
    "wrong_weights": "%s is not the file of $weights_bytes bytes that was built with this library",
    "damaged_weights": "%s is damaged: its constants are not those of this library",
    "unplaced": "the directory of the library is unknown; pass the path of %s",
    "superfluous_weights": "weights must be NULL, because this library contains them, but are %s",
    "no_instance": "the instance is NULL",
    "no_list": "the list of arguments or of results is NULL",
    "null": "%s is NULL",
    "unaligned": "the address of %s is not a multiple of its alignment",
    "overlap": "the memory of %s overlaps that of an argument or of another result",
    "busy": "another thread is calling this instance; create one instance for each thread",
    "batch": "the batch is %lld, but this library takes 1 to $programs",
    "incomplete": "the program did not reach its end",
    "beside": "%.*s%s",
    "program": "/proc/self/exe",
}

HEAD: Final = """
@message = internal thread_local global [512 x i8] zeroinitializer
declare i32 @snprintf(ptr, i64, ptr, ...)
declare i32 @posix_memalign(ptr, i64, i64)
declare void @free(ptr)
declare i32 @munmap(ptr, i64)
declare i64 @walk(ptr, i64, ptr)
declare ptr @work(ptr)
declare void @stop(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""


def exported_functions(interface: LibraryInterface) -> list[str]:
    """The functions of a library that callers see."""
    verbs = ["create", "call", "destroy", "threads", "error"]
    verbs += ["argument_count", "result_count", "argument", "result"]
    if interface.has_batches:
        verbs += ["call_batch", "most_batch", "batch_argument", "batch_result"]
    return [f"{interface.name}_{verb}" for verb in verbs]


def interface_module(interface: LibraryInterface, constants: ConstantPool, target: Target) -> str:
    """The LLVM text of what callers see, which is compiled for the baseline of the architecture.

    Args:
        interface: What callers see.
        constants: The constants of its programs.
        target: The processor that the kernels need.
    """
    mapped = MAPPED if interface.weights else EMBEDDED
    numbers = parameters(interface, constants, target)
    messages = {name: Template(text).substitute(numbers) for name, text in MESSAGES.items()}
    return "\n".join([
        HEAD,
        *(blob(f"text.{name}", text_bytes(text)) for name, text in messages.items()),
        data_text(interface, constants),
        API.substitute(numbers),
        BATCH_API.substitute(numbers) if interface.has_batches else "",
        mapped.substitute(numbers),
        check_text(target),
        WORKERS.substitute(numbers),
        trace_text(interface.programs, numbers, target),
    ])  # fmt: skip


def step_loop_module(triple: str) -> str:
    """The LLVM text of the step loop and the thread pool, which is compiled for the target."""
    return "\n".join([
        step_loop.TEXT,
        kernel_log.TEXT,
        thread_pool.TEXT,
        floating_point_environment.text_for(triple),
        thread_pool.platform_text(triple, has_c_library=True),
    ])  # fmt: skip


def parameters(
    interface: LibraryInterface, constants: ConstantPool, target: Target
) -> dict[str, object]:
    """The facts from which the text of the functions is generated."""
    operands = len(interface.values)
    images = [program.image for program in interface.programs]
    images_bytes = image_offsets(interface.programs)[-1]
    words = images_bytes + 8 * max(operands, 1)
    arena = max(64, *(image.arena for image in images))
    return {
        "name": interface.name,
        "arguments": len(interface.arguments),
        "results": len(interface.results),
        "operands": operands,
        "has_arguments": "true" if interface.arguments else "false",
        "has_results": "true" if interface.results else "false",
        **FIELDS,
        "value_size": VALUE_BYTES,
        "instance_bytes": INSTANCE_BYTES,
        "programs": len(images),
        "last_program": len(images) - 1,
        "images_bytes": images_bytes,
        "block_bytes": words,
        "arena_bytes": arena,
        "total_bytes": INSTANCE_BYTES + words + arena,
        "find_constants": "mapped" if interface.weights else "embedded",
        "weights_bytes": len(constants.content),
        "header_bytes": len(constants.header),
        "weights_digest": signed_literal(digest(constants.content)) if interface.weights else 0,
        "cpu": target.cpu,
        "read_only": READ_ONLY,
        "time_slice": TIME_SLICE,
        "most_threads": thread_pool.MAX_THREADS
        if any(image.is_parallel for image in images)
        else 1,
        "stack_bytes": STACK_BYTES,
        "pool_bytes": thread_pool.POOL_BYTES,
    }
