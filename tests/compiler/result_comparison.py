"""Compares what a compiled program gives with what the interpreter gives, bit by bit."""

from __future__ import annotations

from typing import Any

import numpy as np

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import Request


def arrays(results: Any) -> list[Any]:
    """The arrays that a call returns."""
    several: list[Any] = [*results] if isinstance(results, tuple) else [results]
    return [np.asarray(item) for item in several]


def native(text: str, entry: str | None = None) -> CompiledExecutable:
    """The program, compiled; no operation of it leaves native code."""
    executable = sm.compile(sm.load(text), backend="cpu", entry=entry)
    assert isinstance(executable, CompiledExecutable), executable.fallback
    requests = [step.node for step in executable.plan.steps if isinstance(step, Request)]
    assert not requests
    return executable


def same_bits(text: str, *arguments: Any, entry: str | None = None) -> CompiledExecutable:
    """Compiles a program without requests, and compares all bits with the interpreter's."""
    executable = native(text, entry)
    oracle = sm.compile(sm.load(text), backend="interpreter", entry=entry)
    value, expected = arrays(executable(*arguments)), arrays(oracle(*arguments))
    for one, other in zip(value, expected, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert one.tobytes() == other.tobytes()
    return executable
