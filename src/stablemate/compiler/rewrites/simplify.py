"""Simplifies the graph before kernels are chosen; all bits are preserved.

Composed index maps and constants in formulas are simplified when expressions are created. This
module simplifies whole tensors: equal operations are merged, operations on small integer constants
are evaluated, identities are replaced by their operands, transposes of products become products,
and dead operations are removed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final

import numpy as np

from stablemate.compiler.fusion.classification import kind_of
from stablemate.compiler.graph.graph import Graph, Node, Tensor, all_nodes
from stablemate.compiler.kernels.sort.sort import selects
from stablemate.compiler.lowering.table import LOWERINGS
from stablemate.compiler.rewrites.dot_transposes import exchange_operands_of_dots
from stablemate.compiler.rewrites.factorization_statuses import remove_status_selections
from stablemate.compiler.rewrites.local_splats import NewTensor, copy_splats
from stablemate.compiler.rewrites.loop_invariants import replace_invariants
from stablemate.compiler.rewrites.shared_concatenations import share_concatenations
from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.calls import is_request
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.ir.attributes import dense_elements
from stablemate.ir.builder import create
from stablemate.ir.definition import Op
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import IntegerType
from stablemate.numerics.symbolic_sizes import is_symbolic
from stablemate.transforms.simplification.identities import CONSTANT, IdentityStep, identity_of

# More would be evaluated by the interpreter while the program is compiled, and stored with it.
MAX_FOLDED_BYTES: Final = 256  # of results that are evaluated: indices and sizes, not tables
MAY_NOT_TERMINATE: Final = "stablehlo.while"

Replacements = dict[Tensor, Tensor]


def simplify(graph: Graph, new_tensor: NewTensor) -> None:
    """Simplifies a graph: identities, dead nodes, then dots, concatenations and sorts."""
    replace_invariants(graph)
    Simplification().graph(graph)
    copy_splats(graph, new_tensor)
    remove_dead_nodes(graph, set())
    if remove_status_selections(graph):
        remove_dead_nodes(graph, set())
    exchange_operands_of_dots(graph)
    share_concatenations(graph)
    shorten_sorts(graph)


class Simplification:
    """One pass over a function, in order."""

    def __init__(self) -> None:
        self.replaced: Replacements = {}

    def graph(self, graph: Graph) -> None:
        """Simplifies a function or a region.

        A region does not reuse equal operations from outside: recomputing may be cheaper than
        storing.
        """
        nodes_by_key: dict[Hashable, Node] = {}
        nodes: list[Node] = []
        for node in graph.nodes:
            node.operands = self.values(node.operands)
            for region in node.regions:
                self.graph(region)
            rewritten = self.node(node, nodes_by_key)
            if rewritten is not None:
                nodes.append(rewritten)
        graph.nodes = nodes
        graph.results = self.values(graph.results)

    def values(self, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """The values with replacements applied."""
        return tuple([self.replaced.get(tensor, tensor) for tensor in tensors])

    def node(self, node: Node, nodes_by_key: dict[Hashable, Node]) -> Node | None:
        """Simplifies an operation; None if its results are replaced by other values."""
        replacement = identity_of(step_of(node))
        if replacement is not None:
            self.replaced[node.results[0]] = replacement
            return None
        key = key_of(node)
        equal = node if key is None else nodes_by_key.setdefault(key, node)
        if equal is not node:
            self.replaced.update(zip(node.results, equal.results, strict=True))
            return None
        return fold_constant(node) or node


def step_of(node: Node) -> IdentityStep[Tensor]:
    """An operation of the graph as a step of the identities."""
    return IdentityStep(node.operation, node.operands, node.results, defining_step)


def defining_step(tensor: Tensor) -> IdentityStep[Tensor] | None:
    """The step that computes a tensor; None if it is an argument."""
    return None if tensor.node is None else step_of(tensor.node)


def key_of(node: Node) -> Hashable:
    """A key that equal operations share; None if an operation is never merged.

    Elementwise operations are never merged: the merged value would have to be stored, while each
    kernel computes it on the fly (gpt2 would have more launches, not fewer).
    """
    operation = node.operation
    if operation.name in LOWERINGS or node.regions or not is_pure(node):
        return None
    if operation.name == "stablehlo.custom_call":
        return None
    if operation.name == CONSTANT:
        value: Any = operation.attributes["value"]
        if not value.is_splat and value.data.nbytes > MAX_FOLDED_BYTES:
            return None
        return CONSTANT, node.results[0].type, value.data.tobytes()
    types = tuple([result.type for result in node.results])
    return operation.name, frozenset(operation.attributes.items()), node.operands, types


def is_pure(node: Node) -> bool:
    """Whether an operation only computes its results, and terminates."""
    operation = node.operation
    if is_request(operation) or operation.name == MAY_NOT_TERMINATE or not node.results:
        return False
    if isinstance(operation, Op) and operation.has_effects:
        return False
    return all(is_pure(inner) for region in node.regions for inner in region.nodes)


def cannot_fail(node: Node) -> bool:
    """Whether an operation has results for all operands, as all operations in native code have."""
    if kind_of(node) == "request":
        return False
    return all(cannot_fail(inner) for region in node.regions for inner in region.nodes)


def fold_constant(node: Node) -> Node | None:
    """The constant that an operation computes from small constants; None if it is not constant.

    The operation evaluates itself, as in the interpreter.
    """
    if not node.operands or any(constant_of(operand) is None for operand in node.operands):
        return None
    operation = node.operation
    if len(node.results) != 1 or node.regions:
        return None
    if not isinstance(operation, Op) or not is_pure(node):
        return None
    value_type = node.results[0].type
    if not isinstance(value_type, TensorType) or not value_type.is_static:
        return None
    if is_symbolic(value_type.size):
        return None
    if not isinstance(value_type.element_type, IntegerType) or value_type.bytes > MAX_FOLDED_BYTES:
        return None
    if operation.name == "stablehlo.custom_call":
        return None
    try:
        with np.errstate(all="ignore"):
            data = np.asarray(operation.prepare(())(*map(elements, node.operands)))
    except StablemateError:
        return None  # the error is reported at run time
    literal = create(Constant, value=dense_elements(value_type, data.reshape(-1)))
    constant = Node(literal, (), node.results)
    node.results[0].node = constant
    return constant


def constant_of(tensor: Tensor) -> Any:
    """The operation of a small constant; None if the value is not one."""
    node, value_type = tensor.node, tensor.type
    if node is None or node.operation.name != CONSTANT or not isinstance(value_type, TensorType):
        return None
    return node.operation if value_type.bytes <= MAX_FOLDED_BYTES else None


def elements(tensor: Tensor) -> Any:
    """The elements of a constant."""
    return constant_of(tensor).evaluate()


def remove_dead_nodes(graph: Graph, used: set[Tensor]) -> None:
    """Removes operations whose results are not used; ``used`` collects the values that are used.

    An operation that may fail stays, so that it reports its error.
    """
    used.update(graph.results)
    nodes: list[Node] = []
    for node in reversed(graph.nodes):
        if used.isdisjoint(node.results) and is_pure(node) and cannot_fail(node):
            continue
        for region in node.regions:
            remove_dead_nodes(region, used)
        used.update(node.operands)
        nodes.append(node)
    graph.nodes = nodes[::-1]


def shorten_sorts(graph: Graph) -> None:
    """Lets a sort return only the prefix that is used."""
    users: dict[Tensor, list[Node | None]] = {}
    sorts = [node for node in graph.nodes if node.operation.name == "stablehlo.sort"]
    for node in graph.nodes:
        for region in node.regions:
            shorten_sorts(region)
    if not sorts:
        return
    for node in all_nodes(graph):
        for tensor in node.operands:
            users.setdefault(tensor, []).append(node)
    for tensor in graph.results:
        users.setdefault(tensor, []).append(None)
    gone: set[Node] = set()
    for node in sorts:
        gone.update(shorten_sort(node, [users.get(result, []) for result in node.results]))
    graph.nodes = [node for node in graph.nodes if node not in gone]


def shorten_sort(node: Node, users: Sequence[Sequence[Node | None]]) -> Sequence[Node]:
    """Replaces the prefix slices of the results of a sort by shorter results.

    Returns:
        The slices that were replaced; none if the sort stays as it is.
    """
    dimension = int(node.operation.dimension) % len(node.operands[0].shape)
    slices = [
        user
        for result_users in users
        for user in result_users
        if user is not None and is_prefix_slice(user, dimension)
    ]
    sizes = {node.results[0].shape[dimension] for node in slices}
    if len(slices) != sum(map(len, users)) or len(sizes) != 1 or any(len(u) > 1 for u in users):
        return ()
    (size,) = sizes
    if not selects(node, size):
        return ()
    results: list[Tensor] = []
    for old, result_users in zip(node.results, users, strict=True):
        new = old
        for user in result_users:
            assert user is not None
            (new,) = user.results
        if new is old and isinstance(old.type, TensorType):
            shape = [size if d == dimension else n for d, n in enumerate(old.shape)]
            old.type = old.type.with_shape(shape)
        new.node = node
        results.append(new)
    node.results = tuple(results)
    return slices


def is_prefix_slice(node: Node, dimension: int) -> bool:
    """Whether a node is a slice of the first elements along a dimension."""
    operation = node.operation
    if operation.name != "stablehlo.slice":
        return False
    pairs = enumerate(zip(node.operands[0].shape, node.results[0].shape, strict=True))
    same_sizes = all(d == dimension or one == other for d, (one, other) in pairs)
    is_prefix = not any(operation.start_indices) and all(
        stride == 1 for stride in operation.strides
    )
    return same_sizes and is_prefix
