"""What the classes of operations declare, and what is derived from it."""

import pytest

import stablemate as sm
from stablemate.dialects.registry import OPERATIONS, names_in
from stablemate.explorer.families import family_of
from stablemate.ir.definition import definition_of, has_trait, region_names
from stablemate.ir.traits import Family, Trait

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
