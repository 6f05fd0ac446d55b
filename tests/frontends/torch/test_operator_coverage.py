"""Every operator of ATen and prims is translated, decomposed, or left out for a reason."""

from __future__ import annotations

from fnmatch import fnmatchcase
from importlib.util import find_spec
from typing import Any

import pytest

from tools.torch_operator_table import UNTRANSLATED

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.frontends.torch import pytorch
from stablemate.frontends.torch.decompositions import decompositions
from stablemate.frontends.torch.table import lowerings, operator_name

# What the importer computes itself: sizes, and a change of storage that AOTAutograd replaces.
BY_IMPORTER = {
    "aten.sym_size.int", "aten.sym_stride.int", "aten.sym_storage_offset.default",
    "aten.sym_is_contiguous.default", "aten.resize_.default",
}  # fmt: skip
IMPLICIT = "CompositeImplicitAutograd"


def operators() -> list[Any]:
    found = []
    for name in [*pytorch.operator_names("aten::"), *pytorch.operator_names("prims::")]:
        try:
            found.append(pytorch.operator_of(name))
        except AttributeError:  # operators of TorchScript, which Python does not see
            continue
    return found


def known() -> set[str]:
    return {*lowerings(), *map(operator_name, decompositions())}


def gives_tensors(operator: Any) -> bool:
    schema = operator._schema
    if any(a.alias_info is not None and a.alias_info.is_write for a in schema.arguments):
        return False
    return any("Tensor" in str(value.type) for value in schema.returns)


def is_composed(operator: Any) -> bool:
    """Whether PyTorch itself replaces it by others before a graph is there."""
    return torch._C._dispatch_has_kernel_for_dispatch_key(operator.name(), IMPLICIT)


def is_left_out(name: str) -> bool:
    full = name.partition(".")[2].removesuffix(".default")
    base = full.partition(".")[0]
    patterns = [pattern for group in UNTRANSLATED.values() for pattern in group]
    return any(fnmatchcase(full, p) or fnmatchcase(base, p) for p in patterns)


def test_the_core_operators_are_translated() -> None:
    core = {operator_name(op) for op in operators() if torch.Tag.core in op.tags}
    assert len(core) > 180
    assert core - known() - BY_IMPORTER == set()


def test_other_operators_are_translated_or_left_out_for_a_reason() -> None:
    found, translated = operators(), known()
    assert len(found) > 2000
    missing = {
        operator_name(op)
        for op in found
        if operator_name(op) not in translated
        and gives_tensors(op)
        and not is_composed(op)
        and not is_left_out(operator_name(op))
    }
    assert missing == set()
