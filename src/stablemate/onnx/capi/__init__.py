"""Where programs look for the errors of ONNX Runtime."""

from stablemate.onnx.capi import onnxruntime_pybind11_state

__all__ = ["onnxruntime_pybind11_state"]
