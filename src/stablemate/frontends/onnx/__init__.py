"""ONNX: graphs of its operators as StableHLO.

Operators are functions in ``operators``, one module a family, registered under their names and
versions; ``importer`` walks over a model and calls them. Nothing but ``onnx_package`` touches the
package ``onnx``: it gives a ``Model``, which is plain data. An operator without a row is replaced
by the body that the standard defines for it.

Source: ONNX, Open Neural Network Exchange Intermediate Representation; Operator Schemas.
"""
