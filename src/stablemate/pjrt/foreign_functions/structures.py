"""``ctypes`` structures of XLA's foreign function interface, version 0.3.

Source: ``xla/ffi/api/c_api.h``, the structures of the same name without ``XLA_FFI_``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from typing import Final

import ml_dtypes
import numpy as np

from stablemate.numerics.elements import DType
from stablemate.pjrt.interface.structures import FieldType, Structure, structure_of

KINDS: Final[Mapping[str, FieldType]] = {
    "ptr": ctypes.c_void_p,
    "size": ctypes.c_size_t,
    "i64": ctypes.c_int64,
    "i32": ctypes.c_int32,
}
MAJOR_VERSION, MINOR_VERSION = 0, 3
METADATA: Final = 1  # XLA_FFI_Extension_Metadata
BUFFER: Final = 1  # of XLA_FFI_ArgType and XLA_FFI_RetType
ARRAY, DICTIONARY, SCALAR, STRING = 1, 2, 3, 4  # XLA_FFI_AttrType
INSTANTIATE, PREPARE, INITIALIZE, EXECUTE = range(4)  # XLA_FFI_ExecutionStage
STAGES: Final[Mapping[str, int]] = {
    "instantiate": INSTANTIATE, "prepare": PREPARE, "initialize": INITIALIZE, "execute": EXECUTE,
}  # fmt: skip
HEADER: Final = "struct_size:size extension_start:ptr"


def structure(name: str, fields: str) -> type[Structure]:
    """A structure with declared fields."""
    pairs = [field.split(":") for field in fields.split()]
    return structure_of(name, [(field, KINDS[kind]) for field, kind in pairs])


Buffer = structure("Buffer", f"{HEADER} dtype:i32 data:ptr rank:i64 dims:ptr")
ByteSpan = structure("ByteSpan", "ptr:ptr len:size")
Scalar = structure("Scalar", "dtype:i32 value:ptr")
Array = structure("Array", "dtype:i32 size:size data:ptr")
Version = structure("Version", f"{HEADER} major:i32 minor:i32")
# Args, Rets and Attrs follow one another in a call frame.
CallFrame = structure(
    "CallFrame",
    f"{HEADER} api:ptr ctx:ptr stage:i32"
    " args_struct_size:size args_extension_start:ptr num_args:i64 arg_types:ptr args:ptr"
    " rets_struct_size:size rets_extension_start:ptr num_rets:i64 ret_types:ptr rets:ptr"
    " attrs_struct_size:size attrs_extension_start:ptr num_attrs:i64 attr_types:ptr"
    " attr_names:ptr attrs:ptr future:ptr",
)
Attrs = structure("Attrs", f"{HEADER} size:i64 types:ptr names:ptr attrs:ptr")
Metadata = structure(
    "Metadata",
    "struct_size:size version_struct_size:size version_extension_start:ptr major:i32 minor:i32"
    " traits:i32 state_type_id:i64",
)
MetadataExtension = structure(
    "MetadataExtension", "struct_size:size type:i32 next:ptr metadata:ptr"
)

# Arguments of the functions of XLA_FFI_Api, in its order.
API: Final[Mapping[str, type[Structure]]] = {
    name: structure(name, f"{HEADER} {fields}")
    for name, fields in {
        "Error_Create": "message:ptr errc:i32",
        "Error_GetMessage": "error:ptr message:ptr",
        "Error_Destroy": "error:ptr",
        "Handler_Register": "",
        "Stream_Get": "ctx:ptr stream:ptr",
        "Type_Register": "name:ptr name_size:size type_id:ptr type_info:ptr",
        "ExecutionContext_Get": "ctx:ptr type_id:ptr data:ptr",
        "State_Set": "ctx:ptr stage:i32 type_id:ptr state:ptr",
        "State_Get": "ctx:ptr stage:i32 type_id:ptr state:ptr",
        "DeviceMemory_Allocate": "ctx:ptr size:size alignment:size data:ptr",
        "DeviceMemory_Free": "ctx:ptr size:size data:ptr",
        "ThreadPool_Schedule": "ctx:ptr task:ptr data:ptr",
        "ThreadPool_NumThreads": "ctx:ptr num_threads:ptr",
        "Future_Create": "future:ptr",
        "Future_SetAvailable": "future:ptr",
        "Future_SetError": "future:ptr error:ptr",
        "RunId_Get": "ctx:ptr run_id:i64",
        "DeviceOrdinal_Get": "ctx:ptr device_ordinal:i32",
    }.items()
}
TOKEN: Final = 17
NUMBERS_BY_NAME: Final[Mapping[str, int]] = {
    "bool": 1, "int1": 30, "int2": 26, "int4": 21, "int8": 2, "int16": 3, "int32": 4, "int64": 5,
    "uint1": 31, "uint2": 27, "uint4": 22, "uint8": 6, "uint16": 7, "uint32": 8, "uint64": 9,
    "float16": 10, "float32": 11, "float64": 12, "bfloat16": 16, "complex64": 15,
    "complex128": 18, "float8_e5m2": 19, "float8_e3m4": 29, "float8_e4m3": 28,
    "float8_e4m3fn": 20, "float8_e4m3b11fnuz": 23, "float8_e5m2fnuz": 24, "float8_e4m3fnuz": 25,
    "float4_e2m1fn": 32, "float8_e8m0fnu": 33,
}  # fmt: skip


def known_dtypes() -> Iterator[tuple[DType, int]]:
    """The types that NumPy has."""
    for name, number in NUMBERS_BY_NAME.items():
        dtype = getattr(ml_dtypes, name, None) or getattr(np, name, None)
        if dtype is not None:
            yield np.dtype(dtype), number


DTYPES: Final[Mapping[DType, int]] = dict(known_dtypes())
