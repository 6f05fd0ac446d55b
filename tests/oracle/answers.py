"""The oracle's answers: from jaxlib's MLIR libraries, its reference interpreter, and XLA:CPU.

Only a child process imports this module, since several of these calls end the process on a program
that they do not support. It uses internals of the pinned jax version.
"""

import io
import re
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import jax
import numpy as np
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import xla_client
from jaxlib import lapack
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import chlo, func, mhlo, sdy, stablehlo

from tests.oracle.elements import ELEMENT_TYPES, Array, read_literal

Source = str | bytes
T = TypeVar("T")

CHLO_TO_STABLEHLO: Final = (
    "builtin.module(func.func(chlo-legalize-to-stablehlo,shape-legalize-to-stablehlo),canonicalize)"
)
QUANTIZED_ARTIFACT: Final = stablehlo.serialize_portable_artifact_str(
    "func.func @main(%x: tensor<1x!quant.uniform<i8:f32, 1.0>>) { return }",
    stablehlo.get_current_version(),
)

stablehlo.register_stablehlo_passes()
mhlo.register_mhlo_passes()
# Lends SciPy's LAPACK to the custom calls; without it, running one ends the process.
lapack.prepare_lapack_call("potrf_ffi", np.dtype(np.float32))


class Rejected(Exception):
    """The program or its arguments are wrong."""


class Cannot(Exception):
    """The question is beyond the library that should answer it."""


def new_context() -> ir.Context:
    """A context that knows every dialect of jaxlib, quantized types included."""
    context = jax_mlir.make_ir_context()
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(context)
    stablehlo.register_interpreter_dialect(context)
    # Threads that report errors wait for Python's lock; those of the parent are missing in a fork.
    context.enable_multithreading(False)
    # The quant dialect has no binding; reading a quantized program loads it.
    stablehlo.deserialize_portable_artifact(context, QUANTIZED_ARTIFACT)
    return context


def parse(source: Source, context: ir.Context) -> ir.Module:
    """Text, bytecode or an artifact as a verified module; an artifact stays in its own dialect."""
    try:
        with context:
            return ir.Module.parse(source)
    except ir.MLIRError as error:
        raise Rejected("\n".join(d.message for d in error.error_diagnostics)) from None


def program(source: Source, context: ir.Context) -> ir.Module:
    """Like ``parse``, with an artifact converted back to StableHLO."""
    if isinstance(source, bytes) and _producer(source).startswith(b"StableHLO_v"):
        return quoting(context, lambda: stablehlo.deserialize_portable_artifact(context, source))
    return parse(source, context)


def _producer(data: bytes) -> bytes:
    """The producer string of bytecode: behind the magic number and a version of one byte."""
    return data[5:69].split(b"\0", 1)[0] if data.startswith(b"ML\xefR") else b""


def quoting(context: ir.Context, call: Callable[[], T]) -> T:
    """Result of ``call``; where it only says that it failed, what it told the context before."""
    messages: list[str] = []

    def keep(diagnostic: ir.Diagnostic) -> bool:
        messages.append(diagnostic.message)
        return True

    handler = context.attach_diagnostic_handler(keep)
    try:
        return call()
    except ValueError as error:
        raise Rejected("\n".join(messages) or str(error)) from None
    finally:
        handler.detach()


# ---- questions about a program


def diagnostics(source: Source) -> list[tuple[str, int, int]]:
    """Message, line and column of every error; 0, 0 where the location is unknown."""
    try:
        with new_context():
            ir.Module.parse(source)
    except ir.MLIRError as error:
        return [(d.message, *_position(d.location)) for d in error.error_diagnostics]
    return []


def places(sources: Sequence[str]) -> list[tuple[str, int, int] | None]:
    """Of each text the first error, its line and its column; None if the text is accepted.

    All in one context, which is much faster than a new one each.
    """
    context = new_context()
    return [_place(source, context) for source in sources]


def _place(source: str, context: ir.Context) -> tuple[str, int, int] | None:
    try:
        with context:
            ir.Module.parse(source)
    except ir.MLIRError as error:
        first = error.error_diagnostics[0]
        return (first.message, *_position(first.location))
    except ValueError as error:  # a size that no memory holds
        return (str(error), 0, 0)
    return None


def readings(sources: Sequence[str]) -> list[tuple[str, str, str]]:
    """Of each text the first error, or else its pretty and its generic form.

    All in one context, which is much faster than a new one each; but keys of resources are unique
    in a context.
    """
    context = new_context()
    return [
        _reading(source, new_context() if "dense_resource" in source else context)
        for source in sources
    ]


def _reading(source: str, context: ir.Context) -> tuple[str, str, str]:
    try:
        module = parse(source, context).operation
    except Rejected as rejected:
        return str(rejected).partition("\n")[0] or "refused", "", ""
    except ValueError as error:  # a size that no memory holds
        return str(error), "", ""
    return "", module.get_asm(), module.get_asm(print_generic_op_form=True)


def _position(location: ir.Location) -> tuple[int, int]:
    match = re.search(r'":(\d+):(\d+)', str(location))
    return (int(match[1]), int(match[2])) if match else (0, 0)


def print_program(
    source: Source, generic: bool, debug_info: bool, large_elements_limit: int | None
) -> str:
    return parse(source, new_context()).operation.get_asm(
        print_generic_op_form=generic,
        enable_debug_info=debug_info,
        large_elements_limit=large_elements_limit,
    )


def unregistered(source: Source) -> tuple[str, str, str, bytes]:
    """A program with unregistered operations: pretty, generic, with locations, as bytecode."""
    context = new_context()
    context.allow_unregistered_dialects = True
    operation = parse(source, context).operation
    out = io.BytesIO()
    operation.write_bytecode(out)
    located = operation.get_asm(enable_debug_info=True)
    return (
        operation.get_asm(),
        operation.get_asm(print_generic_op_form=True),
        located,
        out.getvalue(),
    )


def transformed(source: Source, pipeline: str) -> str:
    return str(transformed_module(source, pipeline))


def transformed_module(source: Source, pipeline: str) -> ir.Module:
    """A program behind passes of the module; none if the pipeline is empty."""
    context = new_context()
    module = program(source, context)
    with context:
        try:
            passmanager.PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
        except ir.MLIRError as error:
            raise Rejected("\n".join(d.message for d in error.error_diagnostics)) from None
        except ValueError as error:  # the pipeline cannot be read
            raise Rejected(str(error)) from None
    return module


def artifact(source: Source, version: str | None) -> bytes:
    context = new_context()
    module = program(source, context)
    target = version or stablehlo.get_current_version()
    return quoting(context, lambda: stablehlo.serialize_portable_artifact(module, target))


def artifacts(source: Source, versions: Sequence[str], mixed: bool) -> list[bytes | str]:
    """The artifact for each version, or why there is none; all in one context."""
    context = new_context()
    return [_artifact(source, version, mixed, context) for version in versions]


def _artifact(source: Source, version: str, mixed: bool, context: ir.Context) -> bytes | str:
    module = program(source, context)
    try:
        return quoting(
            context, lambda: stablehlo.serialize_portable_artifact(module, version, mixed)
        )
    except Rejected as rejected:
        return str(rejected)


def bytecode(source: Source, version: int | None, pipeline: str = "") -> bytes:
    out = io.BytesIO()
    module = transformed_module(source, pipeline)
    try:
        module.operation.write_bytecode(out, *(() if version is None else (version,)))
    except ValueError as error:
        raise Rejected(str(error)) from None
    return out.getvalue()


def read_bytes(data: bytes) -> str:
    return str(program(data, new_context()))


# ---- values


def xla(source: Source, *arrays: Array) -> list[Array]:
    device = jax.devices("cpu")[0]
    module = program(source, new_context())
    try:
        executable = device.client.compile_and_load(
            module, xla_client.DeviceList((device,)), xla_client.CompileOptions()
        )
        with jax.enable_x64(True):
            buffers = [jax.device_put(array, device) for array in arrays]
        results = executable.execute_sharded(buffers).disassemble_into_single_device_arrays()
        return [np.asarray(shards[0]) for shards in results]
    except (jax.errors.JaxRuntimeError, ValueError, TypeError) as error:
        raise Rejected(str(error)) from None


def reference(source: Source, *arrays: Array) -> list[Array]:
    context = new_context()
    module = program(source, context)
    with context, ir.Location.unknown():
        legalize_chlo(module)
        is_complex = _split_complex_results(module)
        arguments = [attribute(array) for array in arrays]
        context.enable_multithreading(True)  # run_parallel's processes share the context
        results = iter(quoting(context, lambda: stablehlo.eval_module(module, arguments)))
        parts = (read_literal(str(result)) for result in results)
        return [_join(next(parts), next(parts)) if pair else next(parts) for pair in is_complex]


def legalize_chlo(module: ir.Module) -> None:
    """Turn CHLO and shape operations, if there are any, into StableHLO; needs a current context."""
    if _dialects(module) & {"chlo", "shape"}:
        passmanager.PassManager.parse(CHLO_TO_STABLEHLO).run(module.operation)


def _dialects(module: ir.Module) -> set[str]:
    """The dialects whose operations occur in ``module``."""
    members: set[str] = set()

    def visit(operation: ir.Operation) -> ir.WalkResult:
        members.add(operation.name.split(".")[0])
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return members


def _entry(module: ir.Module) -> func.FuncOp:
    functions = [op for op in module.body.operations if isinstance(op, func.FuncOp)]
    named = [op for op in functions if op.name.value == "main"]
    if len(named or functions) != 1:
        raise Rejected("the module has neither a function main nor a single function")
    return (named or functions)[0]


def _split_complex_results(module: ir.Module) -> list[bool]:
    """Let the entry return real and imaginary parts, since a complex result ends the process.

    Returns which of the results were complex.
    """
    entry = _entry(module)
    terminator = entry.entry_block.operations[-1]
    results = list(terminator.operands)
    for result in results:
        if not isinstance(result.type, ir.RankedTensorType):
            raise Cannot(f"the reference interpreter returns tensors only, not {result.type}")
    is_complex = [isinstance(result.type.element_type, ir.ComplexType) for result in results]
    if not any(is_complex):
        return is_complex
    parts: list[ir.Value] = []
    with ir.InsertionPoint(terminator):
        for result, split in zip(results, is_complex, strict=True):
            parts += [stablehlo.real(result), stablehlo.imag(result)] if split else [result]
        func.ReturnOp(parts)
    terminator.operation.erase()
    signature = ir.FunctionType.get(entry.type.inputs, [part.type for part in parts])
    entry.attributes["function_type"] = ir.TypeAttr.get(signature)
    if "res_attrs" in entry.attributes:
        del entry.attributes["res_attrs"]
    return is_complex


def _join(real: Array, imaginary: Array) -> Array:
    joined = np.empty(real.shape, f"c{2 * real.itemsize}")
    joined.real, joined.imag = real, imaginary
    return joined


def attribute(array: Array) -> ir.Attribute:
    """An array as the attribute that ``stablehlo.eval_module`` takes; needs a current context."""
    name = ELEMENT_TYPES.get(array.dtype)
    if name is None:
        raise Cannot(f"no element type stands for dtype {array.dtype}")
    is_native = array.dtype.kind in "bc"  # everything else is handed over as raw bits
    stored = np.ascontiguousarray(array)
    return ir.DenseElementsAttr.get(
        stored if is_native else stored.view(f"u{array.itemsize}"),
        type=ir.Type.parse(name),
        shape=list(array.shape),
    )
