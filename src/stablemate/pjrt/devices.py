"""The client, its devices, their memories and their topology."""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, cast

import numpy as np

from stablemate import execution
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.diagnostics.limits import memory_of_machine
from stablemate.pjrt.functions import implements
from stablemate.pjrt.interface.structures import NAMED_VALUE_INT64_LIST, STRUCTURE, Structure
from stablemate.pjrt.native.records import word
from stablemate.pjrt.objects import NativeObject, array_at, object_at, text_at
from stablemate.pjrt.status import ErrorCode, PjrtError

PLATFORM_NAME: Final = "cpu"  # lowering rules are chosen by it; see docs/adr
DEVICE_KIND: Final = "cpu"
MEMORY_KINDS: Final = ("device", "pinned_host", "unpinned_host")  # the first is the default
OLDEST_STABLEHLO: Final = (0, 9, 0)
NEWEST_STABLEHLO: Final = (1, 17, 0)
DEVICES_VARIABLE: Final = "STABLEMATE_DEVICES"
MOST_DEVICES: Final = 4096  # that one process may simulate


class MemorySpace(NativeObject):
    """A memory space of a device.

    Attributes:
        device: The device.
        kind: Its kind.
        kind_id: The number of the kind.
        id: Its number among all memories.
    """

    def __init__(self, device: Device, kind_id: int, count: int) -> None:
        super().__init__()
        self.device = device
        self.kind_id = kind_id
        self.kind = MEMORY_KINDS[kind_id]
        self.id = device.id + count * kind_id
        where, length = self.string("kind", self.kind)
        self.words[word("memory", "kind")] = where
        self.words[word("memory", "kind_size")] = length
        self.words[word("memory", "device")] = device.address


class Description(NativeObject):
    """The description of a device.

    Attributes:
        id: The number of the device.
        process: The number of the process that it belongs to.
    """

    def __init__(self, number: int, process: int) -> None:
        super().__init__()
        self.id = number
        self.process = process


@dataclass(frozen=True, slots=True)
class DistributedJob:
    """The processes that ``jax.distributed.initialize`` joins; one by itself otherwise.

    Attributes:
        device_counts: How many devices each process has.
        rank: The number of this process.
    """

    device_counts: tuple[int, ...]
    rank: int = 0

    @staticmethod
    def of(options: Mapping[str, Any]) -> DistributedJob:
        """The job that the options of a client say.

        Raises:
            PjrtError: The processes have other numbers as ranks of an MPI job.
        """
        count = device_count(options)
        rank, size = int(options.get("node_id", 0)), int(options.get("num_nodes", 1))
        counts = (count,) if size == 1 else joined_device_counts(rank, size, count)
        return DistributedJob(counts, rank)


def joined_device_counts(rank: int, size: int, count: int) -> tuple[int, ...]:
    """How many devices each process of a job has.

    All processes call this when they create their clients. A job that MPI did not start is taken
    for one of equal processes; programs over several of them raise when they run.

    Args:
        rank: The number of this process.
        size: How many there are.
        count: How many devices it has.

    Raises:
        PjrtError: The processes have other numbers as ranks of an MPI job.
    """
    try:
        group = execution.ranks()
    except UnsupportedError:
        return (count,) * size
    rows = group.gather([(np.int64(rank), np.int64(count))])
    numbers = [(int(number), int(devices)) for ((number, devices),) in rows]
    if len(numbers) != size:
        return (count,) * size
    for expected, (number, _) in enumerate(numbers):
        if number != expected:
            message = (
                f"rank {expected} of the MPI job is process {number} of jax.distributed: give it "
                f"the number {expected}, or leave that to jax.distributed.initialize"
            )
            raise PjrtError(ErrorCode.INVALID_ARGUMENT, message)
    return tuple(devices for _, devices in numbers)


class Device(NativeObject):
    """A device: one process of a grid, with the machine's threads.

    Attributes:
        id: Its number.
        local_id: Its number among those of its process.
        is_addressable: Whether this is its process.
        description: Its description.
        memories: Its memories, the default one first.
        neighbors: The number of devices of its process.
    """

    def __init__(self, process: int, local_id: int, job: DistributedJob) -> None:
        super().__init__()
        count = sum(job.device_counts)
        number = sum(job.device_counts[:process]) + local_id
        self.neighbors = job.device_counts[process]
        self.local_id = local_id
        self.id = number
        self.is_addressable = process == job.rank
        self.description = Description(number, process)
        self.memories = [MemorySpace(self, kind, count) for kind in range(len(MEMORY_KINDS))]
        self.words[word("device", "memory")] = self.memories[0].address
        self.words[word("device", "local_id")] = self.local_id

    def memory(self, kind: str) -> MemorySpace:
        """The memory of a kind."""
        return next(memory for memory in self.memories if memory.kind == kind)


class DeviceTopology(NativeObject):
    """The devices of a client, or of one that is yet to be created.

    Attributes:
        devices: The devices.
    """

    def __init__(self, devices: Sequence[Device]) -> None:
        super().__init__()
        self.devices = devices


class Client(NativeObject):
    """A client.

    Attributes:
        job: The processes whose devices it has.
        devices: Its devices, those of the first process first.
        topology: Their topology.
    """

    def __init__(self, job: DistributedJob) -> None:
        super().__init__()
        self.job = job
        self.devices = [
            Device(process, local_id, job)
            for process, count in enumerate(job.device_counts)
            for local_id in range(count)
        ]
        self.topology = DeviceTopology(self.devices)
        for device in self.devices:
            device.keep("client", self)

    @property
    def addressable_devices(self) -> list[Device]:
        """The devices of this process."""
        return [device for device in self.devices if device.is_addressable]

    def device(self, number: int) -> Device:
        """A device by number.

        Raises:
            PjrtError: There is none.
        """
        if not 0 <= number < len(self.devices):
            message = f"there is no device {number}; there are {len(self.devices)}"
            raise PjrtError(ErrorCode.NOT_FOUND, message)
        return self.devices[number]


def device_count(options: Mapping[str, Any]) -> int:
    """How many devices a process has.

    Raises:
        PjrtError: The number that is asked for is none.
    """
    asked = options.get("num_devices") or os.environ.get(DEVICES_VARIABLE) or 1
    if not str(asked).isdecimal() or not 1 <= int(asked) <= MOST_DEVICES:
        message = f"{DEVICES_VARIABLE} is a number from 1 to {MOST_DEVICES}, not {asked!r}"
        raise PjrtError(ErrorCode.INVALID_ARGUMENT, message)
    return int(asked)


def named_values(address: int | None, count: int) -> dict[str, object]:
    """The options that the caller passed, strings and numbers."""
    values: dict[str, object] = {}
    for named in array_at(address, STRUCTURE["NamedValue"], count):
        name = text_at(named.name, named.name_size)
        values[name] = text_at(named.value, named.value_size) if named.type == 0 else named.value
    return values


class Attributes(NativeObject):
    """The attributes of the plugin."""

    def __init__(self, values: Mapping[str, Sequence[int]]) -> None:
        super().__init__()
        rows: list[object] = []
        for name, numbers in values.items():
            row = STRUCTURE["NamedValue"]()
            row.struct_size = ctypes.sizeof(row)
            row.name, row.name_size = self.string(name, name)
            row.value, row.value_size = self.array(f"{name}.value", ctypes.c_int64, numbers)
            row.type = NAMED_VALUE_INT64_LIST
            rows.append(row)
        self.rows = self.array("rows", STRUCTURE["NamedValue"], rows)


ATTRIBUTES: Final = Attributes(
    {
        "stablehlo_current_version": NEWEST_STABLEHLO,
        "stablehlo_minimum_version": OLDEST_STABLEHLO,
    }
)


@implements("Plugin_Initialize")
def plugin_initialize(a: object) -> None:
    """There is nothing left to initialize."""


@implements("Plugin_Attributes")
def plugin_attributes(a: Structure) -> None:
    """The versions of StableHLO that are read."""
    a.attributes, a.num_attributes = ATTRIBUTES.rows


@implements("Client_Create")
def client_create(a: Structure) -> None:
    """Stores a new client with the devices of the job that the options describe."""
    job = DistributedJob.of(named_values(a.create_options, a.num_options))
    a.client = Client(job).address


@implements("Client_Destroy")
def client_destroy(a: object) -> None:
    """Does nothing: jaxlib may still query devices of arrays that outlive the client."""


@implements("Client_PlatformName")
def client_platform_name(a: Structure) -> None:
    """The name by which JAX chooses lowering rules."""
    client = object_at(a.client, Client)
    a.platform_name, a.platform_name_size = client.string("platform", PLATFORM_NAME)


@implements("Client_ProcessIndex")
def client_process_index(a: Structure) -> None:
    """The number of this process."""
    a.process_index = object_at(a.client, Client).job.rank


@implements("Client_PlatformVersion")
def client_platform_version(a: Structure) -> None:
    """The name and version of this package."""
    text = object_at(a.client, Client).string("version", platform_version())
    a.platform_version, a.platform_version_size = text


def platform_version() -> str:
    """The name and version of this package, by which its clients are recognized."""
    return f"stablemate {import_module('stablemate').__version__}"


def device_list(owner: NativeObject, devices: Sequence[Device]) -> tuple[int, int]:
    """The address and the length of an array of devices, which lives as long as its owner."""
    return owner.array("devices", ctypes.c_void_p, [device.address for device in devices])


@implements("Client_Devices")
def client_devices(a: Structure) -> None:
    """Stores the devices of all processes, in the order of their numbers."""
    client = object_at(a.client, Client)
    a.devices, a.num_devices = device_list(client, client.devices)


@implements("Client_AddressableDevices")
def client_addressable_devices(a: Structure) -> None:
    """The devices of this process."""
    client = object_at(a.client, Client)
    a.addressable_devices, a.num_addressable_devices = client.array(
        "addressable devices", ctypes.c_void_p,
        [device.address for device in client.addressable_devices],
    )  # fmt: skip


@implements("Client_LookupDevice")
def client_lookup_device(a: Structure) -> None:
    """A device by its number."""
    a.device = object_at(a.client, Client).device(a.id).address


@implements("Client_LookupAddressableDevice")
def client_lookup_addressable_device(a: Structure) -> None:
    """A device by its number in this process."""
    client = object_at(a.client, Client)
    ids = [device.id for device in client.addressable_devices]
    number: int = a.local_hardware_id
    device_id = ids[number] if 0 <= number < len(ids) else len(client.devices)
    a.addressable_device = client.device(device_id).address


@implements("Client_AddressableMemories")
def client_addressable_memories(a: Structure) -> None:
    """The memories of all devices."""
    client = object_at(a.client, Client)
    memories = [
        memory.address for device in client.addressable_devices for memory in device.memories
    ]
    a.addressable_memories, a.num_addressable_memories = client.array(
        "memories", ctypes.c_void_p, memories
    )


@implements("Client_DefaultDeviceAssignment")
def client_default_device_assignment(a: Structure) -> None:
    """Writes the numbers of replicas times partitions devices, from 0 on, for the caller."""
    count = a.num_replicas * a.num_partitions
    client = object_at(a.client, Client)
    if count > min(a.default_assignment_size, len(client.devices)):
        message = f"{count} devices are needed; there are {len(client.devices)}"
        raise PjrtError(ErrorCode.INVALID_ARGUMENT, message)
    (ctypes.c_int * count).from_address(a.default_assignment)[:] = list(range(count))


@implements("Client_TopologyDescription")
def client_topology_description(a: Structure) -> None:
    """The topology of a client."""
    a.topology = object_at(a.client, Client).topology.address


@implements("Client_UpdateGlobalProcessInfo")
def client_update_global_process_info(a: object) -> None:
    """There are no other processes."""


@implements("TopologyDescription_Create")
def topology_description_create(a: Structure) -> None:
    """The topology of a client that is not created."""
    options = named_values(a.create_options, a.num_options)
    a.topology = Client(DistributedJob((device_count(options),))).topology.address


@implements("TopologyDescription_Destroy")
def topology_description_destroy(a: object) -> None:
    """Topologies live as long as their clients."""


@implements("TopologyDescription_PlatformName")
def topology_description_platform_name(a: Structure) -> None:
    """The name by which JAX chooses lowering rules."""
    topology = object_at(a.topology, DeviceTopology)
    a.platform_name, a.platform_name_size = topology.string("platform", PLATFORM_NAME)


@implements("TopologyDescription_PlatformVersion")
def topology_description_platform_version(a: Structure) -> None:
    """The name and version of this package."""
    text = object_at(a.topology, DeviceTopology).string("version", platform_version())
    a.platform_version, a.platform_version_size = text


@implements("TopologyDescription_GetDeviceDescriptions")
def topology_description_get_device_descriptions(a: Structure) -> None:
    """The descriptions of all devices."""
    topology = object_at(a.topology, DeviceTopology)
    addresses = [device.description.address for device in topology.devices]
    a.descriptions, a.num_descriptions = topology.array("descriptions", ctypes.c_void_p, addresses)


@implements("TopologyDescription_Attributes")
def topology_description_attributes(a: Structure) -> None:
    """A topology has no attributes."""
    a.attributes, a.num_attributes = ATTRIBUTES.array("none", ctypes.c_void_p, [])


@implements("TopologyDescription_Fingerprint")
def topology_description_fingerprint(a: Structure) -> None:
    """The fingerprint of a topology: the number of its devices."""
    a.fingerprint = len(object_at(a.topology, DeviceTopology).devices)


@implements("DeviceDescription_Id")
def device_description_id(a: Structure) -> None:
    """The number of a device."""
    a.id = object_at(a.device_description, Description).id


@implements("DeviceDescription_ProcessIndex")
def device_description_process_index(a: Structure) -> None:
    """The process that a device belongs to."""
    a.process_index = object_at(a.device_description, Description).process


@implements("DeviceDescription_Attributes")
def device_description_attributes(a: Structure) -> None:
    """A device has no attributes."""
    a.attributes, a.num_attributes = ATTRIBUTES.array("none", ctypes.c_void_p, [])


@implements("DeviceDescription_Kind")
def device_description_kind(a: Structure) -> None:
    """The kind of a device; JAX looks for ``cpu`` in it."""
    description = object_at(a.device_description, Description)
    a.device_kind, a.device_kind_size = description.string("kind", DEVICE_KIND)


@implements("DeviceDescription_DebugString")
def device_description_debug_string(a: Structure) -> None:
    """The platform and number of a device, in the form of XLA's devices."""
    description = object_at(a.device_description, Description)
    a.debug_string, a.debug_string_size = description.string(
        "name", f"{PLATFORM_NAME}:{description.id}"
    )


@implements("DeviceDescription_ToString")
def device_description_to_string(a: Structure) -> None:
    """The ``repr`` of a device, in the form of XLA's devices."""
    description = object_at(a.device_description, Description)
    a.to_string, a.to_string_size = description.string(
        "text", f"StablemateDevice(id={description.id})"
    )


@implements("Device_GetDescription")
def device_get_description(a: Structure) -> None:
    """The description of a device."""
    a.device_description = object_at(a.device, Device).description.address


@implements("Device_IsAddressable")
def device_is_addressable(a: Structure) -> None:
    """Whether a device belongs to this process."""
    a.is_addressable = object_at(a.device, Device).is_addressable


@implements("Device_AddressableMemories")
def device_addressable_memories(a: Structure) -> None:
    """The memories of a device."""
    device = object_at(a.device, Device)
    a.memories, a.num_memories = device.array(
        "memories", ctypes.c_void_p, [memory.address for memory in device.memories]
    )


@implements("Device_DefaultMemory")
def device_default_memory(a: Structure) -> None:
    """The memory where results are."""
    a.memory = object_at(a.device, Device).memories[0].address


@implements("Device_GetAttributes")
def device_get_attributes(a: Structure) -> None:
    """A device has no attributes."""
    a.attributes, a.num_attributes = ATTRIBUTES.array("none", ctypes.c_void_p, [])
    a.device_attributes, a.attributes_deleter = ATTRIBUTES.address, KEEP_ADDRESS


def keep(address: int) -> None:
    """The deleter of objects that are never freed."""


KEEP: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(keep)
KEEP_ADDRESS: Final = ctypes.cast(KEEP, ctypes.c_void_p).value


# What jaxlib also reports; nothing is reserved or pooled.
MEMORY_STATISTICS: Final = (
    *("num_allocs", "largest_alloc_size", "bytes_reserved", "peak_bytes_reserved"),
    *("bytes_reservable_limit", "largest_free_block_bytes", "pool_bytes", "peak_pool_bytes"),
)


@implements("Device_MemoryStats")
def device_memory_stats(a: Structure) -> None:
    """The peak memory of the process and the memory of the machine, which all devices share.

    What a device can reserve is its part of the memory of the machine.
    """
    clear_fields(a, after="device")
    unit = 1 if sys.platform == "darwin" else 1024
    a.peak_bytes_in_use = unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    a.bytes_in_use = a.peak_bytes_in_use
    a.bytes_limit = memory_of_machine()
    a.bytes_reservable_limit = a.bytes_limit // object_at(a.device, Device).neighbors
    for name in ("peak_bytes_in_use", "bytes_limit", *MEMORY_STATISTICS):
        if hasattr(a, f"{name}_is_set"):
            setattr(a, f"{name}_is_set", True)


def clear_fields(a: object, after: str) -> None:
    """Clears the fields after one: jaxlib does not clear output fields."""
    structure = cast(Any, type(a))
    names: list[str] = [name for name, _ in structure._fields_]
    for name in names[names.index(after) + 1 :]:
        setattr(a, name, 0)


@implements("Memory_Id")
def memory_id(a: Structure) -> None:
    """The number of a memory."""
    a.id = object_at(a.memory, MemorySpace).id


@implements("Memory_Kind_Id")
def memory_kind_id(a: Structure) -> None:
    """The number of the kind of a memory."""
    a.kind_id = object_at(a.memory, MemorySpace).kind_id


@implements("Memory_DebugString")
def memory_debug_string(a: Structure) -> None:
    """Stores the text of a memory for debugging, which is that of ``Memory_ToString``."""
    memory = object_at(a.memory, MemorySpace)
    a.debug_string, a.debug_string_size = memory.string("text", memory_text(memory))


@implements("Memory_ToString")
def memory_to_string(a: Structure) -> None:
    """Stores the text of a memory, which lives as long as the memory."""
    memory = object_at(a.memory, MemorySpace)
    a.to_string, a.to_string_size = memory.string("text", memory_text(memory))


def memory_text(memory: MemorySpace) -> str:
    """``StablemateMemory(id=0, kind=unpinned_host, device=0)``."""
    return f"StablemateMemory(id={memory.id}, kind={memory.kind}, device={memory.device.id})"


@implements("Memory_AddressableByDevices")
def memory_addressable_by_devices(a: Structure) -> None:
    """The device of a memory."""
    memory = object_at(a.memory, MemorySpace)
    a.devices, a.num_devices = memory.array("devices", ctypes.c_void_p, [memory.device.address])
