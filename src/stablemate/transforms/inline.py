"""inline: the bodies of functions in the place of calls."""

from __future__ import annotations

from typing import Final

from stablemate.dialects.builtin import find_symbol
from stablemate.dialects.func import Call, FuncOp
from stablemate.ir.core import Block, Module, Operation
from stablemate.ir.locations import UNKNOWN, CallSiteLocation
from stablemate.ir.rewriter import Rewriting
from stablemate.transforms.symbol_dce import symbol_dce

DEEPEST: Final = 200  # calls inside calls
BOUND: Final = "sdy.func_data_flow_edge"  # to an argument of a function or a result of a call


def inline(module: Module) -> Module:
    """The module without calls, but of functions that call themselves or are not to be inlined.

    Private functions that nobody refers to any more go.
    """
    if not any(isinstance(operation, Call) for operation in module.operation.walk()):
        return module
    top = Inlining().copied(module.operation)
    inlined = module.with_operation(top)
    return symbol_dce(inlined)


class Inlining(Rewriting):
    """Copies a module, with bodies in the place of calls.

    Attributes:
        active: The calls whose bodies are being copied, outermost first.
        staying: Whether a function stays one, of those that have been looked at.
        bound: Whether what it holds must, too.
    """

    def __init__(self) -> None:
        super().__init__({})
        self.active: list[tuple[Call, FuncOp]] = []
        self.staying: dict[FuncOp, bool] = {}
        self.bound: dict[FuncOp, bool] = {}

    def place(self, operation: Operation, block: Block) -> None:
        """Copies an operation, or what it calls."""
        callee = self.inlined(operation)
        if callee is None:
            super().place(operation, block)
            return
        assert isinstance(operation, Call)
        body = callee.body.block
        operands = [self.values.get(value, value) for value in operation.operands]
        self.values.update(zip(body.arguments, operands, strict=True))
        self.active.append((operation, callee))
        for inner in body.operations[:-1]:
            self.place(inner, block)
        self.active.pop()
        returned = [self.values.get(value, value) for value in body.terminator.operands]
        self.values.update(zip(operation.results, returned, strict=True))

    def inlined(self, operation: Operation) -> FuncOp | None:
        """The function whose body replaces a call; None if it is not a call, or is not inlined."""
        if not isinstance(operation, Call) or operation.no_inline or len(self.active) >= DEEPEST:
            return None
        callee = find_symbol(operation, operation.callee)
        if not isinstance(callee, FuncOp) or callee.no_inline or len(callee.body.blocks) != 1:
            return None
        around = operation.parent_operation()
        while around is not None and not isinstance(around, FuncOp):
            around = around.parent_operation()
        running = [*(function for _, function in self.active), around]
        if callee in running or self.stays(callee) or (around and self.is_bound(around)):
            return None
        return callee

    def stays(self, function: FuncOp) -> bool:
        """Whether a function cannot be inlined: it is recursive, or bound to its arguments."""
        if function not in self.staying:
            self.staying[function] = calls_itself(function) or self.is_bound(function)
        return self.staying[function]

    def is_bound(self, function: FuncOp) -> bool:
        """Whether operations of a function refer to its arguments or calls."""
        if function not in self.bound:
            self.bound[function] = any(operation.name == BOUND for operation in function.walk())
        return self.bound[function]

    def copied(self, operation: Operation) -> Operation:
        """A copy whose location has the call sites through which it was inlined."""
        copy = super().copied(operation)
        for call, _ in reversed(self.active):
            if copy.location != UNKNOWN or call.location != UNKNOWN:
                copy.location = CallSiteLocation(copy.location, call.location)
        return copy


def calls_itself(function: FuncOp) -> bool:
    """Whether a function comes back to itself."""
    reached: set[FuncOp] = set()
    pending = [function]
    while pending:
        for operation in pending.pop().walk():
            callee = (
                find_symbol(operation, operation.callee) if isinstance(operation, Call) else None
            )
            if callee is function:
                return True
            if isinstance(callee, FuncOp) and callee not in reached:
                reached.add(callee)
                pending.append(callee)
    return False
