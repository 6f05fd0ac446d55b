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
from stablemate.compiler.fusion.launch_order import LaunchOrder
from stablemate.compiler.fusion.liveness import GraphLiveness
from stablemate.compiler.graph.fusion_group import FusionGroup
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.elementwise import elementwise
from stablemate.compiler.kernels.fused import group_kernels
from stablemate.compiler.kernels.image_margins import margins_of_image
from stablemate.compiler.kernels.kernel_builder import BuiltKernel, ConstantTable, Scratch
from stablemate.compiler.kernels.table import BUILDERS
from stablemate.compiler.library_calls.calls import CallSequence
from stablemate.compiler.library_calls.names import OPERATIONS as LIBRARY_OPERATIONS
from stablemate.compiler.lowering.elements import splat_of
from stablemate.compiler.plan.carried_values import write_in_place
from stablemate.compiler.plan.copy_elision import elide_copies
from stablemate.compiler.plan.launch_sharing import share_launches
from stablemate.compiler.plan.loop_kernels import repeat_bodies
from stablemate.compiler.plan.plan import (
    BranchStep,
    CopySlot,
    EndStep,
    JumpStep,
    LaunchStep,
    Plan,
    PlanBuffer,
    Request,
    Step,
    SwapSlots,
)
from stablemate.compiler.plan.preparation import prepare_constants
from stablemate.compiler.plan.step_fusion import fuse_steps, is_tiny
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.ir.definition import has_trait
from stablemate.ir.traits import Trait
from stablemate.ir.types import TensorType, TokenType
from stablemate.numerics.symbolic_sizes import is_symbolic

ORDERING: Final = frozenset({"stablehlo.after_all", "stablehlo.create_token"})
# An exchange saves the copy of a value in each iteration; a small copy takes no longer than it.
MIN_EXCHANGED_BYTES: Final = 1 << 10  # bytes of a value that is exchanged instead of copied


class Planner:
    """Builds the plan of a function."""

    def __init__(self, machine: Machine, options: CompileOptions = DEFAULTS) -> None:
        self.machine = machine
        self.options = options
        self.fusions: Mapping[Graph, LaunchOrder] = {}
        self.kernel_count = 0
        self.epilogue_roots: dict[Node, Node] = {}
        self.slots: list[PlanBuffer] = []
        self.steps: list[Step] = []
        self.slots_by_tensor: dict[Tensor, PlanBuffer] = {}
        self.table_slots: dict[ConstantTable, PlanBuffer] = {}
        self.drafts_by_key: dict[
            Hashable, tuple[Sequence[Tensor], list[BuiltKernel]]
        ] = {}  # kernels that were built

    def plan(self, graph: Graph, fusions: Mapping[Graph, LaunchOrder]) -> Plan:
        """Builds the plan of a graph; a kernel that another plan of it has is built once.

        Args:
            graph: The graph.
            fusions: How it and the regions of its loops and branches are launched.
        """
        self.fusions = fusions
        self.epilogue_roots = {}
        self.slots, self.steps, self.slots_by_tensor, self.table_slots = [], [], {}, {}
        for i, argument in enumerate(graph.arguments):
            self.slots_by_tensor[argument] = self.new_slot(argument, "argument", position=i)
        results = [
            self.new_slot(result, "result", position=i) for i, result in enumerate(graph.results)
        ]
        claimed: dict[Tensor, PlanBuffer] = {}
        nodes = set(graph.nodes)
        for tensor, slot in zip(graph.results, results, strict=True):
            node = tensor.node
            if node is not None and node in nodes and node.operation.name not in CONTROL:
                claimed.setdefault(tensor, slot)
        self.slots_by_tensor.update(claimed)
        self.add_block(graph)
        for tensor, slot in zip(graph.results, results, strict=True):
            if self.slots_by_tensor[tensor] is not slot:
                self.steps.append(CopySlot(self.slots_by_tensor[tensor], slot))
        self.steps.append(EndStep())
        steps = share_launches(self.steps) if self.options.fuse else self.steps
        plan = Plan(self.slots, elide_copies(write_in_place(steps)))
        if self.options.prepare and not self.options.check:
            prepare_constants(plan)
        if self.options.fuse:
            plan.steps = fuse_steps(plan.steps, self.machine)
            repeat_bodies(plan.steps)
        return plan

    def new_slot(self, tensor: Tensor, origin: Any = "local", **fields: Any) -> PlanBuffer:
        """Allocates a slot for a value."""
        slot = PlanBuffer(len(self.slots), bytes_of(tensor), origin, **fields)
        self.slots.append(slot)
        return slot

    def slot_of(self, tensor: Tensor) -> PlanBuffer:
        """The slot of a value; it is allocated if the value has none."""
        slot = self.slots_by_tensor.get(tensor)
        if slot is None:
            slot = self.slots_by_tensor[tensor] = self.new_slot(tensor)
        return slot

    def add_block(
        self, graph: Graph, changes_arguments: bool = False, dying: Collection[Tensor] = ()
    ) -> None:
        """Adds the steps of a graph.

        Args:
            graph: The graph.
            changes_arguments: Whether steps may overwrite arguments that nothing reads afterwards.
            dying: Values from outside that may also be overwritten: nothing reads them afterwards.
        """
        fusion = self.fusions[graph]
        self.epilogue_roots |= fusion.epilogues
        liveness = GraphLiveness(
            Graph(graph.arguments, fusion.nodes, graph.results),
            fusion.inlined,
            fusion.materialized,
            fusion.groups,
            changes_arguments,
            dying,
            fusion.replaced,
        )
        for result in graph.results:
            if result.node is not None and result.is_constant:
                self.add_constant(result.node)
        for node in fusion.nodes:
            group = fusion.groups.get(node)
            if group is not None:
                if node is group.members[-1].node:
                    self.add_group_launches(group)
                continue
            match fusion.kinds[node]:
                case "constant":
                    if any(is_needed_in_memory(result, fusion.kinds) for result in node.results):
                        self.add_constant(node)
                case "element":
                    if node.results[0] in fusion.materialized:
                        self.add_launches(node)
                case "kernel" if node in fusion.inlined:
                    pass  # its kernels are launched with its epilogue
                case "kernel":
                    self.reuse_operand_memory(node, liveness)
                    self.add_launches(node)
                case "control":
                    self.add_control_flow(node, liveness)
                case "request":
                    self.reuse_operand_memory(node, liveness)
                    self.add_request(node)

    def add_constant(self, node: Node) -> None:
        """Adds a constant that is stored in memory."""
        (result,) = node.results
        data = np.asarray(node.operation.evaluate(), order="C")  # not a copy: it may be large
        if result in self.slots_by_tensor:
            if self.slots_by_tensor[result].origin == "constant":
                return
            self.steps.append(
                CopySlot(self.constant_slot(result, data), self.slots_by_tensor[result])
            )
            return
        self.slots_by_tensor[result] = self.constant_slot(result, data)

    def constant_slot(self, tensor: Tensor, data: object) -> PlanBuffer:
        """Allocates a slot with the elements of a constant."""
        return self.new_slot(tensor, "constant", data=data)

    def table_slot(self, numbers: ConstantTable) -> PlanBuffer:
        """The slot of a table of numbers that a kernel reads."""
        if numbers not in self.table_slots:
            slot = PlanBuffer(len(self.slots), numbers.data.nbytes, "constant", data=numbers.data)
            self.slots.append(slot)
            self.table_slots[numbers] = slot
        return self.table_slots[numbers]

    def reuse_operand_memory(self, node: Node, liveness: GraphLiveness) -> None:
        """Lets results of an update reuse the memory of operands that nothing reads later."""
        is_in_place = has_trait(node.operation, Trait.IN_PLACE)
        if not is_in_place and not is_update(node):
            return
        for operand, result in zip(node.operands, node.results, strict=False):
            if is_in_place and operand.type != result.type:
                continue
            if result not in self.slots_by_tensor and self.can_reuse(operand, node, liveness):
                self.slots_by_tensor[result] = self.slots_by_tensor[operand]

    def can_reuse(self, tensor: Tensor, node: Node, liveness: GraphLiveness) -> bool:
        """Whether a node may reuse the memory of an operand."""
        slot = self.slots_by_tensor.get(tensor)
        return slot is not None and slot.origin == "local" and liveness.is_last_use(tensor, node)

    def add_launches(self, node: Node) -> None:
        """Adds the kernels that compute the results of a node."""
        results = [self.slot_of(result) for result in node.results]
        if not any(result.bytes for result in results):
            return
        kernel_key = key_of_node(node, self.slots_by_tensor)
        self.add_kernels(kernel_key, partial(self.build_kernels, node), kernel_key.nodes)

    def add_group_launches(self, group: FusionGroup) -> None:
        """Adds the kernels of a fusion group."""
        for result in group.results:
            self.slot_of(result)
        kernel_key = key_of_group(group, self.slots_by_tensor)
        self.add_kernels(kernel_key, partial(self.build_group_kernels, group), kernel_key.nodes)

    def add_kernels(
        self,
        kernel_key: KernelKey,
        build: Callable[[], Sequence[BuiltKernel]],
        nodes: Sequence[Node],
    ) -> None:
        """Adds launches of kernels; kernels with the same key are built once."""
        tensors, build_kernels = self.drafts_by_key.setdefault(
            kernel_key.key, (kernel_key.tensors, [])
        )
        if not build_kernels:
            build_kernels += build()
        same = dict(zip(tensors, kernel_key.tensors, strict=True))
        scratch_slots: dict[Scratch, PlanBuffer] = {}
        for build_kernel in build_kernels:
            if build_kernel.moves is not None:
                source, target = [
                    self.slots_by_tensor.get(same[move]) for move in build_kernel.moves
                ]
                if source is target:
                    continue
                if source is not None and target is not None and source.origin == "argument":
                    # Unlike a kernel, this step does nothing where the caller donated the memory.
                    self.steps.append(CopySlot(source, target))
                    continue
            slots: list[PlanBuffer] = []
            for tensor in build_kernel.handed:
                if isinstance(tensor, Scratch):
                    if tensor not in scratch_slots:
                        scratch_slots[tensor] = PlanBuffer(len(self.slots), tensor.bytes, "local")
                        self.slots.append(scratch_slots[tensor])
                    slots.append(scratch_slots[tensor])
                elif isinstance(tensor, ConstantTable):
                    slots.append(self.table_slot(tensor))
                else:
                    slots.append(self.slot_of(same[tensor]))
            self.steps.append(LaunchStep(build_kernel.kernel, slots, nodes))

    def build_kernels(self, node: Node) -> Sequence[BuiltKernel]:
        """Builds kernels that compute the results of a node."""
        self.kernel_count += 1
        root = self.epilogue_roots.get(node)
        if root is not None:
            build_to = BUILDERS[root.operation.name].builds_to
            assert build_to is not None
            name = f"k{self.kernel_count}"
            kept, machine = self.slots_by_tensor, self.machine
            kernels = build_to(root, node.results[0], kept, machine, name)
            if node.operation.name != "stablehlo.pad":
                return kernels
            return [margins_of_image(node, kept, machine, f"{name}_margins"), *kernels]
        builder = BUILDERS.get(node.operation.name)
        build = builder.build if builder is not None else elementwise
        return build(node, self.slots_by_tensor, self.machine, f"k{self.kernel_count}")

    def build_group_kernels(self, group: FusionGroup) -> Sequence[BuiltKernel]:
        """Builds the kernels of a fusion group."""
        self.kernel_count += 1
        return group_kernels(group, self.slots_by_tensor, self.machine, f"k{self.kernel_count}")

    def add_request(self, node: Node) -> None:
        """Adds an operation that is executed outside; one that only orders others needs no step."""
        if node.operation.name in ORDERING:
            return
        for tensor in (*node.operands, *node.results):
            bytes_of(tensor)
        operands = [self.slot_of(operand) for operand in node.operands]
        results = [self.slot_of(result) for result in node.results]
        calls = None
        if node.operation.name in LIBRARY_OPERATIONS:
            from stablemate.compiler.library_calls.planning import library_calls

            calls = library_calls(node)
        scratch = [] if calls is None else self.scratch_slots(calls)
        self.steps.append(Request(node, operands, results, calls, scratch))

    def scratch_slots(self, calls: CallSequence) -> list[PlanBuffer]:
        """The slots of the scratch memory of library calls, and of their parameters."""
        numbers = [0 if is_symbolic(word) else word for word in calls.parameters]
        parameters = np.array(numbers, np.int64)
        scratch = PlanBuffer(len(self.slots), calls.groups * calls.scratch_bytes, "local")
        constant = PlanBuffer(len(self.slots) + 1, parameters.nbytes, "constant", data=parameters)
        self.slots += [scratch, constant]
        return [scratch, constant]

    def add_control_flow(self, node: Node, liveness: GraphLiveness) -> None:
        """Adds a loop or a branch."""
        if node.operation.name == "stablehlo.while":
            self.add_loop(node, liveness)
        else:
            self.add_branch(node, liveness)

    def add_loop(self, node: Node, liveness: GraphLiveness) -> None:
        """Adds a ``while`` loop: its state has slots that the body reads and rewrites.

        A slot of the state is that of the operand if nothing reads the operand later.
        """
        cond, body = node.regions
        state: list[PlanBuffer] = []
        for tensor in node.operands:
            slot = self.slot_of(tensor)
            if not self.can_reuse(tensor, node, liveness):
                source, slot = slot, self.new_slot(tensor)
                self.steps.append(self.fill(tensor, slot) or CopySlot(source, slot))
            state.append(slot)
        self.slots_by_tensor.update(zip(cond.arguments, state, strict=True))
        self.slots_by_tensor.update(zip(body.arguments, state, strict=True))
        start = len(self.steps)
        self.add_block(cond)
        branch = BranchStep(self.slot_of(cond.results[0]), [])
        self.steps.append(branch)
        branch.targets = [-1, len(self.steps)]
        first_new_slot = len(self.slots)
        self.add_block(body, changes_arguments=True)
        self.add_moves(body.results, state, first_new_slot)
        condition_steps = self.steps[start : branch.targets[1] - 1]
        if self.options.fuse and all(map(is_tiny, condition_steps)):
            self.steps += (
                condition_steps  # the condition is repeated, to be fused with the end of the body
            )
            start += len(condition_steps)
        self.steps.append(JumpStep(start, loops=True, node=node))
        branch.targets[0] = len(self.steps)
        self.slots_by_tensor.update(zip(node.results, state, strict=True))

    def fill(self, tensor: Tensor, slot: PlanBuffer) -> Step | None:
        """The launch that fills a slot with equal elements of a constant, which reads no memory.

        None for any other value, and for a small one.
        """
        node = tensor.node
        if node is None or splat_of(node) is None or not is_worth_exchanging(slot):
            return None
        key = "fill", tensor.type, np.asarray(splat_of(node)).tobytes()
        if key not in self.drafts_by_key:
            self.kernel_count += 1
            kernels = elementwise(node, (), self.machine, f"k{self.kernel_count}")
            self.drafts_by_key[key] = (), list(kernels)
        (built,) = self.drafts_by_key[key][1]
        return LaunchStep(built.kernel, [slot], (node,))

    def add_moves(
        self, values: Sequence[Tensor], targets: Sequence[PlanBuffer], first_new_slot: int
    ) -> None:
        """Assigns values to slots, some of which may be sources of other assignments.

        A large value in a slot that was allocated from ``first_new_slot`` on is not copied: the
        slots exchange their memory.
        """
        sources = [self.slot_of(value) for value in values]
        changed = [(s, t) for s, t in zip(sources, targets, strict=True) if s is not t]
        overwritten = {t for _, t in changed}
        save_steps: list[Step] = []
        copy_steps: list[Step] = []
        exchange_steps: list[Step] = []
        for source, target in changed:
            if source in overwritten:
                temporary = PlanBuffer(len(self.slots), source.bytes, "local")
                self.slots.append(temporary)
                save_steps.append(CopySlot(source, temporary))
                copy_steps.append(CopySlot(temporary, target))
            elif (
                source.number >= first_new_slot
                and is_worth_exchanging(source)
                and sources.count(source) == 1
            ):
                exchange_steps.append(SwapSlots(target, source))
            else:
                copy_steps.append(CopySlot(source, target))
        self.steps += save_steps + copy_steps + exchange_steps

    def add_branch(self, node: Node, liveness: GraphLiveness) -> None:
        """Adds ``if`` or ``case``: all branches write the same slots.

        A value that a branch only returns unchanged, and that nothing reads later, stays where it
        is.
        """
        passed_through = self.passed_through_values(node, liveness)
        results = [
            passed_through[k][1] if k in passed_through else self.new_slot(e)
            for k, e in enumerate(node.results)
        ]
        dying = [tensor for tensor, _ in passed_through.values()]
        by_index = node.operation.name == "stablehlo.case"
        branch = BranchStep(self.slot_of(node.operands[0]), [], by_index)
        self.steps.append(branch)
        ends: list[JumpStep] = []
        starts: list[int] = []
        for region in node.regions:
            starts.append(len(self.steps))
            self.add_block(region, dying=dying)
            self.add_moves(region.results, results, first_new_slot=maxsize)
            ends.append(JumpStep())
            self.steps.append(ends[-1])
        for end in ends:
            end.target = len(self.steps)
        branch.targets = starts if by_index else starts[::-1]
        self.slots_by_tensor.update(zip(node.results, results, strict=True))

    def passed_through_values(
        self, node: Node, liveness: GraphLiveness
    ) -> dict[int, tuple[Tensor, PlanBuffer]]:
        """The values from outside that become results of a branch without being copied."""
        passed_through: dict[int, tuple[Tensor, PlanBuffer]] = {}
        for k in range(len(node.results)):
            for region in node.regions:
                tensor = region.results[k]
                slot = self.slots_by_tensor.get(tensor)
                if (
                    slot is None
                    or slot.origin != "local"
                    or not liveness.is_dead_after(tensor, node)
                ):
                    continue
                if all(slot is not other for _, other in passed_through.values()):
                    passed_through[k] = tensor, slot
                    break
        return passed_through


def is_update(node: Node) -> bool:
    """Whether kernels of a node write parts of its operands."""
    return node.operation.name in BUILDERS and BUILDERS[node.operation.name].updates


def is_needed_in_memory(tensor: Tensor, kinds: Mapping[Node, Kind]) -> bool:
    """Whether a constant must be in memory, because it is not just an element written into code."""
    node = tensor.node
    assert node is not None
    value: Any = node.operation.attributes["value"]
    if not value.is_splat or None in tensor.users or not tensor.users:
        return True
    user_kinds = [kinds.get(user) or kind_of(user) for user in tensor.users if user is not None]
    return "request" in user_kinds or "control" in user_kinds


def is_worth_exchanging(slot: PlanBuffer) -> bool:
    """Whether exchanging the memory of a slot costs less than a copy."""
    if slot.origin != "local":
        return False
    return is_symbolic(slot.bytes) or slot.bytes >= MIN_EXCHANGED_BYTES


def bytes_of(tensor: Tensor) -> int:
    """The size in memory of a value; 0 for a token."""
    if isinstance(tensor.type, TokenType):
        return 0
    if not isinstance(tensor.type, TensorType) or not tensor.type.is_static:
        message = f"values of type {tensor.type} are not compiled"
        operation = tensor.node.operation if tensor.node else None
        rule, span = (operation.name, operation.span) if operation else ("", None)
        raise UnsupportedError(Diagnostic(message, rule, span))
    return tensor.type.size * tensor.type.element_type.dtype.itemsize
