"""ONNX's interface of backends: ``import stablemate.onnx.backend as backend``.

Source: ONNX, onnx.backend.base.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from onnx import helper
from onnx.backend.base import Backend, BackendRep, namedtupledict

from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.onnx_models import OnnxPrograms
from stablemate.frontends.onnx import onnx_package
from stablemate.frontends.onnx.importer import reject_malformed


class PreparedModel(BackendRep):
    """A model that runs."""

    def __init__(self, programs: OnnxPrograms) -> None:
        self.programs = programs

    def run(self, inputs: object, **_: object) -> tuple[object, ...]:
        """The outputs of the model.

        Args:
            inputs: The inputs in order, or by name; one as itself.
            **_: Has no effect.
        """
        names = [value.name for value in self.programs.inputs]
        if isinstance(inputs, Mapping):
            feeds: dict[str, object] = {**inputs}
        else:
            values: list[object] = [*inputs] if isinstance(inputs, list | tuple) else [inputs]
            feeds = dict(zip(names, values, strict=False))
        outputs = self.programs.run(feeds)
        return namedtupledict(
            "Outputs", [value.name for value in self.programs.outline.graph.outputs]
        )(*outputs)


class StablemateBackend(Backend):
    """stablemate as a backend of ONNX."""

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> PreparedModel:
        """A model that runs.

        Args:
            model: A ``ModelProto``.
            device: ``CPU``.
            **kwargs: ``backend`` as for ``sm.compile``; others have no effect.

        Raises:
            StablemateError: The model is damaged, or has operators without a translation.
        """
        content = model.SerializeToString()
        read = onnx_package.read_model(content, "<model>", None)
        reject_malformed(read)
        return PreparedModel(OnnxPrograms(read, kwargs.get("backend", DEFAULT_BACKEND)))

    @classmethod
    def run_model(
        cls, model: object, inputs: object, device: str = "CPU", **kwargs: object
    ) -> tuple[object, ...]:
        """The outputs of a model for inputs."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(
        cls, node: Any, inputs: Any, device: str = "CPU", outputs_info: object = None, **kwargs: Any
    ) -> tuple[object, ...]:
        """The outputs of a node for inputs, in order."""
        values: list[Any] = [*(inputs.values() if isinstance(inputs, Mapping) else inputs)]
        names: list[str] = [name for name in node.input if name]
        inputs_info = [
            helper.make_tensor_value_info(
                name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape
            )
            for name, value in zip(names, values, strict=True)
        ]
        outputs = [helper.make_empty_tensor_value_info(name) for name in node.output if name]
        graph = helper.make_graph([node], "node", inputs_info, outputs)
        version = kwargs.pop("opset_version", onnx_package.newest_version())
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid(node.domain, version)])
        return cls.run_model(model, values, device, **kwargs)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether a device is the processor."""
        return device.split(":")[0] == "CPU"


is_compatible = StablemateBackend.is_compatible
prepare = StablemateBackend.prepare
run_model = StablemateBackend.run_model
run_node = StablemateBackend.run_node
supports_device = StablemateBackend.supports_device
