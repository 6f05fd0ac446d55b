"""What XLA on a CPU does not run or convert: results by hand, by formulas, or by equal programs."""

from __future__ import annotations

import math
from contextlib import suppress

import numpy as np
import pytest

import stablemate as sm
from stablemate.diagnostics.errors import LimitError, UnsupportedError, VerifyError
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.mlir.parser import module_text
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.translate.to_stablehlo.module import to_stablehlo
from stablemate.xla.translate.to_stablehlo.rules.table import RULES
from stablemate.xla.verifier import verify
from tests.oracle.client import Oracle, OracleRejected
from tests.xla.programs import ADD
from tests.xla.translation import SPELLING, arguments, assert_alike, results, translated

FUSED = (
    ADD
    + """fused { a = f32[3,4] parameter(0)
  b = f32[4] parameter(1)
  c = f32[3,4] broadcast(b), dimensions={1}
  d = f32[3,4] multiply(a, c)
  z = f32[] constant(0)
  e = f32[3] reduce(d, z), dimensions={1}, to_apply=add
  ROOT r = (f32[3,4], f32[3]) tuple(d, e) }
ENTRY e { x = f32[3,4] parameter(0)
  y = f32[4] parameter(1)
  ROOT f = (f32[3,4], f32[3]) fusion(x, y), kind=kLoop, calls=fused }"""
)


@pytest.mark.parametrize("keep_fusions", [False, True])
def test_fusions_are_inlined_or_kept(keep_fusions: bool) -> None:
    x, y = arguments(read_text(FUSED))
    program = translated(FUSED, keep_fusions=keep_fusions)
    assert ("call @fused" in module_text(program)) == keep_fusions
    assert_alike(results(program, [x, y]), [x * y, (x * y).sum(1)])


FUNCTIONS = {
    "acos": math.acos,
    "acosh": lambda x: math.acosh(1 + x),
    "asin": math.asin,
    "asinh": math.asinh,
    "atan": math.atan,
    "atanh": math.atanh,
    "cosh": math.cosh,
    "sinh": math.sinh,
}


@pytest.mark.parametrize("opcode", FUNCTIONS)
def test_functions_that_xla_expands(opcode: str) -> None:
    shift = "a = f32[4] add(x, o)" if opcode == "acosh" else "a = f32[4] copy(x)"
    text = f"""ENTRY e {{ x = f32[4] parameter(0)
      o = f32[4] constant({{1, 1, 1, 1}})
      {shift}
      ROOT r = f32[4] {opcode}(a) }}"""
    x = np.array([0.1, 0.25, 0.5, 0.9], np.float32)
    expected = np.array([FUNCTIONS[opcode](float(item)) for item in x], np.float32)
    assert_alike(results(translated(text), [x]), [expected])


@pytest.mark.parametrize("element", ["s8", "u16", "s32", "u64"])
def test_mulhi_is_the_upper_half(element: str) -> None:
    text = f"""ENTRY e {{ x = {element}[3] parameter(0)
      y = {element}[3] parameter(1)
      ROOT r = {element}[3] mulhi(x, y) }}"""
    dtype = np.dtype({"s": "int", "u": "uint"}[element[0]] + element[1:])
    limits = np.iinfo(dtype)
    x, y = np.array([limits.max, limits.min, 100], dtype), np.array([limits.max, 3, 99], dtype)
    bits = limits.bits
    expected = [(int(a) * int(b)) >> bits for a, b in zip(x, y, strict=True)]
    assert_alike(results(translated(text), [x, y]), [np.array(expected, dtype)])


def test_stochastic_convert_rounds_up_below_the_fraction() -> None:
    text = """ENTRY e { x = f32[8] parameter(0)
      u = u32[8] parameter(1)
      ROOT r = s8[8] stochastic-convert(x, u) }"""
    quarter = 1 << 30
    x = np.array([1.25, 1.25, -1.25, -1.25, 300, -300, np.nan, 2], np.float32)
    u = np.array([quarter - 1, quarter, quarter - 1, quarter, 0, 0, 0, 0], np.uint32)
    expected = np.array([2, 1, -2, -1, 127, -128, 0, 2], np.int8)
    assert_alike(results(translated(text), [x, u]), [expected])


def test_buffers_are_references() -> None:
    text = """ENTRY e { x = f32[4] parameter(0)
      p = b(f32[4]) custom-call(x), custom_call_target="Pin"
      ROOT u = f32[4] custom-call(p), custom_call_target="Unpin" }"""
    assert "memref<4xf32>" in module_text(translated(text))


def test_random_state_is_read_and_advanced() -> None:
    """Also where a computation is called twice."""
    text = """
    f { ROOT s = u64[2] rng-get-and-update-state(), delta=5 }
    ENTRY e { a = u64[2] call(), to_apply=f
      b = u64[2] call(), to_apply=f
      ROOT r = (u64[2], u64[2]) tuple(a, b) }"""
    a, b = results(translated(text), [])
    assert int(b[0]) - int(a[0]) == 5
    assert a[1] == b[1] == 0


def test_random_state_is_not_advanced_in_loops() -> None:
    text = """
    cond { p = u64[2] parameter(0)
      ROOT c = pred[] constant(false) }
    body { p = u64[2] parameter(0)
      ROOT s = u64[2] rng-get-and-update-state(), delta=5 }
    ENTRY e { x = u64[2] parameter(0)
      ROOT w = u64[2] while(x), condition=cond, body=body }"""
    with pytest.raises(UnsupportedError, match="in a loop or branch"):
        translated(text)


def test_scan_stacks_outputs_and_gives_last_carries() -> None:
    text = """
    step { x = f32[] parameter(0)
      c = f32[] parameter(1)
      s = f32[] add(x, c)
      p = f32[] multiply(x, s)
      ROOT r = (f32[], f32[]) tuple(p, s) }
    ENTRY e { x = f32[4] parameter(0)
      z = f32[] constant(1)
      ROOT r = (f32[4], f32[]) scan(x, z), dimensions={0}, num_carries=1, is_reverse=true,
        to_apply=step }"""
    x = np.array([1, 2, 3, 4], np.float32)
    sums = np.array([11, 10, 8, 5], np.float32)
    module = translated(text)
    assert_alike(results(module, [x]), [x * sums, np.float32(11)])
    assert module_text(sm.load(module_text(module)).ir, generic=True) == module_text(
        module, generic=True
    )


def test_scaled_dot_multiplies_blocks_by_scales() -> None:
    text = """ENTRY e { x = f8e4m3fn[2,4] parameter(0)
      s = f8e8m0fnu[2,2] parameter(1)
      y = f8e4m3fn[4,3] parameter(2)
      t = f8e8m0fnu[1,3] parameter(3)
      ROOT r = f32[2,3] scaled-dot(x, s, y, t), lhs_contracting_dims={1},
        rhs_contracting_dims={0} }"""
    module = read_text(text)
    x, _, y, _ = arguments(module)
    s = np.array([[1, 2], [4, 0.5]]).astype(
        module.entry_computation.parameters[1].shape.element_type.element.dtype
    )  # type: ignore[union-attr]
    t = np.array([[2, 1, 0.25]]).astype(s.dtype)
    wide = [np.asarray(item).astype(np.float32) for item in (x, s, y, t)]
    expected = (wide[0] * wide[1].repeat(2, 1)) @ (wide[2] * wide[3].repeat(4, 0))
    assert_alike(results(translated(module), [x, s, y, t]), [expected])


def test_ragged_dot_multiplies_rows_by_the_matrix_of_their_group() -> None:
    text = """ENTRY e { x = f32[5,3] parameter(0)
      y = f32[2,3,4] parameter(1)
      g = s32[2] constant({2, 3})
      ROOT r = f32[5,4] ragged-dot(x, y, g), lhs_contracting_dims={1}, rhs_contracting_dims={1},
        lhs_ragged_dims={0}, rhs_group_dims={0} }"""
    x, y = arguments(read_text(text))
    expected = np.concatenate([x[:2] @ y[0], x[2:] @ y[1]])
    assert_alike(results(translated(text), [x, y]), [expected])


def test_an_algorithm_says_more_than_precisions() -> None:
    """XLA takes both; StableHLO only one of them."""
    text = """ENTRY e { x = f32[3,4] parameter(0)
      y = f32[4,5] parameter(1)
      ROOT r = f32[3,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0},
        operand_precision={highest,highest}, algorithm=dot_bf16_bf16_f32_x3 }"""
    module = read_text(text)
    assert verify(module) == []
    x, y = arguments(module)
    assert_alike(results(translated(module), [x, y]), [x @ y])


BITCASTS = [
    ("f32[2,3]{1,0}", "f32[3,2]{0,1}"),
    ("f32[2,3]{0,1}", "f32[6]{0}"),
    ("f32[2,3]{0,1}", "f32[3,2]{1,0}"),
    ("f32[2,3,4]{1,2,0}", "f32[1,4,6,1]{2,3,0,1}"),
    ("f32[2,3]{0,1}", "u8[6,4]{1,0}"),
    ("f32[8,4]{1,0:T(2,2)}", "f32[16,2]{1,0}"),
    ("f32[3,5]{1,0:T(2,2)}", "f32[24]{0}"),
    ("u32[2,2,3]{2,1,0:T(*,2)}", "s32[2,3,2]{2,1,0:T(2)}"),
    ("pred[2,3]{0,1}", "u8[6]{0}"),
]


@pytest.mark.parametrize(("source", "target"), BITCASTS)
def test_bitcast_reads_the_same_memory(source: str, target: str) -> None:
    """The operand's buffer is the result's, where both are padded with zeros."""
    text = f"ENTRY e {{ x = {source} parameter(0)\n ROOT r = {target} bitcast(x) }}"
    module = read_text(text)
    (x,) = arguments(module)
    (array,) = results(translated(module), [x])
    operand, result = (instruction.shape for instruction in module.entry_computation.instructions)
    assert array.shape == result.dimensions
    if result.buffer_elements == array.size:
        assert bytes(result.to_buffer(array)) == bytes(operand.to_buffer(x))
    else:
        np.testing.assert_array_equal(array, result.from_buffer(operand.to_buffer(x)))


def test_topk_as_xla_compiles_it() -> None:
    """The comparator of the custom call takes values and positions in pairs."""
    text = """
    greater { a = f32[] parameter(0)
      b = f32[] parameter(1)
      i = s32[] parameter(2)
      j = s32[] parameter(3)
      ROOT r = pred[] compare(a, b), direction=GT }
    ENTRY e { x = f32[2,5] parameter(0)
      ROOT t = (f32[2,2], s32[2,2]) custom-call(x), custom_call_target="TopK",
        called_computations={greater} }"""
    (x,) = arguments(read_text(text))
    places = np.argsort(-x, 1)[:, :2]
    expected = [np.take_along_axis(x, places, 1), places.astype(np.int32)]
    assert_alike(results(translated(text), [x]), expected)


def test_sizes_of_a_dynamic_reshape_are_operands() -> None:
    text = """ENTRY e { x = f32[6] parameter(0)
      a = s32[] parameter(1)
      b = s32[] parameter(2)
      ROOT r = f32[<=3,<=4] dynamic-reshape(x, a, b) }"""
    x = np.arange(6, dtype=np.float32)
    outcome = results(translated(text), [x, np.int32(2), np.int32(3)])
    assert_alike(outcome, [x.reshape(2, 3)])


def test_random_numbers_are_drawn_between_bounds() -> None:
    text = """ENTRY e { a = f32[] constant(3)
      b = f32[] constant(4)
      u = f32[1000] rng(a, b), distribution=rng_uniform
      n = f32[1000] rng(a, b), distribution=rng_normal
      ROOT r = (f32[1000], f32[1000]) tuple(u, n) }"""
    uniform, normal = results(translated(text), [])
    assert uniform.min() >= 3
    assert uniform.max() < 4
    assert abs(normal.mean() - 3) < 1  # of a thousand numbers; eight standard deviations
    assert 3 < normal.std() < 5


def test_domains_and_dependencies_hand_values_on() -> None:
    text = """ENTRY e { x = f32[3] parameter(0)
      d = f32[3] domain(x), domain={kind="sharding", entry={maximal device=0}, exit={replicated}}
      t = token[] after-all()
      ROOT r = f32[3] add-dependency(d, t) }"""
    (x,) = arguments(read_text(text))
    assert_alike(results(translated(text), [x]), [x])


def test_every_opcode_is_translated() -> None:
    assert RULES.keys() | {"parameter"} == OPCODES.keys()


COMPOSITE = """
f { a = f32[3] parameter(0)
  ROOT n = f32[3] negate(a) }
ENTRY e { x = f32[3] parameter(0)
  ROOT c = f32[3] call(x), to_apply=f, is_composite=true, frontend_attributes={
    composite.attributes={k = 1 : i64},composite.name="my.op",composite.version="2",kept="yes"} }"""


def test_composites_have_names_attributes_and_versions() -> None:
    (x,) = arguments(read_text(COMPOSITE))
    program = translated(COMPOSITE)
    assert_alike(results(program, [x]), [-x])
    assert (
        'stablehlo.composite "my.op" %arg0 {composite_attributes = {k = 1 : i64}, '
        'decomposition = @f, mhlo.frontend_attributes = {kept = "yes"}, version = 2 : i32}'
    ) in module_text(program)


# ---- halves of operations


def test_what_is_started_is_done() -> None:
    text = """
    wrapped { a = f32[3] parameter(0)
      ROOT n = f32[3] negate(a) }
    ENTRY e { x = f32[3] parameter(0)
      s = ((f32[3]), f32[3], s32[]) async-start(x), calls=wrapped
      u = ((f32[3]), f32[3], s32[]) async-update(s)
      d = f32[3] async-done(u)
      c = (f32[3], f32[3], u32[]) copy-start(d)
      ROOT r = f32[3] copy-done(c) }"""
    (x,) = arguments(read_text(text))
    assert_alike(results(translated(text), [x]), [-x])


HALVES = {
    "all-reduce": """
      s = f32[4] all-reduce-start(x), replica_groups={}, to_apply=add
      ROOT d = f32[4] all-reduce-done(s)""",
    "all-gather": """
      s = (f32[4], f32[4]) all-gather-start(x), replica_groups={}, dimensions={0}
      ROOT d = f32[4] all-gather-done(s)""",
    "collective-permute": """
      s = (f32[4], f32[4], u32[], u32[]) collective-permute-start(x),
        source_target_pairs={{0,0}}
      ROOT d = f32[4] collective-permute-done(s)""",
    "slice": """
      s = ((f32[4]), f32[2], s32[]) slice-start(x), slice={[1:3]}
      u = ((f32[4]), f32[2], s32[]) slice-update(s)
      ROOT d = f32[2] slice-done(u)""",
}


@pytest.mark.parametrize("name", HALVES)
def test_what_starts_and_ends_does_so_in_stablehlo(name: str) -> None:
    text = f"{ADD} ENTRY e {{ x = f32[4] parameter(0) {HALVES[name]} }}"
    (x,) = arguments(read_text(text))
    program = translated(text)
    assert "stablehlo.async_start" in module_text(program)
    assert_alike(results(program, [x]), [x[1:3] if name == "slice" else x])


def test_a_start_that_more_than_its_end_uses_is_done_at_once() -> None:
    text = """ENTRY e { x = f32[4] parameter(0)
      s = (f32[4], f32[4]) all-gather-start(x), replica_groups={}, dimensions={0}
      g = f32[4] get-tuple-element(s), index=0
      d = f32[4] all-gather-done(s)
      ROOT r = f32[4] add(g, d) }"""
    (x,) = arguments(read_text(text))
    program = translated(text)
    assert "async" not in module_text(program)
    assert_alike(results(program, [x]), [x + x])


# ---- what is kept


NOTED = """HloModule noted, frontend_attributes={who="me"},
  entry_computation_layout={(f32[2,3]{0,1}, (f32[], f32[]))->f32[2,3]{0,1}}, replica_count=2
ENTRY e { x = f32[2,3] parameter(0), sharding={devices=[2,1]0,1}
  y = (f32[], f32[]) parameter(1), sharding={{replicated}, {maximal device=1}}
  ROOT n = f32[2,3] negate(x), sharding={replicated}, frontend_attributes={k="v"},
    metadata={op_name="jit(f)/neg" source_file="a.py" source_line=3} }"""


def test_notes_are_kept() -> None:
    module = translated(NOTED)
    text = module_text(module, debug_info=True)
    assert "mhlo.num_replicas = 2 : i32" in text
    assert 'mhlo.frontend_attributes = {who = "me"}' in text
    assert "mhlo.xla_entry_computation_parameter_layouts = [dense<[0, 1]>" in text
    assert '%arg0: tensor<2x3xf32> {mhlo.sharding = "{devices=[2,1]0,1}"}' in text
    assert '%arg2: tensor<f32> {mhlo.sharding = "{maximal device=1}"}' in text
    assert 'mhlo.frontend_attributes = {k = "v"}, mhlo.sharding = "{replicated}"' in text
    assert '"jit(f)/neg"' in text
    assert '"a.py":3:0' in text


def test_operations_point_at_their_instructions() -> None:
    module = translated(FUSED)
    spans = {operation.name: str(operation.span) for operation in module.operation.walk()}
    assert spans["stablehlo.multiply"] == "<text>:8:3"


# ---- what is refused


def chain(depth: int) -> str:
    """Fusions in fusions."""
    text = "g0 { a = f32[] parameter(0)\n ROOT n = f32[] negate(a) }\n"
    for i in range(1, depth):
        text += (
            f"g{i} {{ a = f32[] parameter(0)\n"
            f" ROOT n = f32[] fusion(a), kind=kLoop, calls=g{i - 1} }}\n"
        )
    return text + (
        f"ENTRY e {{ a = f32[] parameter(0)\n"
        f" ROOT n = f32[] fusion(a), kind=kLoop, calls=g{depth - 1} }}"
    )


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(LimitError, match="nested more than 100 deep"):
        translated(chain(200))


def test_shared_computations_do_not_multiply() -> None:
    """Each of the fusions is named twice: inlined they would be a billion operations."""
    text = "g0 { a = f32[] parameter(0)\n ROOT n = f32[] negate(a) }\n"
    for i in range(1, 30):
        text += (
            f"g{i} {{ a = f32[] parameter(0)\n"
            f" b = f32[] fusion(a), kind=kLoop, calls=g{i - 1}\n"
            f" ROOT n = f32[] fusion(b), kind=kLoop, calls=g{i - 1} }}\n"
        )
    text += "ENTRY e { a = f32[] parameter(0)\n ROOT n = f32[] fusion(a), kind=kLoop, calls=g29 }"
    assert sum(1 for _ in translated(text).operation.walk()) < 200


REFUSED = {
    "reshape": ("f32[5] reshape(x)", "stablehlo.reshape C2"),
    "slice": ("f32[9] slice(x), slice={[0:9]}", "stablehlo.slice C3"),
    "negate": ("f32[3] negate(x)", "negate"),
    "add": ("f32[4] add(x, y)", "stablehlo.add C1"),
    "get-tuple-element": ("f32[4] get-tuple-element(x), index=0", "get-tuple-element"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_broken_rules_are_named(name: str) -> None:
    instruction, rule = REFUSED[name]
    text = f"""ENTRY e {{ x = f32[4] parameter(0)
      y = f32[5] parameter(1)
      ROOT r = {instruction} }}"""
    with pytest.raises(VerifyError) as caught:
        translated(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.rule == rule
    assert str(diagnostic.span) == "<text>:3:12"


def test_types_that_stablehlo_lacks_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="s1"):
        translated("ENTRY e { ROOT x = s1[4] parameter(0) }")


def test_dictionaries_need_a_reader() -> None:
    text = """ENTRY e { x = f32[] parameter(0)
      ROOT r = f32[] custom-call(x), custom_call_target="f",
        api_version=API_VERSION_TYPED_FFI, backend_config={a = 1 : i32} }"""
    with pytest.raises(UnsupportedError, match="dictionary"):
        to_stablehlo(read_text(text))
    assert "backend_config = {a = 1 : i32}" in module_text(
        to_stablehlo(read_text(text), spelling=SPELLING)
    )


MIXED_TYPES = (  # the operands of a product, and the type of its result
    *(("u8", "s8", "s32"), ("s4", "s8", "s8"), ("f32", "s32", "f32"), ("s8", "s8", "f32")),
    *(("pred", "pred", "s32"), ("s32", "s32", "f32"), ("f32", "f32", "bf16")),
    *(("s8", "f32", "s32"), ("f32", "f32", "s8"), ("f64", "f64", "bf16"), ("s32", "s32", "pred")),
    *(("f16", "bf16", "f8e5m2"), ("bf16", "bf16", "u8")),
)


@pytest.mark.parametrize(("lhs", "rhs", "element"), MIXED_TYPES)
def test_products_of_several_types_become_the_type_of_the_result(
    lhs: str, rhs: str, element: str
) -> None:
    text = f"""HloModule m
ENTRY e {{
  x = {lhs}[2,3] constant({{{{1,0,1}},{{1,1,1}}}})
  y = {rhs}[3,2] constant({{{{1,1}},{{0,1}},{{1,0}}}})
  a = {lhs}[1,2,3,1] reshape(x)
  b = {rhs}[2,3,1,1] reshape(y)
  d = {element}[2,2] dot(x, y), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
  c = {element}[1,1,1,1] convolution(a, b), window={{size=2x3}}, dim_labels=b01f_01io->b01f
  ROOT r = ({element}[2,2], {element}[1,1,1,1]) tuple(d, c)
}}
"""
    assert verify(read_text(text)) == []
    dot, convolution = results(translated(text), [])
    expected = np.array([[2, 1], [2, 2]]).astype(dot.dtype)
    assert dot.tolist() == expected.tolist()
    # y in the order of its elements is 1, 1, 0, 1, 1, 0; x is 1, 0, 1, 1, 1, 1.
    assert convolution.tolist() == np.array([[[[3]]]]).astype(dot.dtype).tolist()


SUMS = (  # operands of products whose sum depends on the type in which it is formed, as in XLA
    ("f32", "f32", "bf16", (256.0, *[1.0] * 8), 264),  # in bf16, 256 + 1 is 256
    ("f32", "bf16", "bf16", (257.0, 1.0), 258),
    ("f16", "bf16", "bf16", (256.0, *[1.0] * 8), 264),
    ("f8e5m2", "f16", "f16", (2048.0, *[1.0] * 8), 2056),
    ("bf16", "bf16", "f8e5m2", (8.0, *[1.0] * 8), 16),
    ("f32", "f64", "f32", (16777216.0, 1.0, 1.0, 1.0, 1.0), 16777220),
    ("s32", "s32", "bf16", (4097, -4096), 0),  # 4097 is 4096 in bf16
    ("s32", "bf16", "s32", (1001, 1), 1000),  # bf16 has every fourth number there
    ("f32", "f32", "s8", (300.5, 1.0), 127),
)


@pytest.mark.parametrize(("lhs", "rhs", "element", "values", "total"), SUMS)
@pytest.mark.parametrize("operation", ["dot", "convolution"])
def test_products_of_several_types_are_rounded_once(
    operation: str, lhs: str, rhs: str, element: str, values: tuple[float, ...], total: float,
    oracle: Oracle,
) -> None:  # fmt: skip
    form = {
        "dot": "lhs_contracting_dims={1}, rhs_contracting_dims={0}",
        "convolution": "window={}, dim_labels=bf_io->bf",
    }[operation]
    items, ones = ",".join(map(str, values)), ",".join("1" * len(values))
    text = f"""HloModule m
ENTRY e {{
  x = {lhs}[1,{len(values)}] constant({{{{{items}}}}})
  o = {rhs}[1,{len(values)}] constant({{{{{ones}}}}})
  y = {rhs}[{len(values)},1] reshape(o)
  ROOT r = {element}[1,1] {operation}(x, y), {form}
}}
"""
    for backend in ("interpreter", "cpu"):
        (result,) = results(translated(text), [], backend)
        assert float(result.item()) == total
    with suppress(OracleRejected):  # XLA has no convolution of some of them
        (expected,) = oracle.hlo_run(text)
        assert float(expected.item()) == total
