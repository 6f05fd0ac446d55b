"""PyTorch on stablemate, beside PyTorch itself and its own compiler."""
