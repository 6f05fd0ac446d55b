"""Removes custom calls of unknown targets whose results are unused, as XLA does.

Nothing else goes but what uses their results in vain: a program is executed as it is written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.func import Call, FuncOp
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.execution.custom_calls.foreign import TARGETS as FOREIGN
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.execution.custom_calls.registry import BUILT_IN
from stablemate.ir.core import Module, Operation, OpResult
from stablemate.transforms.dead_code import DeadCode, DeadCodeRemoval


def has_unknown_target(operation: Operation) -> bool:
    """Whether an operation calls a target that nobody knows, or that is foreign code."""
    if not isinstance(operation, CustomCall):
        return False
    target = operation.call_target_name
    return target not in REGISTERED and (target not in BUILT_IN or target in FOREIGN)


def without_dead_calls(module: Module) -> Module:
    """The module without unused calls of unknown targets; the module itself if there are none."""
    if not any(map(has_unknown_target, module.operation.walk())):
        return module
    found = DeadCalls(module).found
    if not found:
        return module
    return module.with_operation(DeadCodeRemoval(found).copy_operation(module.operation))


class DeadCalls:
    """Finds unused calls of unknown targets, and unused operations that depend on them.

    Attributes:
        dead: All unused operations.
        functions: The functions in which a target is unknown.
        found: The operations.
    """

    def __init__(self, module: Module) -> None:
        self.dead = DeadCode(module.operation).dead
        self.functions = functions_with_unknown_targets(module)
        self.found: set[Operation] = set()
        for operation in module.operation.walk():  # values come before their uses
            if operation in self.dead and self.depends(operation):
                self.found.update(self.with_parents(operation))

    def depends(self, operation: Operation) -> bool:
        """Whether an operation is such a call, or cannot be computed without one."""
        if has_unknown_target(operation) or self.calls_unknown(operation):
            return True
        return any(self.producer(value) in self.found for value in operation.operands)

    def producer(self, value: object) -> Operation | None:
        """The operation with this result; None for an argument of a block."""
        return value.operation if isinstance(value, OpResult) else None

    def with_parents(self, operation: Operation) -> Iterator[Operation]:
        """The operation, and the unused ones around it."""
        current: Operation | None = operation
        while current is not None and current in self.dead:
            yield current
            current = current.parent_operation()

    def calls_unknown(self, operation: Operation) -> bool:
        """Whether an operation calls a function in which a target is unknown."""
        return (
            isinstance(operation, Call)
            and find_symbol(operation, operation.callee) in self.functions
        )


def functions_with_unknown_targets(module: Module) -> set[Operation]:
    """The functions that call unknown targets, themselves or by other functions."""
    callers: defaultdict[Operation, list[Operation]] = defaultdict(list)
    pending: list[Operation] = []
    for function in module.operation.walk():
        if not isinstance(function, FuncOp):
            continue
        for inner in function.walk():
            if has_unknown_target(inner):
                pending.append(function)
            elif isinstance(inner, Call):
                callee = find_symbol(inner, inner.callee)
                if callee is not None:
                    callers[callee].append(function)
    found: set[Operation] = set()
    while pending:
        function = pending.pop()
        if function not in found:
            found.add(function)
            pending += callers[function]
    return found
