"""A table of XLA's protocol messages: a row for each, with field numbers, names and types.

A row is ``Message: number name type, ...``, and continues on indented lines. A type is a scalar or
a message; without a type, a field is ``int64``, and ``enum`` is the number of a word. ``*`` marks a
repeated field, ``?`` a field with explicit presence, ``key->value`` a map.

Source: XLA, ``hlo.proto`` and ``xla_data.proto``. Nested message names are reduced to their last
part.
"""

from __future__ import annotations

from typing import Final

from stablemate.deferred_dataclasses import dataclass

HLO: Final = """
HloModuleProto: 1 name string, 2 entry_computation_name string,
  3 computations HloComputationProto*, 4 host_program_shape ProgramShapeProto, 5 id,
  6 entry_computation_id, 7 schedule HloScheduleProto,
  8 input_output_alias HloInputOutputAliasProto,
  10 cross_program_prefetches CrossProgramPrefetch*, 11 is_dynamic bool,
  12 spmd_output_sharding OpSharding, 13 profile_info ModuleProfile*,
  14 spmd_parameters_shardings OpSharding*, 15 device_assignment DeviceAssignmentProto,
  16 use_auto_spmd_partitioning bool, 17 stack_frame_index StackFrameIndexProto,
  18 buffer_donor HloBufferDonorProto, 19 frontend_attributes FrontendAttributes,
  20 original_value_recovery_table OriginalValueRecoveryTableProto, 21 device_type string,
  22 payloads bytes*, 23 pjrt_id?
HloComputationProto: 1 name string, 2 instructions HloInstructionProto*,
  4 program_shape ProgramShapeProto, 5 id, 6 root_id, 7 is_fusion_computation bool,
  8 execution_thread string
HloInstructionProto: 1 name string, 2 opcode string, 3 shape ShapeProto, 7 metadata OpMetadata,
  8 literal LiteralProto, 9 parameter_number, 11 fusion_kind string, 13 tuple_index,
  14 dimensions*, 15 window Window, 16 convolution_dimension_numbers ConvolutionDimensionNumbers,
  17 slice_dimensions SliceDimensions*, 18 exponent_bits int32, 19 mantissa_bits int32,
  20 dynamic_slice_sizes*, 21 padding_config PaddingConfig, 22 outfeed_config bytes,
  23 distribution enum, 24 epsilon float, 25 feature_index, 26 channel_id, 27 infeed_config bytes,
  28 custom_call_target string, 29 outfeed_shape ShapeProto,
  30 dot_dimension_numbers DotDimensionNumbers, 31 fft_type enum, 32 fft_length*,
  33 gather_dimension_numbers GatherDimensionNumbers, 34 gather_slice_sizes*, 35 id,
  36 operand_ids*, 37 control_predecessor_ids*, 38 called_computation_ids*,
  40 sharding OpSharding, 43 backend_config bytes, 45 all_reduce_id, 47 is_host_transfer bool,
  48 scatter_dimension_numbers ScatterDimensionNumbers, 49 replica_groups ReplicaGroup*,
  50 feature_group_count, 51 precision_config PrecisionConfig,
  52 source_target_pairs SourceTarget*, 54 domain_entry_sharding OpSharding,
  55 domain_exit_sharding OpSharding, 56 constrain_layout bool,
  57 operand_shapes_with_layout ShapeProto*, 58 batch_group_count,
  59 triangular_solve_options TriangularSolveOptions, 60 is_stable bool,
  61 parameter_replication ParameterReplication, 62 cholesky_options CholeskyOptions,
  63 comparison_direction string, 65 custom_call_has_side_effect bool, 66 delta,
  67 indices_are_sorted bool, 68 frontend_attributes FrontendAttributes, 69 unique_indices bool,
  70 rng_algorithm enum, 71 use_global_device_ids bool, 72 comparison_type string,
  73 is_cross_program_prefetch bool, 74 output_operand_aliasing OutputOperandAliasing*,
  75 padding_type enum, 76 custom_call_schedule enum, 77 custom_call_api_version enum,
  79 async_execution_thread string, 80 cross_program_prefetch_index int32?, 81 k,
  82 statistics_viz StatisticsViz, 85 largest bool,
  87 collective_device_list CollectiveDeviceListProto?, 88 original_value OriginalValueProto,
  89 is_composite bool, 90 ragged_dot_dimension_numbers RaggedDotDimensionNumbers,
  91 result_accuracy ResultAccuracy, 92 iota_collective_device_list IotaReplicaGroupListProto?,
  93 mesh_axes_replica_group_list MeshAxesReplicaGroupListProto?, 94 is_reverse bool,
  95 num_carries, 96 is_associative enum, 97 conv_kind enum, 98 sparsity_config SparsityConfig,
  99 backend_config_payload Payload
AliasEntryProto: 1 output_shape_index*, 2 parameter_number, 3 parameter_shape_index*, 4 kind enum
BufferDonorEntryProto: 1 parameter_number, 2 parameter_shape_index*
CrossProgramPrefetch: 1 parameter, 2 index*, 3 offset
FileLocation: 1 file_name_id int32, 2 function_name_id int32, 3 line int32, 4 column int32,
  5 end_line int32, 6 end_column int32
HloBufferDonorProto: 1 entries BufferDonorEntryProto*
HloInputOutputAliasProto: 1 entries AliasEntryProto*
HloInputs: 1 arguments LiteralProto*, 2 arguments_descriptors LiteralDescriptor*
HloModuleGroupProto: 1 name string, 2 hlo_modules HloModuleProto*
HloProto: 1 hlo_module HloModuleProto
HloScheduleProto: 1 sequences int64->InstructionSequence
HloSnapshot: 1 hlo HloProto, 2 arguments LiteralProto*, 3 result LiteralProto,
  4 execution_platform string
HloUnoptimizedSnapshot: 1 hlo_module HloModuleProto, 2 partitions HloInputs*, 3 version int32
InstructionSequence: 1 instruction_ids*
LiteralDescriptor: 1 version int32, 2 argument_size_bytes uint64
ModuleProfile: 1 profile_type enum, 2 relative_speedup double, 3 profile_source enum,
  4 compilation_event enum, 5 fingerprint string, 6 profile_generation_strategy enum,
  7 original_changelist, 8 changelist
OriginalValueRecoveryEntry: 1 old_original_array OriginalArrayProto,
  2 new_original_array OriginalArrayProto, 3 recovery_module HloModuleProto
OriginalValueRecoveryTableProto: 1 entries OriginalValueRecoveryEntry*
SliceDimensions: 1 start, 2 limit, 3 stride
StackFrame: 1 file_location_id int32, 2 parent_frame_id int32
StackFrameIndexProto: 1 file_names string*, 2 function_names string*,
  3 file_locations FileLocation*, 4 stack_frames StackFrame*
"""

DATA: Final = """
AxisRefProto: 1 mesh_axis_index, 2 sub_axis_info SubAxis?
CholeskyOptions: 1 lower bool
CollectiveDeviceListProto: 1 replica_groups ReplicaGroup*
ComputationDevice: 1 replica_device_ids*
ConvolutionDimensionNumbers: 3 kernel_input_feature_dimension, 4 kernel_output_feature_dimension,
  6 kernel_spatial_dimensions*, 7 input_batch_dimension, 8 input_feature_dimension,
  9 output_batch_dimension, 10 output_feature_dimension, 11 input_spatial_dimensions*,
  12 output_spatial_dimensions*
DeviceAssignmentProto: 1 replica_count int32, 2 computation_count int32,
  3 computation_devices ComputationDevice*
DimensionSharding: 1 axes AxisRefProto*, 2 is_closed bool
DotDimensionNumbers: 1 lhs_contracting_dimensions*, 2 rhs_contracting_dimensions*,
  3 lhs_batch_dimensions*, 4 rhs_batch_dimensions*
FrontendAttributes: 1 map string->string
GatherDimensionNumbers: 1 offset_dims*, 2 collapsed_slice_dims*, 3 start_index_map*,
  4 index_vector_dim, 5 operand_batching_dims*, 6 start_indices_batching_dims*
IotaReplicaGroupListProto: 1 num_replica_groups, 2 num_devices_per_group, 3 iota_reshape_dims*,
  4 iota_transpose_perm int32*
IotaTransform: 1 reshape_dims*, 2 transpose_perm*
LayoutProto: 1 minor_to_major*, 6 tiles TileProto*, 7 element_size_in_bits, 8 memory_space,
  9 dim_level_types enum*, 10 physical_shape ShapeProto, 11 index_primitive_type enum,
  12 pointer_primitive_type enum, 13 dim_unique bool*, 14 dim_ordered bool*,
  15 dynamic_shape_metadata_prefix_bytes, 16 tail_padding_alignment_in_elements,
  17 split_configs SplitConfigProto*
LiteralProto: 1 shape ShapeProto, 2 preds bool*, 3 u8s bytes, 4 s32s int32*, 5 s64s*,
  6 u32s uint32*, 7 u64s uint64*, 8 f32s float*, 9 f64s double*, 10 tuple_literals LiteralProto*,
  11 f16s bytes, 12 c64s float*, 13 bf16s bytes, 14 sparse_indices*, 15 s8s bytes, 16 u16s bytes,
  17 s16s bytes, 18 c128s double*, 19 f8e5m2s bytes, 20 f8e4m3fns bytes, 21 s4s bytes,
  22 u4s bytes, 23 f8e4m3b11fnuzs bytes, 24 f8e5m2fnuzs bytes, 25 f8e4m3fnuzs bytes, 26 s2s bytes,
  27 u2s bytes, 28 f8e4m3s bytes, 29 f8e3m4s bytes, 30 s1s bytes, 31 u1s bytes,
  32 f4e2m1fns bytes, 33 f8e8m0fnus bytes, 34 dynamic_sizes int32*, 35 f6e3m2fns bytes,
  36 f6e2m3fns bytes
MeshAxesReplicaGroupListProto: 1 mesh MeshProto, 2 axes AxisRefProto*
MeshAxis: 1 name string, 2 size
MeshProto: 1 axes MeshAxis*, 2 device_ids*, 3 iota_transform IotaTransform?
NamedShardingProto: 2 mesh MeshProto, 3 dim_shardings DimensionSharding*,
  4 replicated_axes AxisRefProto*, 5 unreduced_axes AxisRefProto*, 6 metadata OpMetadata*,
  7 manual_axes AxisRefProto*
OpMetadata: 1 op_type string, 2 op_name string, 3 source_file string, 4 source_line int32,
  5 profile_type enum*, 8 size_of_generated_code_in_bytes, 9 size_of_memory_working_set_in_bytes,
  10 profile_info OpProfile, 12 deduplicated_name string, 15 stack_frame_id int32,
  16 scheduling_name string, 17 source_end_line int32, 18 source_column int32,
  19 source_end_column int32, 20 metadata_payload Payload
OpProfile: 1 profile_type enum*, 2 relative_speedup double, 3 profile_source enum,
  4 compilation_event enum, 5 profile_generation_strategy enum
OpSharding: 1 type enum, 2 tile_shape ShapeProto, 3 tile_assignment_dimensions*,
  4 tile_assignment_devices*, 5 tuple_shardings OpSharding*, 6 replicate_on_last_tile_dim bool,
  7 metadata OpMetadata*, 8 last_tile_dims enum*, 9 iota_reshape_dims*,
  10 iota_transpose_perm int32*, 11 is_shard_group bool, 12 shard_group_id,
  13 shard_group_type enum, 14 named_sharding NamedShardingProto?
OriginalArrayProto: 1 instruction_name string, 2 shape_index*
OriginalValueElementProto: 1 shape_index*, 2 original_array OriginalArrayProto
OriginalValueProto: 1 elements OriginalValueElementProto*, 2 is_synthetic_call bool
OutputOperandAliasing: 1 output_shape_index*, 2 operand_index, 3 operand_shape_index*
PaddingConfig: 1 dimensions PaddingConfigDimension*
PaddingConfigDimension: 1 edge_padding_low, 2 edge_padding_high, 3 interior_padding
ParameterReplication: 1 replicated_at_leaf_buffers bool*
Payload: 1 value bytes?, 2 id?
PrecisionConfig: 1 operand_precision enum*, 2 algorithm enum
ProgramShapeProto: 1 parameters ShapeProto*, 2 result ShapeProto, 3 parameter_names string*
RaggedDotDimensionNumbers: 1 dot_dimension_numbers DotDimensionNumbers, 2 lhs_ragged_dimensions*,
  3 rhs_group_dimensions*
ReplicaGroup: 1 replica_ids*
ResultAccuracy: 1 mode enum?, 2 tolerance Tolerance?
ScatterDimensionNumbers: 1 update_window_dims*, 2 inserted_window_dims*,
  3 scatter_dims_to_operand_dims*, 4 index_vector_dim, 5 input_batching_dims*,
  6 scatter_indices_batching_dims*
ShapeProto: 2 element_type enum, 3 dimensions*, 4 tuple_shapes ShapeProto*, 5 layout LayoutProto,
  6 is_dynamic_dimension bool*
SourceTarget: 1 source, 2 target
SparsityConfig: 1 lhs TensorSparsityConfig, 2 rhs TensorSparsityConfig
SplitConfigProto: 1 dimension, 2 split_indices*
Statistic: 1 stat_name string, 2 stat_val double
StatisticsViz: 1 stat_index_to_visualize, 2 statistics Statistic*
SubAxis: 1 pre_size, 2 size
TensorSparsityConfig: 1 num_non_zero, 2 block_size, 3 dimension, 4 stride
TileProto: 1 dimensions*
Tolerance: 1 atol double, 2 rtol double, 3 ulps
TriangularSolveOptions: 1 left_side bool, 2 lower bool, 3 unit_diagonal bool, 4 transpose_a enum
Window: 1 dimensions WindowDimension*
WindowDimension: 1 size, 2 stride, 3 padding_low, 4 padding_high, 5 window_dilation,
  6 base_dilation, 7 window_reversal bool
"""


@dataclass(frozen=True, slots=True)
class MessageField:
    """A field of a message, written ``number name type``.

    Attributes:
        number: Its number on the wire.
        name: Its name.
        type: A scalar type, ``enum``, or the name of a message; of a map the type of its values.
        repeated: Whether there may be several.
        optional: Whether it has explicit presence.
        key: The type of the keys of a map; empty for other fields.
    """

    number: int
    name: str
    type: str
    repeated: bool = False
    optional: bool = False
    key: str = ""


def field_of(text: str) -> MessageField:
    """Parses one field of a row."""
    number, name, *rest = text.strip().rstrip("*?").split(" ")
    key, _, value = "".join(rest).rpartition("->")
    return MessageField(
        int(number), name, value or "int64", text.endswith("*"), text.endswith("?"), key
    )


def rows(table: str) -> dict[str, tuple[MessageField, ...]]:
    """Parses the messages of a table and their fields."""
    lines = table.strip().replace("\n  ", " ").splitlines()
    split = (line.partition(": ") for line in lines)
    return {name: tuple(field_of(part) for part in text.split(", ")) for name, _, text in split}


MESSAGES: Final = {**rows(HLO), **rows(DATA)}
