"""Frozen graphs: parameters and buffers are constants of the program.

What the compiler does with constants, it does once, when the graph is first called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from typing import Any, Final

from stablemate.bridges.torch.calls import CompiledGraph, Run
from stablemate.deferred_dataclasses import dataclass
from stablemate.fork_safety import cached_property, fork_safe_lock
from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.fx import GraphModule, TorchTensor
from stablemate.frontends.torch.importer import ImportOptions

OPTIONS: Final = ImportOptions(keeps_strides=True, shares_arguments=True, expanded_results=None)
Compile = Callable[[ImportOptions, Mapping[int, TorchTensor], Run | None], CompiledGraph]


@dataclass(frozen=True, slots=True)
class Frozen:
    """A graph with the values that its parameters had.

    Attributes:
        graph: The compiled graph.
        held: The parameters and buffers that are constants, by position.
        versions: What PyTorch counted of changes of each.
    """

    graph: CompiledGraph
    held: Mapping[int, TorchTensor]
    versions: list[int]

    @property
    def is_current(self) -> bool:
        """Whether no parameter has been written since."""
        return self.versions == [pytorch.version_of(value) for value in self.held.values()]


class FrozenGraph:
    """A graph as AOTAutograd calls it; the first call has its parameters, and compiles it."""

    def __init__(
        self,
        graph: GraphModule,
        parameters: Mapping[int, TorchTensor],
        written: Set[int],
        compile: Compile,
    ) -> None:
        """Notes what will be compiled.

        Args:
            graph: The graph.
            parameters: The parameters and buffers of the model, by identity.
            written: The positions of arguments that the graph writes.
            compile: Compiles the graph with constants.
        """
        self._boxed_call = True  # arguments come as a list, to be emptied
        self.graph = graph
        self.parameters = parameters
        self.written = written
        self.compile = compile
        self.frozen: Frozen | None = None
        self.lock = fork_safe_lock()

    def __call__(self, arguments: list[object]) -> list[object]:
        """The results for tensors and numbers; the list is emptied."""
        frozen = self.frozen
        if frozen is None or not frozen.is_current:
            frozen = self.freeze(arguments)
        results: list[Any] = frozen.graph.function(arguments)
        return results

    def freeze(self, arguments: list[object]) -> Frozen:
        """Compiles the graph with the values that its parameters have now."""
        with self.lock:
            if self.frozen is None or not self.frozen.is_current:
                self.frozen = self.frozen_graph(self.constants_among(arguments))
            return self.frozen

    def frozen_graph(self, held: Mapping[int, TorchTensor]) -> Frozen:
        """The graph with these arguments as constants."""
        names = [node.name for node in self.graph.graph.nodes if node.op == "placeholder"]
        arrays = {names[i]: pytorch.shared_constant(value) for i, value in held.items()}
        options = replace(OPTIONS, constants=arrays)
        versions = [pytorch.version_of(value) for value in held.values()]
        return Frozen(self.compile(options, held, self.run_otherwise), held, versions)

    def constants_among(self, arguments: list[Any]) -> Mapping[int, TorchTensor]:
        """The arguments that are parameters and are not written, by position."""
        return {
            i: value
            for i, value in enumerate(arguments)
            if id(value) in self.parameters and i not in self.written
        }

    def run_otherwise(self, arguments: list[object]) -> list[object]:
        """The results with other parameters, as of another instance of a model."""
        return self.unfrozen.run(arguments)

    @cached_property
    def unfrozen(self) -> CompiledGraph:
        """The graph whose parameters are arguments."""
        return self.compile(OPTIONS, {}, None)
