"""PyTorch: ``torch.compile(model, backend="stablemate")`` and ``from_torch``.

Source: PyTorch, custom backends of torch.compile, AOTAutograd, torch.export.
"""
