"""Special functions, each written once over the elementary operations of ``Number``.

The carriers are expressions of the loop language, which become native code, and tensors of
StableHLO, by which CHLO is decomposed and interpreted.
"""
