"""Compile options for tests and users; few change roundings, which their descriptions say."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from stablemate.compiler.config.environment_variables import environment_number
from stablemate.deferred_dataclasses import dataclass
from stablemate.processors import usable_processors

ATTENTION_VARIABLE: Final = "STABLEMATE_ATTENTION"
# The second cache of a processor and its share of the third one: from there on, a batch of eight
# images through MobileNetV2 is faster image by image (benchmarks/results/inference.md).
NEAR: Final = 4 << 20


def uses_attention() -> bool:
    """Whether attention is recognized: unless the environment variable is 0."""
    return environment_number(ATTENTION_VARIABLE) != 0


def near_bytes() -> int:
    """The bytes of values that the caches of all processors keep from one kernel to the next."""
    return NEAR * usable_processors()


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """How a program is compiled.

    Attributes:
        fuse: Whether values may be computed where they are needed; otherwise each is kept in
            memory.
        simplify: Whether equal operations are merged, and operations on small constants evaluated.
        check: Whether native code checks every memory access before it is made; an access outside
            its buffer is an error that says where.
        attention: Whether ``softmax(f(Q K^T)) V`` is computed in tiles with an online softmax,
            which changes roundings; by default unless ``STABLEMATE_ATTENTION`` is 0.
        merge: Whether convolutions of one image that are added become one, with the sum of their
            scaled kernels, where these are constants; that changes roundings.
        prepare: Whether launches that read constants alone, such as those that pack weights, run
            once, when the program is compiled; where accesses are checked, they never do.
        layouts: Whether values between convolutions are stored with their features last, whatever
            the dimension numbers say; sums over them then have the order of that layout.
        near_bytes: The bytes of values that caches keep from one kernel to the next. A part of a
            convolutional network whose batch takes more is computed for a few images at a time;
            0 if it never is. Products have the roundings of so few rows. By default ``NEAR`` for
            each processor.
    """

    fuse: bool = True
    simplify: bool = True
    check: bool = False
    attention: bool = field(default_factory=uses_attention)
    merge: bool = True
    prepare: bool = True
    layouts: bool = True
    near_bytes: int = field(default_factory=near_bytes)


DEFAULTS: Final = CompileOptions()
