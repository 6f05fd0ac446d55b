"""Compiles the programs of the caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import Any, Final
from warnings import catch_warnings, simplefilter

import numpy as np

from stablemate.api.loading import load
from stablemate.api.module import Module
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ConversionWarning
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.func import Call
from stablemate.dialects.mhlo.frontend_attributes import frontend_text
from stablemate.execution.executable import Executable
from stablemate.fork_safety import cached_property
from stablemate.ir.core import Module as IrModule
from stablemate.ir.grid import Grid
from stablemate.ir.types import TensorType, Type
from stablemate.pjrt.callbacks.host_callbacks import bind_calls
from stablemate.pjrt.callbacks.sharding_inspection import report_shardings
from stablemate.pjrt.donation import donated_arguments
from stablemate.pjrt.foreign_functions.registry import register_targets
from stablemate.pjrt.interface.element_types import BOOLEAN, NUMBERS, TOKEN
from stablemate.pjrt.layouts import (
    LAYOUT_MODE,
    automatic_order,
    is_automatic,
    requested_order,
)
from stablemate.pjrt.options.compile_options import PjrtCompileOptions
from stablemate.pjrt.status import ErrorCode, PjrtError
from stablemate.transforms.decompositions import asynchronous_operations
from stablemate.transforms.inline import inline
from stablemate.transforms.legalization import legalize_module
from stablemate.transforms.partitioned_programs import (
    layout_attributes,
    partition_attributes,
    with_attributes,
    with_replicated_values,
    without_shardy,
)
from stablemate.transforms.partitioning.device_orders import OrderedProgram, with_ordered_meshes
from stablemate.transforms.partitioning.requested_shardings import program_shardings
from stablemate.transforms.partitioning.tiles import sharding_text
from stablemate.transforms.physical_layouts import with_physical_layouts
from stablemate.transforms.scatter_windows import discard_partial_windows
from stablemate.transforms.sdy_partition import Partitioned, partition_program
from stablemate.transforms.shardy_form import in_shardy_form

# A program of the own process is as large as its author wants.
LIMITS: Final = Limits(tensor_bytes=1 << 62, arena_bytes=1 << 62, calls=1000)
FORMATS: Final = {"mlir": None, "hlo": "hlo_proto", "hlo_with_config": None}
MEMORY_KIND: Final = "mhlo.memory_kind"
INLINEABLE: Final = "inlineable"


@dataclass(frozen=True, slots=True)
class ProgramValue:
    """An argument or a result of one device.

    Attributes:
        shape: Its sizes.
        dtype: NumPy's type of its elements.
        number: The interface's number of that type.
        memory_kind: The kind of memory that it is in.
        order: Its dimensions, major to minor; None if it is row-major.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[np.generic]
    number: int
    memory_kind: str
    order: tuple[int, ...] | None = None

    @property
    def major_to_minor(self) -> tuple[int, ...]:
        """Its dimensions, major to minor."""
        return tuple(range(len(self.shape))) if self.order is None else self.order

    @property
    def size(self) -> int:
        """The number of bytes of all elements, those of less than a byte in one each."""
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize

    @property
    def is_token(self) -> bool:
        """Whether it is a token."""
        return self.number == TOKEN


class DeviceProgram:
    """A program, compiled for one device of the grid that its options say.

    Attributes:
        code: What the caller handed over, with synchronous operations alone.
        format: The format of that.
        options: How it is compiled.
        module: The program as it was read, with XLA's meaning of scatters.
        ordered: Which devices pass its arguments and results, where these are not those that run
            the processes; None if all are.
        sharing: How devices share its arguments and results; None if it is one of pieces.
        local: The program of one device.
        executable: What runs.
        grid: Its devices.
        arguments: Its arguments on one device.
        results: Its results on one device.
        donated: The positions of arguments that are deleted after a call, each with the result that
            the caller pairs it with.
        donors: The argument whose memory each result gets, by result.
    """

    def __init__(self, code: bytes, format: str, options: PjrtCompileOptions) -> None:
        """Compiles a program.

        Raises:
            PjrtError: The format is not read.
            StablemateError: The program cannot be compiled.
        """
        if format not in FORMATS or format == "hlo_with_config":
            message = f"programs in the format {format!r} are not read; mlir and hlo are"
            raise PjrtError(ErrorCode.UNIMPLEMENTED, message)
        given = load(code, format=FORMATS[format], limits=LIMITS, name="program")
        bind_calls(given)
        synchronous = with_synchronous_operations(given)
        self.code, self.format, self.options = code, format, options
        if synchronous is not given:
            self.code, self.format = synchronous.to_artifact(mixed=True), "mlir"
        self.module = as_in_xla(synchronous)
        self.grid = Grid(options.num_replicas, options.num_partitions)
        register_targets(self.module.ir)
        self.ordered: OrderedProgram | None = None
        self.sharing = self.partition()
        self.local = self.module
        if self.sharing is not None:
            self.local = Module(self.sharing.module, self.module.format)
        entry = self.local.entry(None).operation
        self.arguments = operands(entry.type.inputs, entry.argument_attributes)
        self.results = with_automatic_layouts(
            entry, self.arguments, operands(entry.type.results, entry.result_attributes)
        )
        self.executable: Executable = self.physical().compiled("cpu", None, LIMITS, None)
        sizes = [[value.size for value in side] for side in (self.arguments, self.results)]
        self.donated = donated_arguments(entry.argument_attributes, *sizes)
        self.donors: Mapping[int, int] = {}

    def partition(self) -> Partitioned | None:
        """The program of one device, if this is one of global tensors that are divided."""
        options = self.options
        if not options.is_spmd or options.num_partitions == 1:
            return None
        self.module.verify_executable()
        module = Module(in_shardy_form(self.module.ir, hlo=True), self.module.format)
        function = module.entry(None)
        if options.num_replicas == 1:
            ordered = with_ordered_meshes(module.ir, function.operation)
            if ordered.module is not module.ir:
                self.ordered, module = ordered, Module(ordered.module, module.format)
                function = module.entry(None)
        if program_shardings(module.ir, function.operation, options.num_replicas) is None:
            return None
        name = function.own_signature.name
        sharing = partition_program(module.ir, name, options.num_replicas, gathers=True)
        report_shardings(sharing.inspections)
        return sharing

    def physical(self) -> Module:
        """The program of one device, on tensors as they are in memory."""
        orders = [[value.order for value in side] for side in (self.arguments, self.results)]
        if not any(order for side in orders for order in side):
            return self.local
        entry = self.local.entry(None).operation
        return Module(with_physical_layouts(self.local.ir, entry, *orders), self.local.format)

    @cached_property
    def optimized(self) -> tuple[bytes, str]:
        """The program of one device, which has nothing of Shardy's dialect, and its format.

        jaxlib before 0.9 reads from it how devices share arguments and results, and their layouts.
        """
        module = self.replicated if self.sharing is None else self.divided(self.sharing)
        module = inline(module, is_inlined_early)
        sides = self.arguments, self.results
        if any(value.order is not None for side in sides for value in side):
            orders = [[value.major_to_minor for value in side] for side in sides]
            module = with_attributes(without_shardy(module), layout_attributes(*orders))
        if module is self.module.ir:
            return self.code, self.format
        # Artifacts have no functions of CHLO, which the program of one device may have.
        return Module(legalize_module(module), self.local.format).to_artifact(), "mlir"

    def dump(self) -> None:
        """Writes the program of one device where the options ask for it.

        Raises:
            OSError: The directory cannot be written.
        """
        if self.options.dumps.directory is not None:
            code, format = self.optimized
            program = load(code, format=FORMATS[format], limits=LIMITS, name="program")
            with catch_warnings():  # XLA leaves out without a word what HLO has no place for
                simplefilter("ignore", ConversionWarning)
                self.options.dumps.write(program.to_hlo())

    def divided(self, sharing: Partitioned) -> IrModule:
        """The program of one device, which says how the caller's devices share its values."""
        module = without_shardy(sharing.module)
        if self.ordered is None:
            return module
        text = partial(sharding_text, sharing.devices)
        arguments = [*map(text, sharing.arguments, self.ordered.arguments)]
        results = [*map(text, sharing.results, self.ordered.results)]
        return with_attributes(module, partition_attributes(self.grid, arguments, results))

    @property
    def replicated(self) -> IrModule:
        """The program without shardings, which says so if it is one for several partitions."""
        if self.format != "mlir" or not self.options.is_spmd or self.grid.num_partitions == 1:
            return self.module.ir
        entry = self.module.entry(None).operation
        return with_replicated_values(self.module.ir, entry, self.grid)

    @property
    def name(self) -> str:
        """The name of the module."""
        return self.module.name or "main"

    @cached_property
    def fingerprint(self) -> str:
        """Identifies the program and its options."""
        return blake2b(self.code + self.options.raw, digest_size=16).hexdigest()


def is_inlined_early(call: Call) -> bool:
    """Whether the caller asks XLA to inline a call before anything else (``jax.Inline``)."""
    return frontend_text(call.discardable, INLINEABLE) == "xla_early"


def with_synchronous_operations(module: Module) -> Module:
    """A program whose collective operations are synchronous, as XLA's CPU client runs them."""
    rewritten = asynchronous_operations.as_synchronous(module.ir)
    return module if rewritten is module.ir else Module(rewritten, module.format)


def as_in_xla(module: Module) -> Module:
    """A program of the caller, whose scatters drop windows that are partly outside, as XLA's do."""
    rewritten = discard_partial_windows(module.ir)
    return module if rewritten is module.ir else Module(rewritten, module.format)


def operands(types: Sequence[Type], attributes: Sequence[object]) -> list[ProgramValue]:
    """The local arguments or results of one device."""
    return [operand(*pair) for pair in zip(types, attributes, strict=True)]


def with_automatic_layouts(
    entry: Any, arguments: Sequence[ProgramValue], results: Sequence[ProgramValue]
) -> list[ProgramValue]:
    """The results of a function; those of automatic layout lie as they need no transposition."""
    block = entry.body.block
    orders = {
        value: argument.order for value, argument in zip(block.arguments, arguments, strict=True)
    }
    triples = zip(entry.result_attributes, block.terminator.operands, results, strict=True)
    return [
        replace(result, order=automatic_order(value, orders))
        if is_automatic(attributes)
        else result
        for attributes, value, result in triples
    ]


def operand(value_type: Type, attributes: Any) -> ProgramValue:
    """An argument or a result; a token is kept as one Boolean."""
    attribute = attributes.get(MEMORY_KIND)
    kind = "device" if attribute is None else str(attribute).strip('"')
    if not isinstance(value_type, TensorType):
        return ProgramValue((), BOOLEAN, TOKEN, kind)
    dtype = value_type.element_type.dtype
    order = requested_order(attributes.get(LAYOUT_MODE), value_type.rank)
    return ProgramValue(tuple(value_type.shape), dtype, NUMBERS[dtype], kind, order)
