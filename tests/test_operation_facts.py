"""What the classes of operations declare, and what is derived from it."""

import re
from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from stablemate.dialects.registry import OPERATIONS, names_in, names_with
from stablemate.explorer.families import family_of
from stablemate.ir.definition import Op, definition_of, has_trait, region_names
from stablemate.ir.traits import Family, Trait

SOURCE: Final = Path(__file__).parents[1] / "src" / "stablemate"
MOST_FILES: Final = 12  # of src that a new operation touches
NAMES = [*names_in("stablehlo"), *names_in("chlo")]


def test_every_operation_declares_its_family() -> None:
    assert [name for name in NAMES if definition_of(OPERATIONS[name]).family is None] == []


def test_operations_with_regions_or_effects_are_not_folded() -> None:
    for name in NAMES:
        definition = definition_of(OPERATIONS[name])
        if Trait.FOLDABLE in definition.traits:
            assert (definition.regions, definition.effects) == ((), False), name


def test_operations_that_promote_have_a_reducer() -> None:
    promoting = [name for name in NAMES if has_trait(OPERATIONS[name], Trait.PROMOTING)]
    assert promoting
    assert all(definition_of(OPERATIONS[name]).regions for name in promoting)


def test_operations_of_the_elementwise_family_are_elementwise() -> None:
    own = [name for name in NAMES if not name.startswith(("chlo.broadcast_", "chlo._"))]
    elementwise = {name for name in own if has_trait(OPERATIONS[name], Trait.ELEMENTWISE)}
    family = {n for n in own if definition_of(OPERATIONS[n]).family is Family.ELEMENTWISE}
    moved = {"stablehlo.bitcast_convert", "stablehlo.optimization_barrier"}
    constants = {"chlo.constant", "chlo.constant_like"}
    assert elementwise == family - constants | moved


def test_operations_with_operands_that_are_sizes_are_dynamic() -> None:
    sized = {
        name
        for name in NAMES
        if any(field.holds_sizes for field in definition_of(OPERATIONS[name]).operands)
    }
    dynamic = {name for name in NAMES if has_trait(OPERATIONS[name], Trait.DYNAMIC)}
    queries = {"stablehlo.get_dimension_size", "stablehlo.set_dimension_size"}
    assert dynamic == sized - {"stablehlo.rng"} | queries


def test_operations_are_linear_in_operands_that_they_have() -> None:
    for name in NAMES:
        cls = OPERATIONS[name]
        count = len(definition_of(cls).operands)
        assert issubclass(cls, Op)
        assert all(i < count for operands in cls.linearity.alternatives for i in operands), name


def test_sharding_annotations_return_their_operands() -> None:
    identities = [OPERATIONS[name] for name in names_with(Trait.IDENTITY, "sdy")]
    assert len(identities) == 13
    for cls in identities:
        definition = definition_of(cls)
        assert len(definition.operands) == len(definition.results) == 1


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("stablehlo.gather", Family.MOVEMENT),
        ("dynamic-update-slice", Family.MOVEMENT),
        ("copy", Family.MOVEMENT),
        ("conditional", Family.CONTROL),
        ("all-reduce", Family.EXTERNAL),
        ("dot", Family.CONTRACTION),
        ("topk", Family.REDUCTION),
        ("vendor.operation", None),
    ],
)
def test_opcodes_have_the_family_of_their_operation(name: str, family: Family | None) -> None:
    assert family_of(name) is family


def test_regions_are_named_by_their_definition() -> None:
    module = sm.parse(
        """func.func @main(%i: tensor<i32>, %x: tensor<f32>) -> tensor<f32> {
          %0 = "stablehlo.case"(%i) ({
            stablehlo.return %x : tensor<f32>
          }, {
            stablehlo.return %x : tensor<f32>
          }) : (tensor<i32>) -> tensor<f32>
          %1:1 = stablehlo.while(%a = %0) : tensor<f32> cond {
            %true = stablehlo.constant dense<true> : tensor<i1>
            stablehlo.return %true : tensor<i1>
          } do {
            stablehlo.return %a : tensor<f32>
          }
          return %1 : tensor<f32>
        }"""
    )
    names = {op.name: region_names(op) for op in module.operation.walk() if op.regions}
    assert names["stablehlo.case"] == ["region 0", "region 1"]
    assert names["stablehlo.while"] == ["cond", "body"]


@pytest.mark.parametrize(
    "name",
    [
        "batch_norm_training", "collective_permute", "optimization_barrier", "popcnt",
        "real_dynamic_slice", "torch_index_select", "triangular_solve",
    ],
)  # fmt: skip
def test_an_operation_is_named_in_at_most_twelve_files(name: str) -> None:
    """As CONTRIBUTING promises; these are operations that no other code uses as a means."""
    named = re.compile(rf"stablehlo[.]{name}\b|\"{name}\"|^def {name}\(", re.MULTILINE)
    sources = [*SOURCE.rglob("*.py"), *SOURCE.rglob("*.mlir")]
    files = [path for path in sources if named.search(path.read_text("utf-8"))]
    assert 2 <= len(files) <= MOST_FILES, sorted(map(str, files))
