"""The models that are timed: exported by PyTorch, and quantized by ONNX Runtime."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import helper, numpy_helper

SIZE: Final = 224
STEPS: Final = 128
SAMPLES: Final = 2  # by which ranges are found
VARYING: Final = "batch"
MATRIX: Final = 4096  # rows and columns of 64 MB
MATRICES: Final = 8


def torchvision_model(name: str, path: Path) -> None:
    """Writes a model of images."""
    import torch
    import torchvision

    torch.manual_seed(0)
    model = getattr(torchvision.models, name)(weights=None).eval()
    with torch.no_grad():
        torch.onnx.export(
            model, (torch.randn(1, 3, SIZE, SIZE),), path, dynamo=False, input_names=["x"],
            output_names=["y"], dynamic_axes={"x": {0: VARYING}}, opset_version=17,
        )  # fmt: skip


def bert(path: Path) -> None:
    """Writes BERT's base model."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.BertConfig(attn_implementation="eager")
    model = transformers.BertModel(config).eval()

    class FirstResult(torch.nn.Module):
        """The model without its further results."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            """The last states."""
            return self.model(input_ids=input_ids, attention_mask=attention_mask)[0]

    inputs = {name: torch.ones(2, STEPS, dtype=torch.int64) for name in
              ("input_ids", "attention_mask")}  # fmt: skip
    sizes = {name: {0: torch.export.Dim.AUTO} for name in inputs}
    program = torch.onnx.export(
        FirstResult(), (), kwargs=inputs, dynamo=True, dynamic_shapes=sizes, verbose=False
    )
    assert program is not None
    program.save(path)


def matrices(path: Path) -> None:
    """Writes a model of a few large matrices, 64 MB each."""
    draw = np.random.default_rng(0)
    weights = [
        numpy_helper.from_array(
            draw.standard_normal((MATRIX, MATRIX), np.float32) / MATRIX**0.5, f"w{i}"
        )
        for i in range(MATRICES)
    ]
    names = ["x", *(f"x{i}" for i in range(MATRICES - 1)), "y"]
    nodes = [
        helper.make_node("MatMul", [names[i], f"w{i}"], [names[i + 1]]) for i in range(MATRICES)
    ]
    sides = [
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [VARYING, MATRIX])
        for name in ("x", "y")
    ]
    graph = helper.make_graph(nodes, "matrices", sides[:1], sides[1:], weights)
    imports = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=imports, ir_version=9), path)


class Samples:
    """Inputs by which the ranges of activations are found."""

    def __init__(self, path: Path) -> None:
        self.rows: Iterator[dict[str, Any]] = iter(
            [feeds_of(path, 1, seed=i) for i in range(SAMPLES)]
        )

    def get_next(self) -> dict[str, Any] | None:
        """The next one."""
        return next(self.rows, None)


def quantized(source: str, form: str, path: Path) -> None:
    """Writes a model with known scales."""
    from onnxruntime import quantization

    floats = write(source, path.parent)
    prepared = path.with_suffix(".prepared.onnx")
    quantization.shape_inference.quant_pre_process(
        str(floats), str(prepared), skip_symbolic_shape=True
    )
    quantization.quantize_static(
        str(prepared), str(path), Samples(prepared), quant_format=quantization.QuantFormat[form],
        activation_type=quantization.QuantType.QUInt8, weight_type=quantization.QuantType.QInt8,
        per_channel=True,
    )  # fmt: skip


def dynamically_quantized(source: str, path: Path) -> None:
    """Writes a model whose runs compute the scales of activations."""
    from onnxruntime import quantization

    floats = write(source, path.parent)
    quantization.quantize_dynamic(str(floats), str(path), weight_type=quantization.QuantType.QInt8)


MODELS: Final[Mapping[str, Callable[[Path], None]]] = {
    "resnet50": partial(torchvision_model, "resnet50"),
    "mobilenet_v2": partial(torchvision_model, "mobilenet_v2"),
    "squeezenet1_1": partial(torchvision_model, "squeezenet1_1"),
    "bert": bert,
    "resnet50, QDQ": partial(quantized, "resnet50", "QDQ"),
    "resnet50, QLinear": partial(quantized, "resnet50", "QOperator"),
    "mobilenet_v2, QDQ": partial(quantized, "mobilenet_v2", "QDQ"),
    "bert, dynamic": partial(dynamically_quantized, "bert"),
    "matrices of 500 MB": matrices,
}  # fmt: skip


def write(name: str, folder: Path) -> Path:
    """The file of a model, which is written if it is not there."""
    path = folder / f"{name.replace(', ', '_').replace(' ', '_')}.onnx"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        MODELS[name](path)
    return path


def feeds_of(path: Path, batch: int, *, seed: int = 0) -> dict[str, Any]:
    """Random inputs of a model, by name."""
    draw = np.random.default_rng(seed)
    feeds: dict[str, Any] = {}
    for value in onnx.load(str(path), load_external_data=False).graph.input:
        kind = value.type.tensor_type
        shape = [size.dim_value or batch for size in kind.shape.dim]
        if kind.elem_type == onnx.TensorProto.FLOAT:
            feeds[value.name] = draw.standard_normal(shape, np.float32)
        else:
            feeds[value.name] = np.ones(shape, np.int64)
    return feeds
