"""Functions, calls, branches, loops, tokens and barriers.

Source: StableHLO, VHLO operations.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.vhlo import kinds
from stablemate.dialects.vhlo.definition import revision

COMPOSITE: Final = {
    "composite_attributes": kinds.DICTIONARY,
    "decomposition": kinds.STRING,
    "name": kinds.STRING,
    "version": kinds.INTEGER,
}

OPERATIONS: Final = (
    revision("after_all_v1", "inputs* -> result"),
    revision("call_v1", "operands* -> results*", attributes={"callee": kinds.STRING}),
    revision("case_v1", "index -> results*", regions="branches*"),
    revision(
        "composite_v1",
        "inputs* -> results*",
        since="0.19.0",
        until="1.13.0",
        attributes=COMPOSITE,
    ),
    revision(
        "composite_v2",
        "inputs* -> results*",
        since="1.14.0",
        attributes=COMPOSITE,
        regions="composite_regions*",
    ),
    revision("create_token_v1", "-> output"),
    revision(
        "func_v1",
        "->",
        attributes={
            "arg_attrs": kinds.DICTIONARIES,
            "function_type": kinds.FUNCTION_TYPE,
            "res_attrs": kinds.DICTIONARIES,
            "sym_name": kinds.SYMBOL_NAME,
            "sym_visibility": kinds.STRING,
        },
        regions="body",
        assembly="custom<VhloFunction>",
        isolated=True,
    ),
    revision("get_tuple_element_v1", "operand -> result", attributes={"index": kinds.I32}),
    revision("if_v1", "pred -> results*", regions="true_branch, false_branch"),
    revision("optimization_barrier_v1", "operand* -> result*"),
    revision("return_v1", "results* ->", terminator=True),
    revision("tuple_v1", "val* -> result"),
    revision("while_v1", "operand* -> results*", regions="cond, body"),
)
