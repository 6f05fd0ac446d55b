"""HLO modules: instructions, computations, modules; a faithful tree of frozen values.

A tree names what it refers to: operands are names of instructions of the same computation, called
computations are names in the module. Two trees are equal when all that text can say is; ids of
protocol buffers and places in a source are kept beside it.

Source: XLA, ``hlo.proto``; the text form as XLA prints it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.source import Span
from stablemate.fork_safety import cached_property
from stablemate.xla.shape import Shape
from stablemate.xla.values import (
    BufferDonor,
    CrossProgramPrefetch,
    HloSharding,
    InputOutputAlias,
    ProgramShape,
    StackFrames,
)

Attributes = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HloInstruction:
    """``name = shape opcode(operands), attributes``.

    Attributes:
        name: Unique in its computation, without ``%``.
        opcode: As in text.
        shape: Of the result, with layouts.
        operands: Names of instructions that stand before it.
        attributes: By the names that text gives them (``opcodes.ATTRIBUTES`` tells what each
            holds), those at their defaults left out. Two have no name in text: ``literal`` of
            constants and ``parameter_number``, which stand between the parentheses.
        id: Its number in a protocol buffer, if it came from one.
        span: Where it stands in the source; the name.
    """

    name: str
    opcode: str
    shape: Shape
    operands: tuple[str, ...] = ()
    attributes: Attributes = field(default_factory=dict[str, object])
    id: int | None = field(default=None, compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class HloComputation:
    """``name (parameters) -> result { instructions }``.

    Attributes:
        name: Unique in the module, without ``%``.
        instructions: Operands before users.
        root: The name of the instruction that is the result.
        schedule: The names of the instructions in the order in which they run; None without one.
        execution_thread: The thread that it runs on.
        is_fusion: Whether it is the body of a fusion.
        id: Its number in a protocol buffer, if it came from one.
        span: Where it stands in the source; the name.
    """

    name: str
    instructions: tuple[HloInstruction, ...]
    root: str
    schedule: tuple[str, ...] | None = None
    execution_thread: str = "main"
    is_fusion: bool = False
    id: int | None = field(default=None, compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)

    @cached_property
    def by_name(self) -> Mapping[str, HloInstruction]:
        """Indexes the instructions by name."""
        return {instruction.name: instruction for instruction in self.instructions}

    @cached_property
    def parameters(self) -> tuple[HloInstruction, ...]:
        """The parameters in the order of their numbers."""
        parameters = [
            instruction for instruction in self.instructions if instruction.opcode == "parameter"
        ]
        return tuple(
            sorted(parameters, key=lambda parameter: parameter.attributes["parameter_number"])
        )

    @property
    def result(self) -> HloInstruction:
        """The root instruction, whose value the computation returns."""
        return self.by_name[self.root]

    @cached_property
    def program_shape(self) -> ProgramShape:
        """Shapes of parameters and result, as the instructions have them."""
        parameters = self.parameters
        return ProgramShape(
            tuple(parameter.shape for parameter in parameters),
            self.result.shape,
            tuple(parameter.name for parameter in parameters),
        )


@dataclass(frozen=True)
class HloModule:
    """``HloModule name, attributes`` and its computations.

    Attributes:
        name: Its name.
        computations: Callees before callers.
        entry: The name of the computation that runs.
        is_scheduled: Whether the order of instructions is the order in which they run.
        entry_layout: Shapes and layouts at the border; they may differ from those inside.
        input_output_alias: Results that may or must lie where an argument did.
        buffer_donors: Arguments whose memory may be used for results.
        alias_passthrough_params: Whether parameters that are results alias them.
        propagate_sharding_to_parameters: One for each parameter, or for all; empty if not stated.
        propagate_sharding_to_output: One for each result, or for all; empty if not stated.
        replica_count: How many replicas run it.
        num_partitions: How many partitions run it.
        frontend_attributes: What frameworks noted.
        origin_recovery: Rows of ``origin_recovery_table``, as they were written.
        stack_frames: Tables that ``metadata`` refers to.
        is_dynamic: Whether shapes are dynamic; text does not hold this nor what follows.
        use_auto_spmd_partitioning: Whether the partitioner chooses shardings.
        cross_program_prefetches: Parameters that may be prefetched before the program runs.
        spmd_output_sharding: The sharding of the result before it was partitioned.
        spmd_parameters_shardings: Those of the parameters.
        proto_only: What else a protocol buffer holds and text does not, by the names of its fields.
    """

    name: str
    computations: tuple[HloComputation, ...]
    entry: str
    is_scheduled: bool = False
    entry_layout: ProgramShape | None = None
    input_output_alias: tuple[InputOutputAlias, ...] = ()
    buffer_donors: tuple[BufferDonor, ...] = ()
    alias_passthrough_params: bool = False
    propagate_sharding_to_parameters: tuple[bool, ...] = ()
    propagate_sharding_to_output: tuple[bool, ...] = ()
    replica_count: int = 1
    num_partitions: int = 1
    frontend_attributes: Mapping[str, str] = field(default_factory=dict[str, str])
    origin_recovery: tuple[OriginRecovery, ...] = ()
    stack_frames: StackFrames | None = None
    is_dynamic: bool = field(default=False, compare=False)
    use_auto_spmd_partitioning: bool = field(default=False, compare=False)
    cross_program_prefetches: tuple[CrossProgramPrefetch, ...] = field(default=(), compare=False)
    spmd_output_sharding: HloSharding | None = field(default=None, compare=False)
    spmd_parameters_shardings: tuple[HloSharding, ...] = field(default=(), compare=False)
    proto_only: Mapping[str, Any] = field(
        default_factory=dict[str, object], compare=False, repr=False
    )

    @cached_property
    def by_name(self) -> Mapping[str, HloComputation]:
        """Indexes the computations by name."""
        return {computation.name: computation for computation in self.computations}

    @property
    def entry_computation(self) -> HloComputation:
        """The computation at which execution begins."""
        return self.by_name[self.entry]


@dataclass(frozen=True, slots=True)
class OriginRecovery:
    """A row of ``origin_recovery_table``: how an original array follows from another.

    Attributes:
        old: The array that is gone, as ``(instruction, index)``.
        new: The array that it follows from.
        module: The program that computes it; None if it is the same.
    """

    old: tuple[str, tuple[int, ...]]
    new: tuple[str, tuple[int, ...]]
    module: HloModule | None = None
