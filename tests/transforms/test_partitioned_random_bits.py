"""Devices generate the random bits of their shards; together they are those of one device."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.execution.signature import is_tuple
from stablemate.ir.types import TensorType
from stablemate.transforms.sdy_partition import partition_program

PROGRAM: Final = """sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%s: tensor<{words}xui64> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}]>}})
    -> (tensor<{words}xui64>, tensor<{type}> {{sdy.sharding = #sdy.sharding<@mesh, [{sharding}]>}}) {{
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = {algorithm}
    : (tensor<{words}xui64>) -> (tensor<{words}xui64>, tensor<{type}>)
  return %n, %b : tensor<{words}xui64>, tensor<{type}>
}}"""  # noqa: E501 a program
GENERATORS: Final = (("THREE_FRY", 2), ("PHILOX", 2), ("PHILOX", 3), ("DEFAULT", 2))
SHARDS: Final = (  # types, shardings, and whether a device needs its shard only
    ("16x16xui32", '{"x"}, {"y"}', True),
    ("16x32xui64", '{"x"}, {"y"}', True),
    ("8x16xui8", '{"y"}, {"x"}', True),
    ("32xui16", '{"y"}', True),
    ("8x4x8xf32", '{"x", "y"}, {}, {}', True),
    ("4x8x8xi32", '{}, {"x"}, {"y":(1)2}', True),
    ("16x24xui32", '{}, {"x", "y"}', True),
    ("80x64xui32", '{}, {"x"}', True),
    ("68x16xui64", '{}, {"y"}', True),
    ("6x10xui32", '{}, {"x"}', False),
)
STATE: Final = np.array([0x123456789ABCDEF, 2**64 - 3, 5], np.uint64)


def on_devices(text: str, state: Any) -> tuple[list[Any], int]:
    """The whole results of the partitioned program, and the size of its largest tensor."""
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    module = sm.Module(partition.module)
    module.verify()
    types = [v.type for op in partition.module.operation.walk() for v in op.results]
    largest = max(prod(t.shape) * t.element_type.bits for t in types if isinstance(t, TensorType))
    devices = partition.devices
    rows = sm.run_grid(module, [(state,)] * devices.count, partitions=devices.count)
    assert all(is_tuple(row) for row in rows)
    results = [[rows[device][i] for device in devices.ids] for i in range(2)]
    pairs = zip(results, partition.results, strict=True)
    return [devices.global_tensor(*pair) for pair in pairs], largest


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda row: f"{row[0]}-{row[1]}")
@pytest.mark.parametrize("shard", SHARDS, ids=lambda row: row[0])
def test_bits_of_shards(generator: tuple[str, int], shard: tuple[str, str, bool]) -> None:
    (algorithm, words), (type_text, sharding, is_local) = generator, shard
    text = PROGRAM.format(words=words, type=type_text, sharding=sharding, algorithm=algorithm)
    state = STATE[:words]
    expected = sm.run(sm.parse(text), state, backend="interpreter")
    found, largest = on_devices(text, state)
    for own, other in zip(found, expected, strict=True):
        assert own.tobytes() == other.tobytes()
    bits = expected[1].nbytes * 8
    tables = 8 * 64  # numbers of eight devices, states
    if is_local:
        assert largest <= max(bits // 2, tables)  # words of 64 bits make elements of 8


@pytest.mark.parametrize(
    ("type_text", "sharding", "shard"),
    [("64x64xui32", '{"x"}, {"y"}', 32 * 16), ("96x128xui8", '{}, {"y"}', 96 * 32)],
)
def test_no_value_is_larger_than_the_shard(type_text: str, sharding: str, shard: int) -> None:
    text = PROGRAM.format(words=3, type=type_text, sharding=sharding, algorithm="PHILOX")
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    values = [v.type for op in partition.module.operation.walk() for v in op.results]
    tensors = [value for value in values if isinstance(value, TensorType)]
    assert sorted({value.size for value in tensors})[-1] == shard
    # one run of words at a time is made beside it
    assert sum(value.size > 128 for value in tensors) <= 4
