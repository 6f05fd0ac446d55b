"""Models of ONNX in place of ONNX Runtime: a session, and ONNX's interface of backends.

::

    import stablemate.onnx as ort

    session = ort.InferenceSession("model.onnx")
    outputs = session.run(None, {"x": x})

Source: ONNX Runtime, Python API; ONNX, onnx.backend.base.
"""

from stablemate.onnx import capi
from stablemate.onnx.binding import IOBinding
from stablemate.onnx.inference_session import InferenceSession
from stablemate.onnx.options import (
    ExecutionMode,
    ExecutionOrder,
    GraphOptimizationLevel,
    RunOptions,
    SessionOptions,
)
from stablemate.onnx.runtime import (
    disable_telemetry_events,
    enable_telemetry_events,
    get_all_providers,
    get_available_providers,
    get_build_info,
    get_device,
    get_version_string,
    preload_dlls,
    print_debug_info,
    set_default_logger_severity,
    set_default_logger_verbosity,
    set_global_thread_pool_sizes,
    set_seed,
)
from stablemate.onnx.values import ModelMetadata, NodeArg, OrtDevice, OrtValue

__version__ = get_version_string()

__all__ = [
    "ExecutionMode",
    "ExecutionOrder",
    "GraphOptimizationLevel",
    "IOBinding",
    "InferenceSession",
    "ModelMetadata",
    "NodeArg",
    "OrtDevice",
    "OrtValue",
    "RunOptions",
    "SessionOptions",
    "capi",
    "disable_telemetry_events",
    "enable_telemetry_events",
    "get_all_providers",
    "get_available_providers",
    "get_build_info",
    "get_device",
    "get_version_string",
    "preload_dlls",
    "print_debug_info",
    "set_default_logger_severity",
    "set_default_logger_verbosity",
    "set_global_thread_pool_sizes",
    "set_seed",
]
