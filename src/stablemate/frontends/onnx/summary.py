"""The summary of a model on a few lines, of what it says about itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from stablemate.frontends.onnx.element_types import DATA_TYPES
from stablemate.frontends.onnx.model import Model, ValueInfo, ValueType


def facts_of(model: Model) -> Mapping[str, str]:
    """The facts of a model by their names: versions, inputs and outputs, operators."""
    graph = model.graph
    counts = Counter(node.qualified_operator for node in graph.nodes)
    facts = {
        "producer": " ".join(filter(None, (model.producer_name, model.producer_version))),
        "format": f"IR version {model.ir_version}",
        "operator sets": ", ".join(
            f"{domain or 'ai.onnx'} {version}" for domain, version in model.versions.items()
        ),
        "inputs": ", ".join(
            map(value_text, [v for v in graph.inputs if v.name not in graph.initializers])
        ),
        "outputs": ", ".join(map(value_text, graph.outputs)),
        "operators": ", ".join(f"{count} {name}" for name, count in counts.most_common()),
        "functions": ", ".join(function.name for function in model.functions.values()),
        **{f"metadata {key}": value for key, value in model.metadata.items()},
    }
    return {name: fact for name, fact in facts.items() if fact}


def value_text(value: ValueInfo) -> str:
    """``x: float[batch,3,224,224]``."""
    return f"{value.name}: {type_text(value.type)}"


def type_text(known: ValueType) -> str:
    """A type: ``float[batch,3]``, ``sequence(int64[n])``."""
    if known.item is not None:
        return f"{known.kind}({type_text(known.item)})"
    name = DATA_TYPES.get(known.data_type, (known.kind or "unknown", None))[0]
    if known.shape is None:
        return name
    return f"{name}[{','.join('?' if size is None else str(size) for size in known.shape)}]"
