"""The errors of stablemate by the names that ONNX Runtime gives them.

Source: ONNX Runtime, Python API.
"""

from stablemate.diagnostics.errors import ArgumentError as InvalidArgument
from stablemate.diagnostics.errors import CompileError as EPFail
from stablemate.diagnostics.errors import EvaluationError as RuntimeException
from stablemate.diagnostics.errors import MissingFileError as NoSuchFile
from stablemate.diagnostics.errors import ParseError as InvalidProtobuf
from stablemate.diagnostics.errors import StablemateError as Fail
from stablemate.diagnostics.errors import UnsupportedError as NotImplemented

InvalidGraph = NoModel = ModelLoaded = ModelLoadCanceled = ModelRequiresCompilation = Fail
EngineError = DeviceReset = NotFound = Fail

__all__ = [
    "DeviceReset",
    "EPFail",
    "EngineError",
    "Fail",
    "InvalidArgument",
    "InvalidGraph",
    "InvalidProtobuf",
    "ModelLoadCanceled",
    "ModelLoaded",
    "ModelRequiresCompilation",
    "NoModel",
    "NoSuchFile",
    "NotFound",
    "NotImplemented",
    "RuntimeException",
]
