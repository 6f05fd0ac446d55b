"""The values of attributes of instructions and modules that are more than numbers and names.

Every class here is frozen and compared by value. Text and protocol buffers are written from these
alone, so a value keeps all that either form distinguishes.

Source: XLA, ``xla_data.proto`` and ``hlo.proto``.
"""

from __future__ import annotations

from dataclasses import field
from itertools import pairwise
from math import prod
from typing import Literal, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.xla.shape import Shape

Index: TypeAlias = tuple[int, ...]  # of a part of a tuple, from the outside in


# ---- windows, convolutions, padding, slices


@dataclass(frozen=True, slots=True)
class WindowDimension:
    """How a window moves along one dimension."""

    size: int
    stride: int = 1
    low: int = 0
    high: int = 0
    base_dilation: int = 1
    window_dilation: int = 1
    reversal: bool = False


@dataclass(frozen=True, slots=True)
class ConvolutionDimensions:
    """``dim_labels=b01f_01io->b01f``: which dimension is what; spatial ones in their order.

    UNUSED_DIMENSION numbers (``?`` in text) are those that none of the lists names.
    """

    input_batch: int
    input_feature: int
    input_spatial: tuple[int, ...]
    kernel_input_feature: int
    kernel_output_feature: int
    kernel_spatial: tuple[int, ...]
    output_batch: int
    output_feature: int
    output_spatial: tuple[int, ...]
    unused: tuple[int, int, int] = (0, 0, 0)  # how many ``?`` input, kernel and output have


@dataclass(frozen=True, slots=True)
class PaddingDimension:
    """``low_high_interior`` of pad; negative edges crop."""

    low: int
    high: int
    interior: int = 0


@dataclass(frozen=True, slots=True)
class SliceDimension:
    """``[start:limit:stride]``."""

    start: int
    limit: int
    stride: int = 1


# ---- processes


@dataclass(frozen=True, slots=True)
class ListedGroups:
    """``{{0,1},{2,3}}``: replica groups, one by one."""

    groups: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class IotaTiles:
    """``[4,2]<=[2,4]T(1,0)``: devices counted up, reshaped, transposed, reshaped.

    Attributes:
        dimensions: The final shape; of replica groups their number and size.
        reshape: The shape in which the devices are counted.
        permutation: How that shape is transposed.
    """

    dimensions: tuple[int, ...]
    reshape: tuple[int, ...]
    permutation: tuple[int, ...]

    def simplify(self) -> IotaTiles:
        """The same order of devices with as few dimensions as possible.

        Dimensions of size one are dropped; neighbors that remain adjacent are merged.
        """
        kept = [i for i in self.permutation if self.reshape[i] != 1]
        runs: list[list[int]] = []
        present = sorted(kept)
        follower = dict(pairwise(present))
        for i in kept:
            if runs and follower.get(runs[-1][-1]) == i:
                runs[-1].append(i)
            else:
                runs.append([i])
        ordered = sorted(range(len(runs)), key=lambda r: runs[r][0])
        sizes = tuple(prod(self.reshape[i] for i in runs[r]) for r in ordered)
        rank = {r: position for position, r in enumerate(ordered)}
        permutation = tuple(rank[r] for r in range(len(runs)))
        if not sizes:
            return IotaTiles(self.dimensions, (1,), (0,))
        return IotaTiles(self.dimensions, sizes, permutation)


@dataclass(frozen=True, slots=True)
class HloMesh:
    """``mesh['x'=2,'y'=4]``: axes with names and sizes; devices in another order if given.

    Attributes:
        axes: Names and sizes.
        device_ids: The devices, listed; empty when they are counted.
        iota: How they are counted; None for ``0, 1, 2, ...``.
    """

    axes: tuple[tuple[str, int], ...]
    device_ids: tuple[int, ...] = ()
    iota: IotaTiles | None = None


@dataclass(frozen=True, slots=True)
class HloAxisRef:
    """An axis of a mesh, ``'x'``, or a part of one, ``'x':(1)2`` (size before it, its size)."""

    axis: int
    sub_axis: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class MeshGroups:
    """``mesh['x'=2,'y'=2] {'x'}``: groups of processes that differ in these axes only."""

    mesh: HloMesh
    axes: tuple[HloAxisRef, ...]


ReplicaGroups: TypeAlias = ListedGroups | IotaTiles | MeshGroups


# ---- metadata


@dataclass(frozen=True, slots=True)
class Payload:
    """Bytes kept beside an instruction, or the number of a payload of the module."""

    value: bytes | None = None
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """``metadata={op_type="dot" op_name="..." source_file="a.py" source_line=3}``."""

    op_type: str = ""
    op_name: str = ""
    source_file: str = ""
    source_line: int = 0
    source_end_line: int = 0
    source_column: int = 0
    source_end_column: int = 0
    stack_frame_id: int = 0
    profile_type: tuple[int, ...] = ()
    deduplicated_name: str = ""
    scheduling_name: str = ""
    payload: Payload | None = None
    unknown: bytes = field(default=b"", repr=False)  # fields of a protocol without a text form


@dataclass(frozen=True, slots=True)
class HloStatistics:
    """``statistics={visualizing_index=1,name=33.5}``."""

    visualizing_index: int
    entries: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class OriginalArray:
    """``{"instruction" {index}}``: where a value came from before passes changed the program."""

    instruction: str
    index: Index = ()


@dataclass(frozen=True, slots=True)
class OriginalValue:
    """``origin={(...)}``: the original array of each leaf; None where it is not known."""

    leaves: tuple[tuple[Index, OriginalArray | None], ...] = ()
    synthetic_call: bool = False


# ---- shardings

ShardingKind = Literal["replicated", "maximal", "manual", "unknown", "unreduced", "tiled", "tuple"]


@dataclass(frozen=True, slots=True)
class ShardGroup:
    """``shard_as 5`` or ``shard_like 5``."""

    id: int
    like: bool = False


@dataclass(frozen=True, slots=True)
class HloDimensionSharding:
    """``{'x', ?}``: the axes that split a dimension; open ones may get more."""

    axes: tuple[HloAxisRef, ...]
    closed: bool = True


@dataclass(frozen=True, slots=True)
class HloNamedSharding:
    """``{mesh['x'=2], [{'x'}], replicated={...}}``: a sharding by the axes of a mesh."""

    mesh: HloMesh
    dimensions: tuple[HloDimensionSharding, ...] = ()
    replicated: tuple[HloAxisRef, ...] = ()
    unreduced: tuple[HloAxisRef, ...] = ()
    manual: tuple[HloAxisRef, ...] = ()
    whole: Literal["", "replicated", "manual", "unreduced", "maximal"] = ""


@dataclass(frozen=True, slots=True)
class HloSharding:
    """``sharding={...}`` (``OpSharding``).

    Attributes:
        kind: What it says; ``tiled`` has an assignment, ``tuple`` has elements.
        devices: The one device of ``maximal``; the listed devices of ``tiled``.
        dimensions: The shape of the tile assignment.
        iota: Instead of ``devices``, when the devices are counted.
        last_tile_dims: Kinds of the trailing dimensions of the assignment (subgroups).
        replicate_on_last_tile_dim: Whether the last one replicates, written in the short form.
        elements: The shardings of the leaves.
        group: A shard group.
        named: The form with named axes; then all else is empty.
        metadata: What it was derived from.
    """

    kind: ShardingKind
    devices: tuple[int, ...] = ()
    dimensions: tuple[int, ...] = ()
    iota: IotaTiles | None = None
    last_tile_dims: tuple[ShardingKind, ...] = ()
    replicate_on_last_tile_dim: bool = False
    elements: tuple[HloSharding, ...] = ()
    group: ShardGroup | None = None
    named: HloNamedSharding | None = None
    metadata: tuple[Metadata, ...] = ()


@dataclass(frozen=True, slots=True)
class HloDomain:
    """``domain={kind="sharding", entry={...}, exit={...}}``."""

    kind: str
    entry: HloSharding
    exit: HloSharding


# ---- aliasing and the rest


@dataclass(frozen=True, slots=True)
class OutputOperandAlias:
    """``{output index}: (operand, {operand index})`` of custom calls, fusions, async starts."""

    output_index: Index
    operand: int
    operand_index: Index = ()


@dataclass(frozen=True, slots=True)
class InputOutputAlias:
    """``{output index}: (parameter, {index}, may-alias)`` of a module."""

    output_index: Index
    parameter: int
    parameter_index: Index = ()
    must: bool = False


@dataclass(frozen=True, slots=True)
class BufferDonor:
    """``(parameter, {index})`` of a module."""

    parameter: int
    parameter_index: Index = ()


@dataclass(frozen=True, slots=True)
class CrossProgramPrefetch:
    """A parameter that may be prefetched before the program runs, at an offset in fast memory."""

    parameter: int
    index: Index = ()
    offset: int = 0


@dataclass(frozen=True, slots=True)
class ResultAccuracy:
    """``result_accuracy={mode=highest}`` or ``{tolerance={atol=0,rtol=0,ulps=2}}``."""

    mode: Literal["", "default", "highest"] = ""
    atol: float = 0.0
    rtol: float = 0.0
    ulps: int = 0


@dataclass(frozen=True, slots=True)
class SparsitySide:
    """Structured sparsity of one operand of a convolution."""

    non_zeros: int
    block_size: int
    dimension: int
    stride: int


@dataclass(frozen=True, slots=True)
class SparsityConfig:
    """``sparsity_config`` of convolution."""

    lhs: SparsitySide | None = None
    rhs: SparsitySide | None = None


@dataclass(frozen=True, slots=True)
class ProgramShape:
    """``(shape, ...)->shape``: the layouts at the border of a module; names where they are kept."""

    parameters: tuple[Shape, ...]
    result: Shape
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileLocationRow:
    """A row of the table ``FileLocations``; file and function are numbers of rows, from 1."""

    file: int
    function: int
    line: int = 0
    end_line: int = 0
    column: int = 0
    end_column: int = 0


@dataclass(frozen=True, slots=True)
class StackFrame:
    """A row of the table ``StackFrames``; 0 is no parent (text shows the number plus one)."""

    location: int
    parent: int = 0


@dataclass(frozen=True, slots=True)
class StackFrames:
    """The tables of stack frames that ``metadata`` refers to."""

    files: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    locations: tuple[FileLocationRow, ...] = ()
    frames: tuple[StackFrame, ...] = ()
