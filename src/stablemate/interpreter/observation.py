"""Steps and blocks that notify an observer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stablemate.execution.observe.listener import Computed, Listener
from stablemate.interpreter.block import PreparedBlock, ProcessBlock
from stablemate.ir.core import Operation
from stablemate.ir.request import Process


def observed_step(
    function: Callable[..., Any], is_process: bool, operation: Operation, computed: Computed
) -> Callable[..., object]:
    """The function of an operation, which notifies a listener of operands and results."""
    is_single = len(operation.results) == 1

    def several(*operands: object) -> Any:
        results = function(*operands)
        computed(operands, results or ())
        return results

    def single(*operands: object) -> object:
        result = function(*operands)
        computed(operands, (result,))
        return result

    def ask(*operands: object) -> Process:
        process: Process = function(*operands)
        results = yield from process
        computed(operands, (results,) if is_single else results or ())
        return results

    if is_process:
        return ask
    return single if is_single else several


def observed_block(
    block: PreparedBlock | ProcessBlock, listener: Listener, operation: Operation, region: int
) -> PreparedBlock | ProcessBlock:
    """The block, which notifies a listener when it begins and ends, but not when it fails."""
    enter, leave = listener.enter, listener.leave
    function: Callable[..., Any] = block.function

    def run(*arguments: object) -> tuple[object, ...]:
        enter(operation, region, arguments)
        results: tuple[Any, ...] = function(*arguments)
        leave()
        return results

    def process(*arguments: object) -> Process:
        enter(operation, region, arguments)
        inside: Process = function(*arguments)
        results = yield from inside
        leave()
        return results

    return ProcessBlock(process) if isinstance(block, ProcessBlock) else PreparedBlock(run)
