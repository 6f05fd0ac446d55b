"""Peak memory: by hand, and beside a brute-force count."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm
from stablemate.analysis.planning.buffers import Peak, PlannedBuffer

OPEN = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"
KILO = "tensor<250xf32>"  # a thousand bytes


def peak(text: str) -> Peak:
    return sm.cost(sm.load(text), plan=False).peak


def buffer_sizes(peak_memory: Peak) -> dict[str, int]:
    return {buffer.name: buffer.bytes for buffer in peak_memory.buffers}


def test_a_value_lives_until_its_last_use() -> None:
    peak_memory = peak(f"""
func.func @main(%x: {KILO}) -> {KILO} {{
  %0 = stablehlo.add %x, %x : {KILO}
  %1 = stablehlo.negate %0 : {KILO}
  %2 = stablehlo.add %0, %1 : {KILO}
  %3 = stablehlo.negate %2 : {KILO}
  return %3 : {KILO}
}}
""")
    assert buffer_sizes(peak_memory) == {"%arg0": 1000, "%0": 1000, "%1": 1000, "%2": 1000}
    assert (peak_memory.bytes, peak_memory.operation, peak_memory.line) == (
        4000,
        "stablehlo.add",
        5,
    )
    assert PlannedBuffer("%1", KILO, 1000, "stablehlo.negate", 4) in peak_memory.buffers
    assert PlannedBuffer("%arg0", KILO, 1000, "argument") in peak_memory.buffers


def test_constants_are_there_from_the_start_as_far_as_they_are_stored() -> None:
    peak_memory = peak(f"""
func.func @main(%x: {KILO}) -> {KILO} {{
  %0 = stablehlo.negate %x : {KILO}
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = stablehlo.constant dense<1.0> : {KILO}
  return %0 : {KILO}
}}
""")
    assert buffer_sizes(peak_memory) == {"%arg0": 1000, "%0": 1000, "%cst": 8, "%cst_0": 4}


def test_what_only_gives_another_shape_shares_its_buffer() -> None:
    peak_memory = peak(f"""
func.func @main(%x: {KILO}) -> tensor<250x1xf32> {{
  %0 = stablehlo.negate %x : {KILO}
  %1 = stablehlo.reshape %0 : ({KILO}) -> tensor<25x10xf32>
  %2 = stablehlo.optimization_barrier %1 : tensor<25x10xf32>
  %3 = stablehlo.reshape %2 : (tensor<25x10xf32>) -> tensor<250x1xf32>
  return %3 : tensor<250x1xf32>
}}
""")
    assert buffer_sizes(peak_memory) == {"%arg0": 1000, "%0": 1000}


LOOP = f"""
func.func @main(%x: {KILO}, %n: tensor<i32>) -> {KILO} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %s = stablehlo.negate %x : {KILO}
  %i, %y = stablehlo.while(%a = %zero, %b = %s) : tensor<i32>, {KILO}
  cond {{
    %0 = stablehlo.compare LT, %a, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }} do {{
    %0 = stablehlo.add %a, %one : tensor<i32>
    %1 = stablehlo.add %b, %b : {KILO}
    stablehlo.return %0, %1 : tensor<i32>, {KILO}
  }}
  LAST
}}
"""


def test_a_loop_takes_over_what_is_used_no_more() -> None:
    peak_memory = peak(LOOP.replace("LAST", f"return %y : {KILO}"))
    # x and n; the state and the next one; the next counter; two constants
    large = [buffer.operation for buffer in peak_memory.buffers if buffer.bytes == 1000]
    assert sorted(large) == ["argument", "stablehlo.add", "stablehlo.while"]
    assert peak_memory.bytes == 3 * 1000 + 4 + 4 + 2 * 4
    assert (peak_memory.operation, peak_memory.line) == ("stablehlo.add", 12)


def test_a_loop_keeps_what_is_used_behind_it() -> None:
    last = f"%z = stablehlo.add %s, %y : {KILO}\n  return %z : {KILO}"
    peak_memory = peak(LOOP.replace("LAST", last))
    assert sum(buffer.bytes == 1000 for buffer in peak_memory.buffers) == 4


def test_a_callee_holds_its_values_beside_those_of_the_caller() -> None:
    peak_memory = peak(f"""
func.func private @f(%x: {KILO}) -> {KILO} {{
  %0 = stablehlo.negate %x : {KILO}
  %1 = stablehlo.add %0, %x : {KILO}
  return %1 : {KILO}
}}
func.func @main(%x: {KILO}) -> {KILO} {{
  %0 = stablehlo.negate %x : {KILO}
  %1 = func.call @f(%0) : ({KILO}) -> {KILO}
  return %1 : {KILO}
}}
""")
    assert peak_memory.bytes == 4000  # x, %0, and in the callee two
    assert (peak_memory.operation, peak_memory.line) == ("stablehlo.add", 4)


def test_sizes_that_are_not_known_are_counted_apart() -> None:
    peak_memory = peak(
        "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"
    )
    assert (peak_memory.bytes, peak_memory.unsized) == (0, 1)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_straight_programs_beside_brute_force(data: st.DataObject) -> None:
    """At each operation: all arguments, and each value made before or now and used now or later."""
    count = data.draw(st.integers(1, 12))
    sizes = [data.draw(st.integers(1, 9))]
    uses: list[list[int]] = []
    lines: list[str] = []
    for i in range(1, count + 1):
        used = [data.draw(st.integers(0, i - 1)) for _ in range(2)]
        types = [f"tensor<{sizes[item]}xi8>" for item in used]
        lines.append(
            f"%v{i} = stablehlo.concatenate %v{used[0]}, %v{used[1]}, dim = 0 : "
            f"({types[0]}, {types[1]}) -> tensor<{sizes[used[0]] + sizes[used[1]]}xi8>"
        )
        sizes.append(sizes[used[0]] + sizes[used[1]])
        uses.append(used)
    returned = data.draw(st.integers(0, count))
    result = f"tensor<{sizes[returned]}xi8>"
    text = f"func.func @main(%v0: tensor<{sizes[0]}xi8>) -> {result} {{\n" + "\n".join(lines)
    peak_memory = peak(f"{text}\nreturn %v{returned} : {result}\n}}")
    uses.append([returned])
    last = {
        value: max((i for i, used in enumerate(uses) if value in used), default=value - 1)
        for value in range(count + 1)
    }
    expected = max(
        sizes[0] + sum(sizes[v] for v in range(1, count + 1) if v - 1 <= i <= last[v])
        for i in range(len(uses))
    )
    assert peak_memory.bytes == expected == sum(buffer.bytes for buffer in peak_memory.buffers)


SOFTMAX = """
func.func @main(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
"""


def test_the_plan_says_what_its_arena_holds() -> None:
    estimate = sm.cost(sm.load(SOFTMAX)).plan
    assert isinstance(estimate, Peak)
    whole = 64 * 64 * 4
    local = [buffer for buffer in estimate.buffers if buffer.name.startswith("s")]
    values = [entry for entry in local if entry.bytes == whole]
    assert {(value.operation, value.line) for value in values} >= {
        ("stablehlo.dot_general", 3),
        ("stablehlo.dot_general", 5),
    }
    executable = sm.compile(sm.load(SOFTMAX))
    assert estimate.arena == executable.memory.arena  # type: ignore[attr-defined] of compiled ones
    assert estimate.arena is not None
    assert estimate.arena >= sum(entry.bytes for entry in local)
    borders = [buffer for buffer in estimate.buffers if buffer.operation in ("argument", "result")]
    assert [border.bytes for border in borders] == [whole] * 3


def test_why_there_is_no_plan_is_said() -> None:
    estimate = sm.cost(sm.load(OPEN)).plan
    assert isinstance(estimate, sm.Diagnostic)
    assert estimate.message == "sizes of arguments are known only when it is called"


def test_each_result_of_a_barrier_shares_the_buffer_of_its_operand() -> None:
    peak_memory = peak(f"""
func.func @main(%x: {KILO}) -> {KILO} {{
  %0 = stablehlo.negate %x : {KILO}
  %1 = stablehlo.exponential %x : {KILO}
  %2:2 = stablehlo.optimization_barrier %0, %1 : {KILO}, {KILO}
  %3 = stablehlo.sine %2#1 : {KILO}
  return %3 : {KILO}
}}
""")
    assert sum(buffer_sizes(peak_memory).values()) == 3000
