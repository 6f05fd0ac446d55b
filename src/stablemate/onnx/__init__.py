"""Models of ONNX in place of ONNX Runtime: a session, and ONNX's interface of backends.

::

    import stablemate.onnx as ort

    session = ort.InferenceSession("model.onnx")
    outputs = session.run(None, {"x": x})

Source: ONNX Runtime, Python API; ONNX, onnx.backend.base.
"""

from stablemate.onnx.inference_session import (
    InferenceSession,
    IOBinding,
    NodeArg,
    OrtValue,
    RunOptions,
    SessionOptions,
    get_available_providers,
    get_device,
)

__all__ = [
    "IOBinding",
    "InferenceSession",
    "NodeArg",
    "OrtValue",
    "RunOptions",
    "SessionOptions",
    "get_available_providers",
    "get_device",
]
