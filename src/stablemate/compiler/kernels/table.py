"""The table of all kernel builders."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.kernels import kernel_builder as build_kernels
from stablemate.compiler.kernels import random_bits
from stablemate.compiler.kernels.attention import forward as attention
from stablemate.compiler.kernels.attention import gradient as attention_gradient
from stablemate.compiler.kernels.attention import reductions as attention_reductions
from stablemate.compiler.kernels.attention import statistics as attention_statistics
from stablemate.compiler.kernels.contraction import dot
from stablemate.compiler.kernels.contraction.convolution import builder as convolution
from stablemate.compiler.kernels.fft import fft as fourier
from stablemate.compiler.kernels.reduction import reduce
from stablemate.compiler.kernels.reduction import reduce_window as windows
from stablemate.compiler.kernels.scatter import updates
from stablemate.compiler.kernels.sort import sort

MODULES: Final = (
    attention,
    attention_gradient,
    attention_reductions,
    attention_statistics,
    convolution,
    dot,
    fourier,
    random_bits,
    reduce,
    sort,
    updates,
    windows,
)
BUILDERS: Final = build_kernels.BUILDERS
