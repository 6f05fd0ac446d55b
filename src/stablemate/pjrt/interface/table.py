"""The functions of the PJRT C API and the fields of their arguments, as one table.

A row names a function without its prefix ``PJRT_``, the minor version of the interface that first
had it (57 stands for that version and all before it), and the fields of its argument structure as
``name:kind``, with ``@version`` where a field is younger than its function. The order of the rows
is the order of the functions in ``PJRT_Api``. Every structure begins with ``struct_size`` and
``extension_start``, which rows leave out; ``STRUCTURES`` lists the other structures in full.

Source: OpenXLA, ``pjrt_c_api.h`` and its change log; measured with jaxlib 0.10.2.
"""

from __future__ import annotations

from typing import Final

MAJOR_VERSION: Final = 0  # of PJRT's C interface
MINOR_VERSION: Final = 114  # of PJRT's C interface, whose fields are known here
OLDEST_VERSION: Final = 57  # of the minor versions whose fields every caller must have
# Functions whose last field old callers leave out of ``struct_size``, though the structure has it,
# with the last field that they count. This is so for PJRT_Plugin_Attributes in jaxlib 0.6.
LAST_COUNTED_FIELDS: Final = {"Plugin_Attributes": "attributes"}

FUNCTIONS: Final = """
Error_Destroy 57 error:ptr
Error_Message 57 error:ptr message:ptr message_size:size
Error_GetCode 57 error:ptr code:u32
Plugin_Initialize 57
Plugin_Attributes 57 attributes:ptr num_attributes:size
Event_Destroy 57 event:ptr
Event_IsReady 57 event:ptr is_ready:bool
Event_Error 57 event:ptr
Event_Await 57 event:ptr
Event_OnReady 57 event:ptr callback:ptr user_arg:ptr
Client_Create 57 create_options:ptr num_options:size kv_get_callback:ptr kv_get_user_arg:ptr
    kv_put_callback:ptr kv_put_user_arg:ptr client:ptr kv_try_get_callback:ptr@61
    kv_try_get_user_arg:ptr@61
Client_Destroy 57 client:ptr
Client_PlatformName 57 client:ptr platform_name:ptr platform_name_size:size
Client_ProcessIndex 57 client:ptr process_index:i32
Client_PlatformVersion 57 client:ptr platform_version:ptr platform_version_size:size
Client_Devices 57 client:ptr devices:ptr num_devices:size
Client_AddressableDevices 57 client:ptr addressable_devices:ptr num_addressable_devices:size
Client_LookupDevice 57 client:ptr id:i32 device:ptr
Client_LookupAddressableDevice 57 client:ptr local_hardware_id:i32 addressable_device:ptr
Client_AddressableMemories 57 client:ptr addressable_memories:ptr num_addressable_memories:size
Client_Compile 57 client:ptr program:ptr compile_options:ptr compile_options_size:size
    executable:ptr
Client_DefaultDeviceAssignment 57 client:ptr num_replicas:i32 num_partitions:i32
    default_assignment_size:size default_assignment:ptr
Client_BufferFromHostBuffer 57 client:ptr data:ptr type:u32 dims:ptr num_dims:size
    byte_strides:ptr num_byte_strides:size host_buffer_semantics:u32 device:ptr memory:ptr
    device_layout:ptr done_with_host_buffer:ptr buffer:ptr
DeviceDescription_Id 57 device_description:ptr id:i32
DeviceDescription_ProcessIndex 57 device_description:ptr process_index:i32
DeviceDescription_Attributes 57 device_description:ptr num_attributes:size attributes:ptr
DeviceDescription_Kind 57 device_description:ptr device_kind:ptr device_kind_size:size
DeviceDescription_DebugString 57 device_description:ptr debug_string:ptr debug_string_size:size
DeviceDescription_ToString 57 device_description:ptr to_string:ptr to_string_size:size
Device_GetDescription 57 device:ptr device_description:ptr
Device_IsAddressable 57 device:ptr is_addressable:bool
Device_LocalHardwareId 57 device:ptr local_hardware_id:i32
Device_AddressableMemories 57 device:ptr memories:ptr num_memories:size
Device_DefaultMemory 57 device:ptr memory:ptr
Device_MemoryStats 57 device:ptr bytes_in_use:i64 peak_bytes_in_use:i64
    peak_bytes_in_use_is_set:bool num_allocs:i64 num_allocs_is_set:bool largest_alloc_size:i64
    largest_alloc_size_is_set:bool bytes_limit:i64 bytes_limit_is_set:bool bytes_reserved:i64
    bytes_reserved_is_set:bool peak_bytes_reserved:i64 peak_bytes_reserved_is_set:bool
    bytes_reservable_limit:i64 bytes_reservable_limit_is_set:bool largest_free_block_bytes:i64
    largest_free_block_bytes_is_set:bool pool_bytes:i64@114 pool_bytes_is_set:bool@114
    peak_pool_bytes:i64@114 peak_pool_bytes_is_set:bool@114 peak_allocated_bytes:i64@114
    peak_allocated_bytes_is_set:bool@114
Memory_Id 57 memory:ptr id:i32
Memory_Kind 57 memory:ptr kind:ptr kind_size:size
Memory_DebugString 57 memory:ptr debug_string:ptr debug_string_size:size
Memory_ToString 57 memory:ptr to_string:ptr to_string_size:size
Memory_AddressableByDevices 57 memory:ptr devices:ptr num_devices:size
Executable_Destroy 57 executable:ptr
Executable_Name 57 executable:ptr executable_name:ptr executable_name_size:size
Executable_NumReplicas 57 executable:ptr num_replicas:size
Executable_NumPartitions 57 executable:ptr num_partitions:size
Executable_NumOutputs 57 executable:ptr num_outputs:size
Executable_SizeOfGeneratedCodeInBytes 57 executable:ptr size_in_bytes:i64
Executable_GetCostAnalysis 57 executable:ptr num_properties:size properties:ptr
Executable_OutputMemoryKinds 57 executable:ptr num_outputs:size memory_kinds:ptr
    memory_kind_sizes:ptr
Executable_OptimizedProgram 57 executable:ptr program:ptr
Executable_Serialize 57 executable:ptr serialized_bytes:ptr serialized_bytes_size:size
    serialized_executable:ptr serialized_executable_deleter:ptr
LoadedExecutable_Destroy 57 executable:ptr
LoadedExecutable_GetExecutable 57 loaded_executable:ptr executable:ptr
LoadedExecutable_AddressableDevices 57 executable:ptr addressable_devices:ptr
    num_addressable_devices:size
LoadedExecutable_Delete 57 executable:ptr
LoadedExecutable_IsDeleted 57 executable:ptr is_deleted:bool
LoadedExecutable_Execute 57 executable:ptr options:ptr argument_lists:ptr num_devices:size
    num_args:size output_lists:ptr device_complete_events:ptr execute_device:ptr
Executable_DeserializeAndLoad 57 client:ptr serialized_executable:ptr
    serialized_executable_size:size loaded_executable:ptr
    overridden_serialized_compile_options:ptr@71
    overridden_serialized_compile_options_size:size@71 load_options:ptr@114
LoadedExecutable_Fingerprint 57 executable:ptr executable_fingerprint:ptr
    executable_fingerprint_size:size
Buffer_Destroy 57 buffer:ptr
Buffer_ElementType 57 buffer:ptr type:u32
Buffer_Dimensions 57 buffer:ptr dims:ptr num_dims:size
Buffer_UnpaddedDimensions 57 buffer:ptr unpadded_dims:ptr num_dims:size
Buffer_DynamicDimensionIndices 57 buffer:ptr dynamic_dim_indices:ptr num_dynamic_dims:size
Buffer_GetMemoryLayout 57 buffer:ptr layout:layout
Buffer_OnDeviceSizeInBytes 57 buffer:ptr on_device_size_in_bytes:size
Buffer_Device 57 buffer:ptr device:ptr
Buffer_Memory 57 buffer:ptr memory:ptr
Buffer_Delete 57 buffer:ptr
Buffer_IsDeleted 57 buffer:ptr is_deleted:bool
Buffer_CopyToDevice 57 buffer:ptr dst_device:ptr dst_buffer:ptr
Buffer_ToHostBuffer 57 src:ptr host_layout:ptr dst:ptr dst_size:size event:ptr
Buffer_IsOnCpu 57 buffer:ptr is_on_cpu:bool
Buffer_ReadyEvent 57 buffer:ptr event:ptr
Buffer_UnsafePointer 57 buffer:ptr buffer_pointer:size
Buffer_IncreaseExternalReferenceCount 57 buffer:ptr
Buffer_DecreaseExternalReferenceCount 57 buffer:ptr
Buffer_OpaqueDeviceMemoryDataPointer 57 buffer:ptr device_memory_ptr:ptr
CopyToDeviceStream_Destroy 57 stream:ptr
CopyToDeviceStream_AddChunk 57 stream:ptr chunk:ptr transfer_complete:ptr
CopyToDeviceStream_TotalBytes 57 stream:ptr total_bytes:i64
CopyToDeviceStream_GranuleSize 57 stream:ptr granule_size_in_bytes:i64
CopyToDeviceStream_CurrentBytes 57 stream:ptr current_bytes:i64
TopologyDescription_Create 57 topology_name:ptr topology_name_size:size create_options:ptr
    num_options:size topology:ptr
TopologyDescription_Destroy 57 topology:ptr
TopologyDescription_PlatformName 57 topology:ptr platform_name:ptr platform_name_size:size
TopologyDescription_PlatformVersion 57 topology:ptr platform_version:ptr
    platform_version_size:size
TopologyDescription_GetDeviceDescriptions 57 topology:ptr descriptions:ptr num_descriptions:size
TopologyDescription_Serialize 57 topology:ptr serialized_bytes:ptr serialized_bytes_size:size
    serialized_topology:ptr serialized_topology_deleter:ptr
TopologyDescription_Attributes 57 topology:ptr attributes:ptr num_attributes:size
Compile 57 topology:ptr program:ptr compile_options:ptr compile_options_size:size client:ptr
    executable:ptr
Executable_OutputElementTypes 57 executable:ptr output_types:ptr num_output_types:size
Executable_OutputDimensions 57 executable:ptr num_outputs:size dims:ptr dim_sizes:ptr
Buffer_CopyToMemory 57 buffer:ptr dst_memory:ptr dst_buffer:ptr
Client_CreateViewOfDeviceBuffer 57 client:ptr device_buffer_ptr:ptr dims:ptr num_dims:size
    element_type:u32 layout:ptr device:ptr on_delete_callback:ptr on_delete_callback_arg:ptr
    stream:i64 buffer:ptr memory:ptr@66
Executable_Fingerprint 57 executable:ptr executable_fingerprint:ptr
    executable_fingerprint_size:size
Client_TopologyDescription 57 client:ptr topology:ptr
Executable_GetCompiledMemoryStats 57 executable:ptr generated_code_size_in_bytes:i64
    argument_size_in_bytes:i64 output_size_in_bytes:i64 alias_size_in_bytes:i64
    temp_size_in_bytes:i64 host_generated_code_size_in_bytes:i64 host_argument_size_in_bytes:i64
    host_output_size_in_bytes:i64 host_alias_size_in_bytes:i64 host_temp_size_in_bytes:i64
    peak_memory_in_bytes:i64@72 total_size_in_bytes:i64@90 total_allocation_bytes:i64@104
    indefinite_allocations:i64@104 peak_unpadded_heap_bytes:i64@104
Memory_Kind_Id 57 memory:ptr kind_id:i32
ExecuteContext_Create 57 context:ptr
ExecuteContext_Destroy 57 context:ptr
Buffer_CopyRawToHost 57 buffer:ptr dst:ptr offset:i64 transfer_size:i64 event:ptr
AsyncHostToDeviceTransferManager_Destroy 57 transfer_manager:ptr
AsyncHostToDeviceTransferManager_TransferData 57 transfer_manager:ptr buffer_index:i32 data:ptr
    offset:i64 transfer_size:i64 is_last_transfer:bool done_with_h2d_transfer:ptr
Client_CreateBuffersForAsyncHostToDevice 60 client:ptr shape_specs:ptr num_shape_specs:size
    device_layouts:ptr num_device_layouts:size memory:ptr transfer_manager:ptr
AsyncHostToDeviceTransferManager_RetrieveBuffer 57 transfer_manager:ptr buffer_index:i32
    buffer_out:ptr
AsyncHostToDeviceTransferManager_Device 57 transfer_manager:ptr device_out:ptr
AsyncHostToDeviceTransferManager_BufferCount 57 transfer_manager:ptr buffer_count:size
AsyncHostToDeviceTransferManager_BufferSize 57 transfer_manager:ptr buffer_index:i32
    buffer_size:size
AsyncHostToDeviceTransferManager_SetBufferError 57 transfer_manager:ptr buffer_index:i32
    error_code:u32 error_message:ptr error_message_size:size
AsyncHostToDeviceTransferManager_AddMetadata 57 transfer_manager:ptr transfer_metadata:ptr
    num_metadata:size
Client_DmaMap 67 client:ptr data:ptr size:size
Client_DmaUnmap 67 client:ptr data:ptr
Client_CreateUninitializedBuffer 69 client:ptr shape_dims:ptr shape_num_dims:size
    shape_element_type:u32 shape_layout:ptr device:ptr memory:ptr buffer:ptr
Client_UpdateGlobalProcessInfo 73 client:ptr process_infos:ptr num_process_infos:size
TopologyDescription_Deserialize 75 serialized_topology:ptr serialized_topology_size:size
    topology:ptr
Client_CreateAliasBuffer 77 client:ptr memory:ptr shape_dims:ptr shape_num_dims:size
    shape_element_type:u32 shape_layout:ptr alias_buffer:ptr fulfill_alias_buffer_cb:ptr
Client_FulfillAliasBuffer 77 client:ptr buffer:ptr status_code:u32 error_message:ptr
    error_message_size:size fulfill_alias_buffer_cb:ptr
LoadedExecutable_GetDeviceAssignment 79 executable:ptr serialized_bytes:ptr
    serialized_bytes_size:size serialized_device_assignment:ptr
    serialized_device_assignment_deleter:ptr
Client_CreateErrorBuffer 82 client:ptr error_code:u32 error_message:ptr error_message_size:size
    shape_dims:ptr shape_num_dims:size shape_element_type:u32 shape_layout:ptr memory:ptr
    buffer:ptr payload:ptr@103 num_payload:size@103
AsyncHostToDeviceTransferManager_TransferLiteral 83 transfer_manager:ptr buffer_index:i32 data:ptr
    shape_dims:ptr shape_num_dims:size shape_element_type:u32 shape_layout:ptr
    done_with_h2d_transfer:ptr
Buffer_CopyRawToHostFuture 84 buffer:ptr offset:i64 transfer_size:i64 event:ptr callback_data:ptr
    future_ready_callback:ptr
Device_PoisonExecution 85 device:ptr launch_id:i32 error_code:u32 error_message:ptr
    error_message_size:size poisoned:bool payload:ptr@100 num_payload:size@100
Device_CreateAsyncTrackingEvent 86 device:ptr description:ptr description_size:size event:ptr
AsyncTrackingEvent_Destroy 86 event:ptr
Executable_GetCompileOptions 87 executable:ptr serialized_bytes:ptr serialized_bytes_size:size
    serialized_compile_options:ptr serialized_compile_options_deleter:ptr
Buffer_DonateWithControlDependency 88 buffer:ptr callback_data:ptr dependency_ready_callback:ptr
    out_buffer:ptr
Event_Create 89 event:ptr
Event_Set 89 event:ptr error_code:u32 error_message:ptr error_message_size:size
Device_GetAttributes 92 device:ptr attributes:ptr num_attributes:size device_attributes:ptr
    attributes_deleter:ptr
Client_Load 95 client:ptr executable:ptr compile_options:ptr compile_options_size:size
    loaded_executable:ptr
LoadedExecutable_AddressableDeviceLogicalIds 96 executable:ptr addressable_device_logical_ids:ptr
    num_addressable_device_logical_ids:size
Buffer_Bitcast 98 buffer:ptr element_type:u32 dims:ptr num_dims:size device_layout:ptr
    out_buffer:ptr
Error_ForEachPayload 99 error:ptr visitor:ptr user_arg:ptr
TopologyDescription_Fingerprint 101 topology:ptr fingerprint:size
Executable_ParameterMemoryKinds 102 executable:ptr num_parameters:size memory_kinds:ptr
    memory_kind_sizes:ptr
Device_ClearMemoryStats 114 device:ptr
TopologyDescription_MakeCanonicalShapeForMemorySpace 114 topology:ptr memory_space_kind_id:i32
    dims:ptr num_dims:size element_type:u32 layout:ptr serialized_shape:ptr
    serialized_shape_size:size serialized_shape_deleter:ptr
TopologyDescription_GetMemorySpaceKindIds 114 topology:ptr memory_space_kind_ids:ptr
    num_memory_space_kind_ids:size
"""

STRUCTURES: Final = """
ExecuteOptions struct_size:size extension_start:ptr send_callbacks:ptr recv_callbacks:ptr
    num_send_ops:size num_recv_ops:size launch_id:i32 non_donatable_input_indices:ptr
    num_non_donatable_input_indices:size context:ptr@64 call_location:ptr@76 num_tasks:size@78
    task_ids:ptr@78 incarnation_ids:ptr@78 multi_slice_config:ptr@97
    use_major_to_minor_data_layout_for_callbacks:bool@114 hlo_output_callbacks:ptr@114
    num_hlo_output_callbacks:size@114
NamedValue struct_size:size extension_start:ptr name:ptr name_size:size type:u32 value:u64
    value_size:size
Program struct_size:size extension_start:ptr code:ptr code_size:size format:ptr format_size:size
Extension_Base struct_size:size type:i32 next:ptr
Api_Version struct_size:size extension_start:ptr major_version:i32 minor_version:i32
ShapeSpec struct_size:size extension_start:ptr dims:ptr num_dims:size element_type:u32
Layouts_PJRT_Buffer_MemoryLayout_Args struct_size:size extension_start:ptr buffer:ptr layout:ptr
Layouts_MemoryLayout_Serialize_Args struct_size:size extension_start:ptr layout:ptr
    serialized_bytes:ptr serialized_bytes_size:size serialized_layout:ptr
    serialized_layout_deleter:ptr
Layouts_MemoryLayout_Destroy_Args struct_size:size extension_start:ptr layout:ptr
Layouts_PJRT_Client_GetDefaultLayout_Args struct_size:size extension_start:ptr client:ptr type:u32
    dims:ptr num_dims:size layout:ptr
Layouts_PJRT_Topology_GetDefaultLayout_Args struct_size:size extension_start:ptr
    topology_description:ptr type:u32 dims:ptr num_dims:size layout:ptr
Layouts_PJRT_Executable_GetOutputLayouts_Args struct_size:size extension_start:ptr executable:ptr
    num_outputs:size layouts:ptr
Layouts_PJRT_Executable_GetParameterLayouts_Args struct_size:size extension_start:ptr
    executable:ptr num_parameters:size layouts:ptr
FFI_Register_Handler_Args struct_size:size target_name:ptr target_name_size:size handler:ptr
    platform_name:ptr platform_name_size:size traits:u32
Shardings_Executable_parameters struct_size:size extension_start:ptr executable:ptr
    num_parameters:size shardings:ptr sharding_sizes:ptr
Shardings_Executable_outputs struct_size:size extension_start:ptr executable:ptr
    num_outputs:size shardings:ptr sharding_sizes:ptr
"""
