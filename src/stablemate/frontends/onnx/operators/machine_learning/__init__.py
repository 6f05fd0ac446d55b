"""Operators of ai.onnx.ml: models and features of scikit-learn, LightGBM and XGBoost.

Source: ONNX, Operator Schemas of ai.onnx.ml.
"""
