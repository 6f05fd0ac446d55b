"""Files of ONNX on stablemate, beside the runtimes that read them."""
