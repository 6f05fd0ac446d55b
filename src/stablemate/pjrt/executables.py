"""Executables and loaded executables, and queries about them."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from typing import Any, Final

from stablemate.diagnostics.errors import StablemateError
from stablemate.ir.garbage_collection import early_garbage_collection
from stablemate.pjrt.abandoned_compilations import awaited_compilation
from stablemate.pjrt.callbacks.python_callbacks import HELD
from stablemate.pjrt.devices import Client, Device, DeviceTopology, clear_fields
from stablemate.pjrt.fast_path import prepare
from stablemate.pjrt.functions import implements
from stablemate.pjrt.interface.structures import NAMED_VALUE_FLOAT, STRUCTURE, Structure
from stablemate.pjrt.native.calls import settle
from stablemate.pjrt.native.records import word
from stablemate.pjrt.objects import NativeObject, hand_out, object_at, release, text_at
from stablemate.pjrt.options.compile_options import PjrtCompileOptions, device_assignment
from stablemate.pjrt.programs import DeviceProgram, ProgramValue
from stablemate.pjrt.status import ErrorCode, PjrtError

MAGIC: Final = b"stablemate-executable-1"


class PjrtExecutable(NativeObject):
    """``PJRT_Executable``.

    Attributes:
        program: The program.
    """

    def __init__(self, program: DeviceProgram) -> None:
        super().__init__()
        self.program = program
        for name, value in {
            "num_replicas": program.options.num_replicas,
            "num_partitions": program.options.num_partitions,
            "num_results": len(program.results),
            "num_arguments": len(program.arguments),
        }.items():
            self.words[word("executable", name)] = value


class PjrtLoadedExecutable(PjrtExecutable):
    """``PJRT_LoadedExecutable``.

    Attributes:
        devices: Where it runs, by replica and partition.
        own: The positions of those of this process.
        is_deleted: Whether the caller has deleted it.
    """

    def __init__(self, program: DeviceProgram, client: Client) -> None:
        super().__init__(program)
        numbers = program.options.devices or range(program.options.num_devices)
        self.devices: Sequence[Device] = [client.device(number) for number in numbers]
        self.addressable = [
            number for number, device in enumerate(self.devices) if device.is_addressable
        ]
        self.is_deleted = False
        HELD.hold(self.address, program.module.ir)
        prepare(self, program, self.devices[0])


def program_at(address: int) -> tuple[bytes, str]:
    """The program that a caller hands over, and its format."""
    program = STRUCTURE["Program"].from_address(address)
    return ctypes.string_at(program.code, program.code_size), text_at(
        program.format, program.format_size
    )


def compile_program(a: Structure) -> DeviceProgram:
    """The program of a call that compiles."""
    code, format = program_at(a.program)
    raw = ctypes.string_at(a.compile_options, a.compile_options_size)
    return compiled_program(code, format, raw)


def compiled_program(code: bytes, format: str, raw: bytes) -> DeviceProgram:
    """Compiles a program by serialized options, and dumps it where they ask for that."""
    program = DeviceProgram(code, format, PjrtCompileOptions.read(raw))
    program.dump()
    return program


@implements("Client_Compile")
def client_compile(a: Structure) -> None:
    """Compiles a program and loads it."""
    with early_garbage_collection(), awaited_compilation():
        a.executable = PjrtLoadedExecutable(compile_program(a), object_at(a.client, Client)).address


@implements("Compile")
def compile_for_topology(a: Structure) -> None:
    """Compiles a program for the devices of a topology."""
    object_at(a.topology, DeviceTopology)
    a.executable = PjrtExecutable(compile_program(a)).address


@implements("Client_Load")
def client_load(a: Structure) -> None:
    """Stores a program that can be executed, made of a compiled one; nothing is compiled again."""
    program = object_at(a.executable, PjrtExecutable).program
    a.loaded_executable = PjrtLoadedExecutable(program, object_at(a.client, Client)).address


@implements("Executable_Serialize")
def executable_serialize(a: Structure) -> None:
    """The program and its options; native code is found again in the disk cache."""
    program = object_at(a.executable, PjrtExecutable).program
    content = serialize(program)
    hand_out(a, content, "serialized_executable")


def serialize(program: DeviceProgram) -> bytes:
    """A program with its options: a magic line, a line of JSON, the program, the options."""
    sizes = [len(program.code), len(program.options.raw)]
    header = json.dumps({"format": program.format, "sizes": sizes}).encode()
    return b"\n".join([MAGIC, header, program.code + program.options.raw])


def deserialize(content: bytes) -> tuple[bytes, str, bytes]:
    """The code of a serialized program, its format, and its serialized options.

    Raises:
        PjrtError: This is no such program.
    """
    try:
        magic, line, rest = content.split(b"\n", 2)
        header = json.loads(line)
        code, options = header["sizes"]
        if magic != MAGIC or code < 0 or options < 0 or code + options != len(rest):
            raise ValueError
        return rest[:code], str(header["format"]), rest[code:]
    except (ValueError, KeyError, TypeError):
        message = "these bytes are no executable that stablemate has serialized"
        raise PjrtError(ErrorCode.INVALID_ARGUMENT, message) from None


@implements("Executable_DeserializeAndLoad")
def executable_deserialize_and_load(a: Structure) -> None:
    """Compiles and loads a program that was serialized."""
    content = ctypes.string_at(a.serialized_executable, a.serialized_executable_size)
    code, format, raw = deserialize(content)
    if a.overridden_serialized_compile_options:
        raw = ctypes.string_at(
            a.overridden_serialized_compile_options,
            a.overridden_serialized_compile_options_size,
        )
    with early_garbage_collection():
        program = compiled_program(code, format, raw)
        a.loaded_executable = PjrtLoadedExecutable(program, object_at(a.client, Client)).address


@implements("Executable_GetCompileOptions")
def executable_get_compile_options(a: Structure) -> None:
    """The compile options of a program, as the caller passed them."""
    program = object_at(a.executable, PjrtExecutable).program
    hand_out(a, program.options.raw, "serialized_compile_options")


@implements("LoadedExecutable_GetDeviceAssignment")
def loaded_executable_get_device_assignment(a: Structure) -> None:
    """Stores the devices of replicas and partitions as a serialized ``DeviceAssignmentProto``."""
    loaded = object_at(a.executable, PjrtLoadedExecutable)
    options = loaded.program.options
    numbers = [device.id for device in loaded.devices]
    content = device_assignment(options.num_replicas, options.num_partitions, numbers)
    hand_out(a, content, "serialized_device_assignment")


@implements("LoadedExecutable_GetExecutable")
def loaded_executable_get_executable(a: Structure) -> None:
    """The compiled program of a loaded one."""
    program = object_at(a.loaded_executable, PjrtLoadedExecutable).program
    a.executable = PjrtExecutable(program).address


@implements("LoadedExecutable_Destroy")
def loaded_executable_destroy(a: Structure) -> None:
    """Frees a loaded program, when it has ended."""
    settle()
    HELD.drop(a.executable)
    release(a.executable)


@implements("Executable_Destroy")
def executable_destroy(a: Structure) -> None:
    """Frees a compiled program; those that were loaded from it stay."""
    release(a.executable)


@implements("LoadedExecutable_Delete")
def loaded_executable_delete(a: Structure) -> None:
    """Unloads a program: it cannot be executed any more, but still be asked and destroyed."""
    loaded = object_at(a.executable, PjrtLoadedExecutable)
    loaded.is_deleted = True
    loaded.words[word("executable", "is_native")] = 0


@implements("LoadedExecutable_IsDeleted")
def loaded_executable_is_deleted(a: Structure) -> None:
    """Whether a program is unloaded."""
    a.is_deleted = object_at(a.executable, PjrtLoadedExecutable).is_deleted


@implements("LoadedExecutable_AddressableDevices")
def loaded_executable_addressable_devices(a: Structure) -> None:
    """Stores the devices of this process on which a program runs."""
    loaded = object_at(a.executable, PjrtLoadedExecutable)
    a.addressable_devices, a.num_addressable_devices = loaded.array(
        "devices",
        ctypes.c_void_p,
        [loaded.devices[number].address for number in loaded.addressable],
    )


class LogicalId(ctypes.Structure):
    """A replica and a partition."""

    _fields_ = (("replica", ctypes.c_int), ("partition", ctypes.c_int))


@implements("LoadedExecutable_AddressableDeviceLogicalIds")
def loaded_executable_addressable_device_logical_ids(a: Structure) -> None:
    """The replica and the partition of each device."""
    loaded = object_at(a.executable, PjrtLoadedExecutable)
    options = loaded.program.options
    pairs = [divmod(number, options.num_partitions) for number in loaded.addressable]
    where, count = loaded.array("logical_ids", LogicalId, pairs)
    a.addressable_device_logical_ids, a.num_addressable_device_logical_ids = where, count


@implements("Executable_Name")
def executable_name(a: Structure) -> None:
    """The name of a program."""
    compiled = object_at(a.executable, PjrtExecutable)
    a.executable_name, a.executable_name_size = compiled.string("name", compiled.program.name)


@implements("Executable_Fingerprint")
def executable_fingerprint(a: Structure) -> None:
    """Identifies a program and its options."""
    compiled = object_at(a.executable, PjrtExecutable)
    text = compiled.string("fingerprint", compiled.program.fingerprint)
    a.executable_fingerprint, a.executable_fingerprint_size = text


@implements("LoadedExecutable_Fingerprint")
def loaded_executable_fingerprint(a: Structure) -> None:
    """Identifies a program and its options."""
    executable_fingerprint(a)


@implements("Executable_SizeOfGeneratedCodeInBytes")
def executable_size_of_generated_code(a: Structure) -> None:
    """How long the code is, where it is native."""
    program = getattr(object_at(a.executable, PjrtExecutable).program.executable, "program", None)
    a.size_in_bytes = sum(len(object_file) for object_file in getattr(program, "objects", ()))


@implements("Executable_GetCostAnalysis")
def executable_get_cost_analysis(a: Structure) -> None:
    """Operations and bytes of one run."""
    compiled = object_at(a.executable, PjrtExecutable)
    rows: list[Any] = []
    for name, value in costs(compiled.program).items():
        row = STRUCTURE["NamedValue"]()
        row.struct_size, row.type, row.value_size = ctypes.sizeof(row), NAMED_VALUE_FLOAT, 1
        row.name, row.name_size = compiled.string(f"cost {name}", name)
        row.value = ctypes.c_uint32.from_buffer(ctypes.c_float(value)).value
        rows.append(row)
    a.properties, a.num_properties = compiled.array("costs", STRUCTURE["NamedValue"], rows)


def costs(program: DeviceProgram) -> dict[str, float]:
    """The cost of a run, by XLA's names; empty if it is unknown."""
    try:
        estimate = program.module.cost()
        cost = estimate.functions[estimate.entry]
        found = {"flops": float(cost.flops), "bytes accessed": float(cost.bytes)}
        if cost.transcendentals:
            found["transcendentals"] = float(cost.transcendentals)
        return found
    except StablemateError:
        return {}


@implements("Executable_OutputElementTypes")
def executable_output_element_types(a: Structure) -> None:
    """The element types of the results."""
    compiled = object_at(a.executable, PjrtExecutable)
    numbers = [result.number for result in compiled.program.results]
    a.output_types, a.num_output_types = compiled.array("types", ctypes.c_uint32, numbers)


@implements("Executable_OutputDimensions")
def executable_output_dimensions(a: Structure) -> None:
    """The sizes of the results, one after the other."""
    compiled = object_at(a.executable, PjrtExecutable)
    results = compiled.program.results
    sizes = [size for result in results for size in result.shape]
    a.dims, _ = compiled.array("sizes", ctypes.c_int64, sizes)
    ranks = [len(result.shape) for result in results]
    a.dim_sizes, a.num_outputs = compiled.array("ranks", ctypes.c_size_t, ranks)


def memory_kinds(
    compiled: PjrtExecutable, side: str, values: Sequence[ProgramValue]
) -> tuple[int, int]:
    """The memory kinds of arguments or results, and their lengths."""
    texts = [compiled.string(f"kind {value.memory_kind}", value.memory_kind) for value in values]
    kinds, _ = compiled.array(f"{side} kinds", ctypes.c_void_p, [text for text, _ in texts])
    sizes, _ = compiled.array(f"{side} kind sizes", ctypes.c_size_t, [size for _, size in texts])
    return kinds, sizes


@implements("Executable_OutputMemoryKinds")
def executable_output_memory_kinds(a: Structure) -> None:
    """Which kind of memory each result is in."""
    compiled = object_at(a.executable, PjrtExecutable)
    a.num_outputs = len(compiled.program.results)
    a.memory_kinds, a.memory_kind_sizes = memory_kinds(compiled, "result", compiled.program.results)


@implements("Executable_ParameterMemoryKinds")
def executable_parameter_memory_kinds(a: Structure) -> None:
    """Which kind of memory each argument is in."""
    compiled = object_at(a.executable, PjrtExecutable)
    a.num_parameters = len(compiled.program.arguments)
    a.memory_kinds, a.memory_kind_sizes = memory_kinds(
        compiled, "argument", compiled.program.arguments
    )


@implements("Executable_GetCompiledMemoryStats")
def executable_get_compiled_memory_stats(a: Structure) -> None:
    """The bytes of arguments, results and values on the way."""
    program = object_at(a.executable, PjrtExecutable).program
    clear_fields(a, after="executable")
    memory = getattr(program.executable, "memory", None)
    a.argument_size_in_bytes = sum(argument.size for argument in program.arguments)
    a.output_size_in_bytes = sum(result.size for result in program.results)
    a.temp_size_in_bytes = getattr(memory, "arena", 0)
    a.generated_code_size_in_bytes = getattr(memory, "constants", 0)
    a.alias_size_in_bytes = sum(program.arguments[number].size for number in program.donated)
    a.peak_memory_in_bytes = (
        a.argument_size_in_bytes + a.output_size_in_bytes + a.temp_size_in_bytes
    ) - a.alias_size_in_bytes


@implements("Executable_OptimizedProgram")
def executable_optimized_program(a: Structure) -> None:
    """The program of one device; jaxlib queries its size first."""
    compiled = object_at(a.executable, PjrtExecutable)
    target = STRUCTURE["Program"].from_address(a.program)
    code, format = compiled.program.optimized
    target.format, target.format_size = compiled.string("format", format)
    if target.code:
        if target.code_size < len(code):
            message = f"the program has {len(code)} bytes"
            raise PjrtError(ErrorCode.INVALID_ARGUMENT, message)
        ctypes.memmove(target.code, code, len(code))
    target.code_size = len(code)
