"""What stablemate uses of ONNX's package."""
