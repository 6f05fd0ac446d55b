"""Targets that are known, but whose code is not part of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Never

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.custom_calls.call import Target, TargetCall

CALLBACK: Final = "calls a Python function of the process that made the program"
KERNEL: Final = "is code for another device"
REASONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            "xla_buffer_python_cpu_callback",
            "xla_ffi_partitioned_python_cpu_callback",
            "xla_ffi_partitioned_python_gpu_callback",
            "xla_ffi_python_cpu_callback",
            "xla_ffi_python_gpu_callback",
            "xla_python_cpu_callback",
            "xla_python_gpu_callback",
        ),
        CALLBACK,
    ),
    **dict.fromkeys(
        ("__gpu$xla.gpu.triton", "mosaic_gpu_v2", "tpu_custom_call", "triton_kernel_call"), KERNEL
    ),
    "tf.call_tf_function": "calls a function of TensorFlow that is not in the program",
}


def reject(operands: Sequence[object], call: TargetCall) -> Never:
    """Says why the target cannot run here.

    Raises:
        UnsupportedError: Always.
    """
    how = Diagnostic(
        f'a function takes its place by @stablemate.custom_call("{call.target}")',
    )
    raise UnsupportedError(
        Diagnostic(f"this target {REASONS[call.target]}", call.rule, notes=(how,))
    )


TARGETS: Final[Mapping[str, Target]] = dict.fromkeys(REASONS, reject)
