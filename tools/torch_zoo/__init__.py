"""Models of PyTorch's libraries with random weights, and how they are compared with PyTorch."""
