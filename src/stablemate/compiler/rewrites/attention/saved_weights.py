"""Computes weights again that a loop over layers saves for its gradient.

``jax.lax.scan`` saves what the gradient of its body reads: a loop stores a slab in each iteration,
and a second loop reads the slabs in reverse. The weights of attention are among them, as large as
all scores of all layers. If queries and keys are saved too, or can be computed from what is, the
second loop computes the scores again. Both loops then have attention, and the gradient of it, as
they are in one layer, and no matrix of scores is in memory.

The value that is read is the one that the same iteration stored: the first loop counts from zero
to the number of slabs, so that each slab is stored exactly once, and all slabs that stand for one
iteration are read at the same place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from stablemate.compiler.graph.expansion import NewTensor
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.lowering.elements import splat_of
from stablemate.compiler.rewrites.attention.clusters import REDUCE
from stablemate.compiler.rewrites.attention.forward import ScoreAxes, Users, float_sums, scores_of
from stablemate.compiler.rewrites.attention.gradient import in_order, is_large, side_of_keys
from stablemate.compiler.rewrites.attention.score_regions import is_elementwise
from stablemate.compiler.rewrites.attention.softmax import softmax_of
from stablemate.compiler.rewrites.loop_invariants import LOOP, apply_replacements, select_at
from stablemate.deferred_dataclasses import dataclass

SLICE = "stablehlo.dynamic_slice"
UPDATE = "stablehlo.dynamic_update_slice"


@dataclass(frozen=True, slots=True)
class SavingLoop:
    """A loop that stores slabs.

    Attributes:
        node: The loop.
        counter: The number of the iteration, in its body.
        count: How many iterations, and slabs, there are.
        slabs: For some results, by their numbers, what an iteration stores in them.
    """

    node: Node
    counter: Tensor
    count: int
    slabs: Mapping[int, Tensor]

    @property
    def body(self) -> Graph:
        """The region that the loop repeats."""
        return self.node.regions[1]


def recompute_saved_weights(graph: Graph, new_tensor: NewTensor, users: Users) -> bool:
    """Removes slabs with weights from the loops of a graph; returns whether there were some."""
    found = False
    loops = [node for node in graph.nodes if node.operation.name == LOOP]
    for number, node in enumerate(loops):
        for region in node.regions:
            found |= recompute_saved_weights(region, new_tensor, users)
        saving = saving_loop(node, users)
        if saving is None:
            continue
        for reader in loops[number + 1 :]:
            recomputation = recomputation_of(saving, reader, new_tensor, users)
            if recomputation is not None and recomputation.apply():
                found = True
                break
    return found


def saving_loop(node: Node, users: Users) -> SavingLoop | None:
    """The slabs of a loop that counts from zero in steps of one; None if it is another loop."""
    cond, body = node.regions
    compare = cond.results[0].node
    if compare is None or compare.operation.name != "stablehlo.compare":
        return None
    argument, bound = compare.operands
    if compare.operation.comparison_direction.value != "LT" or argument not in cond.arguments:
        return None
    k, count = cond.arguments.index(argument), integer(bound)
    counter, step = body.arguments[k], body.results[k].node
    if count is None or count < 1 or integer(node.operands[k]) != 0:
        return None
    if step is None or step.operation.name != "stablehlo.add" or counter not in step.operands:
        return None
    if [integer(operand) for operand in step.operands if operand is not counter] != [1]:
        return None
    slabs: dict[int, Tensor] = {}
    for i, (whole, result) in enumerate(zip(body.arguments, body.results, strict=True)):
        if not users.get(cond.arguments[i]) and len(users.get(whole, ())) == 1:
            slab = slab_of(whole, result, counter, count, users)
            if slab is not None:
                slabs[i] = slab
    return SavingLoop(node, counter, count, slabs) if slabs else None


def slab_of(
    whole: Tensor, result: Tensor, counter: Tensor, count: int, users: Users
) -> Tensor | None:
    """Finds the slab that an iteration stores in a carried value; None if there is none."""
    update = result.node
    if update is None or update.operation.name != UPDATE or update.operands[0] is not whole:
        return None
    _, slab, first, *rest = update.operands
    is_slab = whole.shape[0] == count and slab.shape == (1, *whole.shape[1:])
    if not is_slab or first is not counter or any(integer(index) != 0 for index in rest):
        return None
    return slab if list(users.get(result, ())) == [None] else None


def integer(tensor: Tensor) -> int | None:
    """The number that an integer constant is; None for other values."""
    value = None if tensor.node is None else splat_of(tensor.node)
    return None if value is None or value.dtype.kind not in "iu" else int(value)


def recomputation_of(
    saving: SavingLoop, reader: Node, new_tensor: NewTensor, users: Users
) -> Recomputation | None:
    """Finds the values that a second loop may recompute; None if it reads no saved weights."""
    inside = set(reader.regions[1].nodes)
    slices: dict[int, Node] = {}
    for i in saving.slabs:
        reads = users.get(saving.node.results[i], ())
        if (
            len(reads) == 1
            and reads[0] is not None
            and reads[0] in inside
            and is_slab_read(reads[0])
        ):
            slices[i] = reads[0]
    computed = computed_from_scores(saving.body, new_tensor)
    targets = [i for i in slices if saving.slabs[i] in computed]
    if not any(prod(saving.slabs[i].shape) >= computed[saving.slabs[i]] for i in targets):
        return None
    return Recomputation(saving, reader, slices, targets, set(computed), new_tensor, users)


def is_slab_read(node: Node) -> bool:
    """Whether a node reads one slab."""
    if node.operation.name != SLICE:
        return False
    whole, _, *rest = node.operands
    is_whole = node.results[0].shape == (1, *whole.shape[1:])
    return is_whole and all(integer(index) == 0 for index in rest)


def computed_from_scores(body: Graph, new_tensor: NewTensor) -> dict[Tensor, int]:
    """Collects what a body computes from scores by elementwise operations and reductions.

    Returns:
        For each value, how many scores there are.
    """
    computed: dict[Tensor, int] = {}
    nodes = set(body.nodes)
    for exponential in body.nodes:
        if exponential.operation.name != "stablehlo.exponential":
            continue
        softmax = softmax_of(exponential)
        for scores in () if softmax is None else scores_of(softmax.logits):
            axes = ScoreAxes.of(scores) if scores in nodes else None
            sums = float_sums(scores)
            if axes is None or softmax is None or sums is None:
                continue
            if not softmax.is_computed_in(sums.register):
                continue
            query_first = side_of_keys(axes, scores, softmax, new_tensor)
            if query_first is not None and is_large(axes, query_first=query_first):
                computed[scores.results[0]] = prod(scores.results[0].shape)
    for node in body.nodes:
        if is_elementwise(node) or node.operation.name == REDUCE:
            sizes = [computed[operand] for operand in node.operands if operand in computed]
            computed.update(dict.fromkeys(node.results, max(sizes)) if sizes else {})
    return computed


@dataclass(slots=True)
class Recomputation:
    """Computes slabs again where they are read.

    Attributes:
        saving: The loop that stores slabs.
        reader: The loop that reads them.
        slices: For some slabs, by the numbers of the results, the only node that reads them.
        targets: The slabs that are computed again.
        computed: The values in the body of the first loop that are computed from scores.
        new_tensor: Makes values.
        users: The users of all values.
    """

    saving: SavingLoop
    reader: Node
    slices: Mapping[int, Node]
    targets: Sequence[int]
    computed: set[Tensor]
    new_tensor: NewTensor
    users: Users

    def apply(self) -> bool:
        """Replaces the slabs, if all of them can be; returns whether they were."""
        indices = {self.slices[i].operands[1] for i in self.targets}
        if len(indices) != 1:
            return False
        (index,) = indices
        copies, nodes = self.saved_values(index), list[Node]()
        slabs = [self.saving.slabs[i] for i in self.targets]
        if not self.copy(slabs, copies, nodes, index):
            return False
        body = self.reader.regions[1]
        replaced = {self.slices[i].results[0]: copies[self.saving.slabs[i]] for i in self.targets}
        apply_replacements(body, replaced)
        gone = {self.slices[i] for i in self.targets}
        body.nodes = in_order([*nodes, *(node for node in body.nodes if node not in gone)])
        self.remove_slabs()
        return True

    def saved_values(self, index: Tensor) -> dict[Tensor, Tensor]:
        """Maps values of the first loop that are saved too to their copies in the second loop."""
        copies: dict[Tensor, Tensor] = {}
        for i, node in self.slices.items():
            slab = self.saving.slabs[i]
            if i in self.targets or node.operands[1] is not index:
                continue
            copies[slab] = node.results[0]
            if slab.node is None or prod(slab.shape) != prod(slab.node.operands[0].shape):
                continue
            (source, *_) = slab.node.operands
            for user in self.users.get(node.results[0], ()):
                is_reshape = user is not None and user.operation.name == "stablehlo.reshape"
                if user is not None and is_reshape and user.results[0].type == source.type:
                    copies[source] = user.results[0]
        return copies

    def copy(
        self, slabs: Sequence[Tensor], copies: dict[Tensor, Tensor], nodes: list[Node],
        index: Tensor,
    ) -> bool:  # fmt: skip
        """Copies what slabs are computed with; returns whether all of it may be copied.

        Args:
            slabs: The slabs.
            copies: The values that stand for values of the first loop; receives others.
            nodes: Receives copied nodes.
            index: The number of the iteration, in the second loop.
        """
        inside = set(self.saving.body.nodes)
        pending = list(slabs)
        while pending:
            last = pending[-1]
            node = last.node
            if last in copies:
                pending.pop()
            elif last in self.saving.body.arguments:
                return False
            elif node is None or node not in inside:
                copies[last] = last
            elif self.is_slice_of_layer(node):
                operands = (node.operands[0], index, *node.operands[2:])
                self.add_copy(node, operands, copies, nodes)
            elif not self.may_be_copied(node):
                return False
            elif missing := [operand for operand in node.operands if operand not in copies]:
                pending += missing
            else:
                operands = tuple([copies[operand] for operand in node.operands])
                self.add_copy(node, operands, copies, nodes)
        return True

    def is_slice_of_layer(self, node: Node) -> bool:
        """Whether a node reads what an iteration has of a value from outside."""
        if node.operation.name != SLICE or node.operands[1] is not self.saving.counter:
            return False
        whole, count = node.operands[0], self.saving.count
        inside = whole in self.saving.body.arguments or whole.node in self.saving.body.nodes
        return not inside and whole.shape[0] == count and is_slab_read(node)

    def may_be_copied(self, node: Node) -> bool:
        """Whether a node is computed again: what is computed from scores, and the scores."""
        if splat_of(node) is not None or is_elementwise(node):
            return True
        return node.results[0] in self.computed

    def add_copy(
        self, node: Node, operands: tuple[Tensor, ...], copies: dict[Tensor, Tensor],
        nodes: list[Node],
    ) -> None:  # fmt: skip
        """Adds a copy of a node."""
        copied = Node(node.operation, operands)
        copied.regions = tuple([self.copied_region(region) for region in node.regions])
        copied.results = tuple([self.new_tensor(old.type, copied) for old in node.results])
        copies.update(zip(node.results, copied.results, strict=True))
        nodes.append(copied)

    def copied_region(self, region: Graph) -> Graph:
        """A copy of the region of a reduction, which reads only its arguments and constants."""
        copies = {old: Tensor(old.type, None, old.number) for old in region.arguments}
        graph = Graph(tuple(copies.values()))
        for node in region.nodes:
            operands = tuple([copies.get(operand, operand) for operand in node.operands])
            self.add_copy(node, operands, copies, graph.nodes)
        graph.results = tuple([copies.get(result, result) for result in region.results])
        return graph

    def remove_slabs(self) -> None:
        """Removes the slabs from the state of the first loop."""
        node = self.saving.node
        cond, body = node.regions
        kept = [i for i in range(len(node.operands)) if i not in self.targets]
        updates = {body.results[i].node for i in self.targets}
        body.nodes = [one for one in body.nodes if one not in updates]
        node.operands, node.results = select_at(node.operands, kept), select_at(node.results, kept)
        cond.arguments = select_at(cond.arguments, kept)
        body.arguments, body.results = (
            select_at(body.arguments, kept), select_at(body.results, kept),
        )  # fmt: skip
