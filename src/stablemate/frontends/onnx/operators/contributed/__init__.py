"""Operators of ONNX Runtime's domain com.microsoft.

Source: ONNX Runtime, Contrib Operators.
"""
