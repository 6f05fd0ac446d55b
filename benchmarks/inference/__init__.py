"""Inference of PyTorch's models on stablemate, beside the runtimes that models are exported to."""
