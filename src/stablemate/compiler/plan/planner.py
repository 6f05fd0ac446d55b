"""Builds the plan of a graph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import partial
from sys import maxsize
from typing import Any, Final

import numpy as np

from stablemate.compiler.config.machine import Machine
from stablemate.compiler.config.options import DEFAULTS, CompileOptions
from stablemate.compiler.fusion.classification import CONTROL, Kind, kind_of
from stablemate.compiler.fusion.kernel_keys import KernelKey, key_of_group, key_of_node
from stablemate.compiler.fusion.launch_order import Fusion
from stablemate.compiler.fusion.liveness import Liveness
from stablemate.compiler.graph.fusion_group import FusionGroup
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.elementwise import elementwise
from stablemate.compiler.kernels.fused import group_kernels
from stablemate.compiler.kernels.kernel_builder import Fixed, KernelDraft, Scratch
from stablemate.compiler.kernels.table import BUILDERS
from stablemate.compiler.plan.copy_elision import elide_copies
from stablemate.compiler.plan.plan import (
    Branch,
    Copy,
    Done,
    Exchange,
    Jump,
    Launch,
    Plan,
    Request,
    Slot,
    Step,
)
from stablemate.compiler.plan.step_fusion import fuse_steps, is_tiny
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.ir.types import TensorType, TokenType

ORDERING: Final = frozenset({"stablehlo.after_all", "stablehlo.create_token"})
MIN_EXCHANGED_BYTES: Final = (
    1 << 10
)  # bytes of a value that is not copied at the end of an iteration


class Planner:
    """Makes the plan of a function."""

    def __init__(self, machine: Machine, options: CompileOptions = DEFAULTS) -> None:
        self.machine = machine
        self.options = options
        self.fusions: Mapping[Graph, Fusion] = {}
        self.kernels = 0
        self.absorbed: dict[Node, Node] = {}
        self.slots: list[Slot] = []
        self.steps: list[Step] = []
        self.places: dict[Tensor, Slot] = {}
        self.tables: dict[Fixed, Slot] = {}
        self.drafts: dict[Hashable, tuple[Sequence[Tensor], list[KernelDraft]]] = {}  # of each form

    def plan(self, graph: Graph, fusions: Mapping[Graph, Fusion]) -> Plan:
        """The plan of a graph.

        Args:
            graph: The graph.
            fusions: How it and the regions of its loops and branches are launched.
        """
        self.fusions = fusions
        for i, argument in enumerate(graph.arguments):
            self.places[argument] = self.slot(argument, "argument", position=i)
        results = [
            self.slot(result, "result", position=i) for i, result in enumerate(graph.results)
        ]
        claimed: dict[Tensor, Slot] = {}
        nodes = set(graph.nodes)
        for tensor, slot in zip(graph.results, results, strict=True):
            node = tensor.node
            if node is not None and node in nodes and node.operation.name not in CONTROL:
                claimed.setdefault(tensor, slot)
        self.places.update(claimed)
        self.block(graph)
        for tensor, slot in zip(graph.results, results, strict=True):
            if self.places[tensor] is not slot:
                self.steps.append(Copy(self.places[tensor], slot))
        self.steps.append(Done())
        steps = elide_copies(self.steps)
        if self.options.fuse:
            steps = fuse_steps(steps, self.machine)
        return Plan(self.slots, steps)

    def slot(self, tensor: Tensor, origin: Any = "local", **more: Any) -> Slot:
        """New memory for a value."""
        slot = Slot(len(self.slots), bytes_of(tensor), origin, **more)
        self.slots.append(slot)
        return slot

    def place(self, tensor: Tensor) -> Slot:
        """Where a value is kept."""
        slot = self.places.get(tensor)
        if slot is None:
            slot = self.places[tensor] = self.slot(tensor)
        return slot

    def block(
        self, graph: Graph, changes_arguments: bool = False, unread: Collection[Tensor] = ()
    ) -> None:
        """Adds the steps of a graph; maybe they overwrite arguments that nothing else reads.

        So they may values from outside that are given to them.
        """
        fusion = self.fusions[graph]
        self.absorbed |= fusion.endings
        reuse = Liveness(
            Graph(graph.arguments, fusion.nodes, graph.results),
            fusion.elements,
            fusion.kept,
            fusion.groups,
            changes_arguments,
            unread,
        )
        for result in graph.results:
            if result.node is not None and result.node.operation.name == "stablehlo.constant":
                self.constant(result.node)
        for node in fusion.nodes:
            group = fusion.groups.get(node)
            if group is not None:
                if node is group.members[-1].node:
                    self.launch_group(group)
                continue
            match fusion.kinds[node]:
                case "constant":
                    if any(is_needed_in_memory(result, fusion.kinds) for result in node.results):
                        self.constant(node)
                case "element":
                    if node.results[0] in fusion.kept:
                        self.launch(node)
                case "kernel" if node in fusion.elements:
                    pass  # its kernels are launched where the value stands that absorbs it
                case "kernel":
                    self.share(node, reuse)
                    self.launch(node)
                case "control":
                    self.control(node, reuse)
                case "request":
                    self.request(node)

    def constant(self, node: Node) -> None:
        """Keeps the elements of a constant."""
        (result,) = node.results
        data = np.array(node.operation.evaluate(), order="C")
        if result in self.places:
            if self.places[result].origin == "constant":
                return
            self.steps.append(Copy(self.held(result, data), self.places[result]))
            return
        self.places[result] = self.held(result, data)

    def held(self, tensor: Tensor, data: Any) -> Slot:
        """A slot that holds a constant."""
        return self.slot(tensor, "constant", data=data)

    def fixed(self, numbers: Fixed) -> Slot:
        """Where the numbers of a kernel are."""
        if numbers not in self.tables:
            slot = Slot(len(self.slots), numbers.data.nbytes, "constant", data=numbers.data)
            self.slots.append(slot)
            self.tables[numbers] = slot
        return self.tables[numbers]

    def share(self, node: Node, reuse: Liveness) -> None:
        """Lets results of an update take the memory of operands that nothing reads later."""
        if not BUILDERS[node.operation.name].updates:
            return
        for operand, result in zip(node.operands, node.results, strict=False):
            if result not in self.places and self.is_free(operand, node, reuse):
                self.places[result] = self.places[operand]

    def is_free(self, tensor: Tensor, node: Node, reuse: Liveness) -> bool:
        """Whether a node may take the memory of an operand."""
        slot = self.places.get(tensor)
        return slot is not None and slot.origin == "local" and reuse.dies(tensor, node)

    def launch(self, node: Node) -> None:
        """Adds the kernels that make the results of a node."""
        results = [self.place(result) for result in node.results]
        if not any(result.bytes for result in results):
            return
        form = key_of_node(node, self.places)
        self.launched(form, partial(self.built, node), form.nodes)

    def launch_group(self, group: FusionGroup) -> None:
        """Adds the kernels of operations that share them."""
        for result in group.results:
            self.place(result)
        form = key_of_group(group, self.places)
        self.launched(form, partial(self.built_group, group), form.nodes)

    def launched(
        self, form: KernelKey, build: Callable[[], Sequence[KernelDraft]], nodes: Sequence[Node]
    ) -> None:
        """Adds kernels, which are built unless there are such of the same form."""
        tensors, drafts = self.drafts.setdefault(form.key, (form.tensors, []))
        if not drafts:
            drafts += build()
        same = dict(zip(tensors, form.tensors, strict=True))
        shared: dict[Scratch, Slot] = {}
        for draft in drafts:
            if draft.moves is not None:
                source, target = [self.places.get(same[move]) for move in draft.moves]
                if source is target:
                    continue
            slots: list[Slot] = []
            for tensor in draft.handed:
                if isinstance(tensor, Scratch):
                    if tensor not in shared:
                        shared[tensor] = Slot(len(self.slots), tensor.bytes, "local")
                        self.slots.append(shared[tensor])
                    slots.append(shared[tensor])
                elif isinstance(tensor, Fixed):
                    slots.append(self.fixed(tensor))
                else:
                    slots.append(self.place(same[tensor]))
            self.steps.append(Launch(draft.kernel, slots, nodes))

    def built(self, node: Node) -> Sequence[KernelDraft]:
        """New kernels that make the results of a node."""
        self.kernels += 1
        root = self.absorbed.get(node)
        if root is not None:
            build_to = BUILDERS[root.operation.name].builds_to
            assert build_to is not None
            name = f"k{self.kernels}"
            return build_to(root, node.results[0], self.places, self.machine, name)
        building = BUILDERS.get(node.operation.name)
        build = building.build if building is not None else elementwise
        return build(node, self.places, self.machine, f"k{self.kernels}")

    def built_group(self, group: FusionGroup) -> Sequence[KernelDraft]:
        """New kernels of operations that share them."""
        self.kernels += 1
        return group_kernels(group, self.places, self.machine, f"k{self.kernels}")

    def request(self, node: Node) -> None:
        """Adds an operation that is answered outside; what only orders others needs no step."""
        if node.operation.name in ORDERING:
            return
        for tensor in (*node.operands, *node.results):
            bytes_of(tensor)
        operands = [self.place(operand) for operand in node.operands]
        results = [self.place(result) for result in node.results]
        self.steps.append(Request(node, operands, results))

    def control(self, node: Node, reuse: Liveness) -> None:
        """Adds a loop or a choice."""
        if node.operation.name == "stablehlo.while":
            self.loop(node, reuse)
        else:
            self.choice(node, reuse)

    def loop(self, node: Node, reuse: Liveness) -> None:
        """``while``: the state has a place of its own, which the body reads and the end writes.

        It is that of an operand which nothing reads later.
        """
        cond, body = node.regions
        state: list[Slot] = []
        for tensor in node.operands:
            place = self.place(tensor)
            if not self.is_free(tensor, node, reuse):
                source, place = place, self.slot(tensor)
                self.steps.append(Copy(source, place))
            state.append(place)
        self.places.update(zip(cond.arguments, state, strict=True))
        self.places.update(zip(body.arguments, state, strict=True))
        start = len(self.steps)
        self.block(cond)
        branch = Branch(self.place(cond.results[0]), [])
        self.steps.append(branch)
        branch.targets = [-1, len(self.steps)]
        fresh = len(self.slots)
        self.block(body, changes_arguments=True)
        self.moved(body.results, state, fresh)
        again = self.steps[start : branch.targets[1] - 1]
        if self.options.fuse and all(map(is_tiny, again)):
            self.steps += again  # the condition joins the end of the body
            start += len(again)
        self.steps.append(Jump(start, loops=True, node=node))
        branch.targets[0] = len(self.steps)
        self.places.update(zip(node.results, state, strict=True))

    def moved(self, values: Sequence[Tensor], targets: Sequence[Slot], fresh: int) -> None:
        """Copies values to places that may hold values that are copied.

        A large value in memory that was new from slot ``fresh`` on is not copied: the places
        exchange their memory.
        """
        sources = [self.place(value) for value in values]
        changed = [(s, t) for s, t in zip(sources, targets, strict=True) if s is not t]
        overwritten = {t for _, t in changed}
        saves: list[Step] = []
        copies: list[Step] = []
        exchanges: list[Step] = []
        for source, target in changed:
            if source in overwritten:
                saved = Slot(len(self.slots), source.bytes, "local")
                self.slots.append(saved)
                saves.append(Copy(source, saved))
                copies.append(Copy(saved, target))
            elif (
                source.number >= fresh
                and is_worth_exchanging(source)
                and sources.count(source) == 1
            ):
                exchanges.append(Exchange(target, source))
            else:
                copies.append(Copy(source, target))
        self.steps += saves + copies + exchanges

    def choice(self, node: Node, reuse: Liveness) -> None:
        """``if`` and ``case``: each branch writes the same places.

        A value that a branch only hands on, and that nothing reads later, stays where it is.
        """
        passed_through = self.handed_on(node, reuse)
        results = [
            passed_through[k][1] if k in passed_through else self.slot(e)
            for k, e in enumerate(node.results)
        ]
        untouched = [tensor for tensor, _ in passed_through.values()]
        by_index = node.operation.name == "stablehlo.case"
        branch = Branch(self.place(node.operands[0]), [], by_index)
        self.steps.append(branch)
        ends: list[Jump] = []
        starts: list[int] = []
        for region in node.regions:
            starts.append(len(self.steps))
            self.block(region, unread=untouched)
            self.moved(region.results, results, fresh=maxsize)
            ends.append(Jump())
            self.steps.append(ends[-1])
        for end in ends:
            end.target = len(self.steps)
        branch.targets = starts if by_index else starts[::-1]
        self.places.update(zip(node.results, results, strict=True))

    def handed_on(self, node: Node, reuse: Liveness) -> dict[int, tuple[Tensor, Slot]]:
        """The values from outside that become results of a choice in their own memory."""
        passed_through: dict[int, tuple[Tensor, Slot]] = {}
        for k in range(len(node.results)):
            for region in node.regions:
                tensor = region.results[k]
                slot = self.places.get(tensor)
                if slot is None or slot.origin != "local" or not reuse.ends(tensor, node):
                    continue
                if all(slot is not taken for _, taken in passed_through.values()):
                    passed_through[k] = tensor, slot
                    break
        return passed_through


def is_needed_in_memory(tensor: Tensor, kinds: Mapping[Node, Kind]) -> bool:
    """Whether a constant is more than an element that can be written into code."""
    node = tensor.node
    assert node is not None
    value: Any = node.operation.attributes["value"]
    if not value.is_splat or None in tensor.users or not tensor.users:
        return True
    taken = [kinds.get(user) or kind_of(user) for user in tensor.users if user is not None]
    return "request" in taken or "control" in taken


def is_worth_exchanging(slot: Slot) -> bool:
    """Whether exchanging the memory of a slot costs less than a copy."""
    return slot.origin == "local" and slot.bytes >= MIN_EXCHANGED_BYTES


def bytes_of(tensor: Tensor) -> int:
    """How much memory a value takes; a token takes none."""
    if isinstance(tensor.type, TokenType):
        return 0
    if not isinstance(tensor.type, TensorType) or not tensor.type.is_static:
        message = f"values of type {tensor.type} are not compiled"
        operation = tensor.node.operation if tensor.node else None
        rule, span = (operation.name, operation.span) if operation else ("", None)
        raise UnsupportedError(Diagnostic(message, rule, span))
    return tensor.type.size * tensor.type.element_type.dtype.itemsize
