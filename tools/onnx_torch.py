"""Models of PyTorch's libraries as ``torch.onnx`` writes them, by both of its ways."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final

import onnxruntime
import torch

from tools.onnx_cases import ExportError, Feeds, Make, short
from tools.torch_zoo.rows import Model, split

CASES: Final = ("dynamo static", "dynamo dynamic", "torchscript static", "torchscript dynamic")
BATCH: Final = 2
OTHER_BATCH: Final = 3


def models(library: str) -> dict[str, Mapping[str, Make]]:
    """What makes each case of the models of a library."""
    torch.set_num_threads(1)
    rows: list[Model] = import_module(f"tools.torch_zoo.{library}_models").models()
    return {row.name: {case: partial(exported, row, case) for case in CASES} for row in rows}


def exported(row: Model, case: str) -> tuple[bytes, list[Feeds]]:
    """A model as the exporter writes it, and inputs for it.

    Raises:
        ExportError: The exporter fails.
    """
    way, sizes = case.split()
    try:
        torch.manual_seed(0)
        model = without_cache(row.make().eval())
        positional, keywords = split(row.inputs(BATCH))
        content = export(model, positional, keywords, way, varies=sizes == "dynamic")
    except Exception as error:
        raise ExportError(f"{type(error).__name__}: {short(error)}") from error
    names = [value.name for value in onnxruntime.InferenceSession(content).get_inputs()]
    batches = (BATCH, OTHER_BATCH) if sizes == "dynamic" else (BATCH,)
    return content, [feeds_of(row, batch, names) for batch in batches]


def without_cache(model: Any) -> Any:
    """A model that returns tuples, without a cache of keys and values, if it can have one."""
    config = getattr(model, "config", None)
    for part in (config, getattr(config, "text_config", None)):
        if part is not None:
            part.use_cache = False
    return model


def export(
    model: torch.nn.Module, positional: tuple[Any, ...], keywords: dict[str, Any], way: str, *,
    varies: bool,
) -> bytes:  # fmt: skip
    """A model as the exporter writes it."""
    content = io.BytesIO()
    if way == "dynamo":
        sizes: Any = None
        if varies:
            sizes = tuple([batched(value, torch.export.Dim.AUTO) for value in positional])
            named = {k: batched(v, torch.export.Dim.AUTO) for k, v in keywords.items()}
            sizes = sizes if positional else named
        program = torch.onnx.export(
            model, positional, kwargs=keywords, dynamo=True, verbose=False,
            dynamic_shapes=sizes,
        )  # fmt: skip
        assert program is not None
        return bytes(program.model_proto.SerializeToString())
    names = [f"input_{i}" for i in range(len(positional))] + list(keywords)
    axes = {name: {0: "batch"} for name in names} if varies else None
    with torch.no_grad():
        torch.onnx.export(
            model, (*positional, keywords) if keywords else positional, content, dynamo=False,
            input_names=names, dynamic_axes=axes, opset_version=17,
        )  # fmt: skip
    return content.getvalue()


def batched(value: Any, size: Any) -> Any:
    """Which dimensions of an input vary."""
    return {0: size} if isinstance(value, torch.Tensor) else None


def feeds_of(row: Model, batch: int, names: Sequence[str]) -> Feeds:
    """Inputs of a model by the names that the exporter gave them."""
    torch.manual_seed(batch)
    positional, keywords = split(row.inputs(batch))
    tensors = [value.numpy() for value in positional if isinstance(value, torch.Tensor)]
    rest = [name for name in names if name not in keywords]
    return {
        **dict(zip(rest, tensors, strict=False)),
        **{name: keywords[name].numpy() for name in names if name in keywords},
    }
