"""Custom calls by name: what is built in, and what ``stablemate.custom_call`` adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.execution.custom_calls.call import CallableComputation as CallableComputation
    from stablemate.execution.custom_calls.invocation import prepare_call as prepare_call

__getattr__ = names_on_demand(
    __name__,
    {
        "CallableComputation": "call",
        "prepare_call": "invocation",
    },
)
