"""PyTorch: graphs of ATen operators as StableHLO.

Operators are functions in ``operators``, one module a family, registered under their names
(``aten.add.Tensor``); ``importer`` walks over a graph and calls them. Nothing but ``importer`` and
``pytorch`` touches objects of PyTorch: operators are told tensors, sizes and element types of ours.

Source: PyTorch, torch.fx, IRs (Core ATen IR), torch.export.
"""
