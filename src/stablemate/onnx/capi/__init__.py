"""Where programs look for the errors of ONNX Runtime."""
