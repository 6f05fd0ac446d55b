"""A model of ONNX that grows node by node; ONNX Runtime says which nodes there may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from tests.properties.generation.choices import Choices

Array: TypeAlias = Any
Node: TypeAlias = Any

VERSIONS: Final = range(7, onnx.defs.onnx_opset_version() + 1)
FLOATS: Final = ("float32", "float32", "float32", "float64", "float16")
INTEGERS: Final = ("int64", "int32", "int8", "uint8", "int16", "uint16", "uint32", "uint64")
SIZES: Final = (1, 2, 3, 4, 5, 7)
MOST_ELEMENTS: Final = 4000
LARGEST: Final = 1e4  # of an element: sums of larger ones lose what is compared


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a model.

    Attributes:
        name: Its name.
        array: What it is for the first inputs.
        is_exact: Whether every implementation gives the same bits, so that a choice may depend on
            them.
    """

    name: str
    array: Array
    is_exact: bool

    @property
    def rank(self) -> int:
        """The number of its dimensions."""
        return int(self.array.ndim)

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sizes."""
        return tuple(self.array.shape)

    @property
    def kind(self) -> str:
        """``f``, ``i``, ``u`` or ``b``."""
        return str(self.array.dtype.kind)


class NoNodeError(Exception):
    """There is no value that an operator could take."""


@dataclass
class Draft:
    """A model that is written.

    Attributes:
        choices: Where decisions come from.
        version: The version of the default domain.
        values: The values so far.
        nodes: The nodes so far.
        pending: Those that were not tried yet.
        constants: Initializers by name.
        feeds: Inputs by name.
    """

    choices: Choices
    version: int
    values: list[Value] = field(default_factory=list[Value])
    nodes: list[Node] = field(default_factory=list[Node])
    pending: list[Node] = field(default_factory=list[Node])
    constants: dict[str, Array] = field(default_factory=dict[str, Array])
    feeds: dict[str, Array] = field(default_factory=dict[str, Array])
    names: int = 0

    def fresh(self, prefix: str = "v") -> str:
        """A new name."""
        self.names += 1
        return f"{prefix}{self.names}"

    # values

    def input(self, array: Array) -> None:
        """Adds an input."""
        name = self.fresh("x")
        self.feeds[name] = array
        self.values.append(Value(name, array, is_exact=True))

    def pick(
        self, kinds: str = "fiub", *, rank: int | None = None, least: int = 0,
        exact: bool = False, test: Callable[[Value], bool] = lambda _: True,
    ) -> Value:  # fmt: skip
        """One of the values that fit; the newer, the likelier.

        Raises:
            NoNodeError: None does.
        """
        fitting = [
            v for v in self.values
            if v.kind in kinds and v.rank >= least and (rank is None or v.rank == rank)
            and (v.is_exact or not exact) and test(v)
        ]  # fmt: skip
        if not fitting:
            raise NoNodeError
        newest = fitting[-3:]
        return self.choices.of(newest if self.choices.chance(70) else fitting)

    def numbers(self, shape: Sequence[int], dtype: Any = "float32") -> Array:
        """Random numbers that sums and products of a few keep exact."""
        draw, kind = self.choices.generator(), np.dtype(dtype).kind
        if kind == "b":
            return draw.integers(0, 2, shape).astype(bool)
        if kind == "f":
            return (draw.integers(-16, 17, shape) / 8).astype(dtype)
        return draw.integers(0 if kind == "u" else -4, 5, shape).astype(dtype)

    def constant(self, array: Array) -> str:
        """The name of a constant: an initializer, or the output of a node."""
        array = np.asarray(array)
        name = self.fresh("c")
        if self.choices.chance(30):
            tensor = numpy_helper.from_array(array, name)
            self.pending.append(helper.make_node("Constant", [], [name], value=tensor))
        else:
            self.constants[name] = array
        return name

    def integers(self, items: Sequence[int], dtype: Any = "int64") -> str:
        """The name of a constant list of integers."""
        return self.constant(np.array(items, dtype))

    def node(
        self, operator: str, inputs: Sequence[str | Value], outputs: int = 1, **attributes: Any
    ) -> list[str]:
        """Adds a node; the names of its outputs. Attributes that are None are left out."""
        names = [value.name if isinstance(value, Value) else value for value in inputs]
        while names and not names[-1]:
            names.pop()
        results = [self.fresh() for _ in range(outputs)]
        stated = {k: v for k, v in attributes.items() if v is not None}
        name = self.fresh(f"{operator}_")
        self.pending.append(helper.make_node(operator, names, results, name, **stated))
        return results

    def axis(self, rank: int, *, negative_since: int = 11) -> int:
        """One of so many dimensions; it may count from the end in versions that let it."""
        axis = self.choices.below(rank)
        return axis - rank if self.version >= negative_since and self.choices.chance(30) else axis

    # models

    def model(
        self, outputs: Sequence[str], *, dimensions: Callable[[str, int, int], Any] | None = None,
        ir_version: int = 8, extra: Sequence[Node] = (),
    ) -> Any:  # fmt: skip
        """The model with some outputs.

        Args:
            outputs: Their names.
            dimensions: The declared size of an input's dimension: its name, number and size.
            ir_version: Below 4, initializers are inputs, too.
            extra: Further nodes.
        """

        def shape_of(name: str, array: Array) -> list[Any]:
            if dimensions is None:
                return list(array.shape)
            return [dimensions(name, i, size) for i, size in enumerate(array.shape)]

        def info(name: str, array: Array, shape: Sequence[Any]) -> Any:
            element = helper.np_dtype_to_tensor_dtype(array.dtype)
            return helper.make_tensor_value_info(name, element, shape)

        inputs = [info(k, v, shape_of(k, v)) for k, v in self.feeds.items()]
        if ir_version < 4:
            inputs += [info(name, array, array.shape) for name, array in self.constants.items()]
        tensors = [numpy_helper.from_array(array, name) for name, array in self.constants.items()]
        results = [helper.make_empty_tensor_value_info(name) for name in outputs]
        graph = helper.make_graph([*self.nodes, *extra], "graph", inputs, results, tensors)
        return helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", self.version)], ir_version=ir_version
        )

    def accept(self, *, is_exact: bool) -> bool:
        """Keeps the pending nodes if ONNX Runtime runs them, and their results are moderate."""
        extra, self.pending = self.pending, []
        outputs = [name for name in extra[-1].output if name]
        try:
            results = session(self.model(outputs, extra=extra)).run(None, self.feeds)
        except Exception:
            return False
        if not all(map(is_moderate, results)):
            return False
        self.nodes += extra
        for name, array in zip(outputs, results, strict=True):
            is_half = array.dtype == np.float16
            self.values.append(Value(name, array, is_exact and not is_half))
        return True


def is_moderate(array: object) -> bool:
    """Whether a result is an array of a few finite numbers of moderate size."""
    if not isinstance(array, np.ndarray) or array.dtype == object or array.size > MOST_ELEMENTS:
        return False
    return bool(np.all(np.abs(array.astype(np.float64)) < LARGEST)) if array.size else True


def session(model: Any) -> Any:
    """A session of ONNX Runtime without its rewrites, on one thread."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    content = model.SerializeToString()
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
