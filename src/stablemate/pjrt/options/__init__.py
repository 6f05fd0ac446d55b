"""Compile options: in goes a serialized ``CompileOptionsProto``, out come its fields that count.

The values of XLA's own options are checked by jaxlib, and have no effect.
"""
