"""The Shardy dialect: how tensors are divided among the devices of a mesh."""
