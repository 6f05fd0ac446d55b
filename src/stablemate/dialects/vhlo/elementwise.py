"""Elementwise operations.

Source: StableHLO, VHLO operations.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.vhlo import kinds
from stablemate.dialects.vhlo.definition import revision

UNARY: Final = "operand -> result"
BINARY: Final = "lhs, rhs -> result"
# The first version, and the last version without a result accuracy.
WITH_ACCURACY: Final = {
    "cbrt": ("0.9.0", "1.9.0"),
    "cosine": ("0.9.0", "1.9.0"),
    "exponential": ("0.9.0", "1.8.0"),
    "exponential_minus_one": ("0.9.0", "1.9.0"),
    "log": ("0.9.0", "1.9.0"),
    "log_plus_one": ("0.9.0", "1.9.0"),
    "logistic": ("0.9.0", "1.9.0"),
    "rsqrt": ("0.9.0", "1.9.0"),
    "sine": ("0.9.0", "1.9.0"),
    "sqrt": ("0.9.0", "1.9.0"),
    "tan": ("1.4.0", "1.9.0"),
    "tanh": ("0.9.0", "1.9.0"),
}

OPERATIONS: Final = (
    *(
        revision(f"{name}_v1", UNARY)
        for name in (
            *("abs", "bitcast_convert", "ceil", "convert", "count_leading_zeros", "floor", "imag"),
            *("negate", "not", "popcnt", "real", "round_nearest_afz", "round_nearest_even"),
            *("sign", "uniform_dequantize", "uniform_quantize"),
        )
    ),
    *(
        revision(f"{name}_v1", BINARY)
        for name in (
            *("add", "and", "atan2", "complex", "divide", "maximum", "minimum", "multiply", "or"),
            *("power", "remainder", "shift_left", "shift_right_arithmetic"),
            *("shift_right_logical", "subtract", "xor"),
        )
    ),
    *(
        revision(f"{name}_v1", UNARY, since=since, until=until)
        for name, (since, until) in WITH_ACCURACY.items()
    ),
    *(
        revision(
            f"{name}_v2",
            UNARY,
            since="1.9.0" if until == "1.8.0" else "1.10.0",
            attributes={"result_accuracy": kinds.ACCURACY},
        )
        for name, (_, until) in WITH_ACCURACY.items()
    ),
    revision("clamp_v1", "min, operand, max -> result"),
    revision(
        "compare_v1",
        BINARY,
        attributes={"compare_type": kinds.COMPARISON, "comparison_direction": kinds.DIRECTION},
    ),
    revision("is_finite_v1", "x -> y"),
    revision(
        "reduce_precision_v1",
        "operand -> output",
        attributes={"exponent_bits": kinds.I32, "mantissa_bits": kinds.I32},
    ),
    revision("select_v1", "pred, on_true, on_false -> result"),
)
