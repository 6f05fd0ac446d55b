"""The backend of TorchDynamo: ``torch.compile(model, backend="stablemate")``."""
