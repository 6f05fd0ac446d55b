"""Models of ONNX quantized to 8 bits by ONNX Runtime's own tools."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

RANDOM_INPUTS: Final = 3  # beside those of the benchmark, which set the ranges of activations


def quantize(model: Path, inputs: Sequence[Any]) -> None:
    """Replaces a model by the one with a quantization before and behind each operation (QDQ).

    Activations are unsigned, weights signed, with a scale for each output feature and 7 bits: on
    processors without VNNI ONNX Runtime adds pairs of products in 16 bits, which overflow with 8.

    Args:
        model: The file of ONNX.
        inputs: The inputs of the benchmark, in the order of the model's.
    """
    import onnx
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType
    from onnxruntime.quantization import quantize_static as quantized
    from onnxruntime.quantization.shape_inference import quant_pre_process

    names = [argument.name for argument in onnx.load(model).graph.input]

    class Inputs(CalibrationDataReader):  # type: ignore[misc]
        """The inputs that are run to find the ranges."""

        def __init__(self) -> None:
            random = np.random.default_rng(0)
            drawn = [
                [random.standard_normal(array.shape).astype(array.dtype) for array in inputs]
                for _ in range(RANDOM_INPUTS)
            ]
            self.left = iter([list(inputs), *drawn])

        def get_next(self) -> dict[str, Any] | None:
            """The next ones; none at the end."""
            arrays = next(self.left, None)
            return None if arrays is None else dict(zip(names, arrays, strict=True))

    prepared = model.with_name("prepared.onnx")
    quant_pre_process(model, prepared, skip_symbolic_shape=True)
    quantized(
        prepared, model, Inputs(), quant_format=QuantFormat.QDQ, per_channel=True,
        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, reduce_range=True,
    )  # fmt: skip
