"""What the interpreter runs when somebody listens: steps and blocks that tell what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stablemate.execution.observe.listener import Computed, Listener
from stablemate.interpreter.block import AskingBlock, PreparedBlock
from stablemate.ir.core import Operation
from stablemate.ir.request import Process


def observed(
    function: Callable[..., Any], asks: bool, operation: Operation, computed: Computed
) -> Callable[..., Any]:
    """The function of an operation, which tells a listener what it took and gave."""
    is_single = len(operation.results) == 1

    def several(*operands: Any) -> Any:
        results = function(*operands)
        computed(operands, results or ())
        return results

    def single(*operands: Any) -> Any:
        result = function(*operands)
        computed(operands, (result,))
        return result

    def asking(*operands: Any) -> Process:
        process: Process = function(*operands)
        results = yield from process
        computed(operands, (results,) if is_single else results or ())
        return results

    if asks:
        return asking
    return single if is_single else several


def entering(
    block: PreparedBlock | AskingBlock, listener: Listener, operation: Operation, region: int
) -> PreparedBlock | AskingBlock:
    """The block, which tells a listener that it begins and ends; not that it fails."""
    entered, left = listener.entered, listener.left
    function: Callable[..., Any] = block.function

    def run(*arguments: Any) -> tuple[Any, ...]:
        entered(operation, region, arguments)
        results: tuple[Any, ...] = function(*arguments)
        left()
        return results

    def process(*arguments: Any) -> Process:
        entered(operation, region, arguments)
        inside: Process = function(*arguments)
        results = yield from inside
        left()
        return results

    return AskingBlock(process) if isinstance(block, AskingBlock) else PreparedBlock(run)
