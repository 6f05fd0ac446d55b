"""Operations of several processes and of the host; random numbers; calls of other code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stablemate.diagnostics.errors import VerifyError
from stablemate.xla.builder.builder import ModuleBuilder
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.operations.communication import ChannelHandle
from stablemate.xla.values import OutputOperandAlias
from tests.oracle.client import Oracle
from tests.xla.builder.execution import agree, here, same_for_xla, text_of


def builder() -> ModuleBuilder:
    """A builder."""
    return ModuleBuilder("processes")


def add(x: XlaOp, y: XlaOp) -> XlaOp:
    """The sum."""
    return x + y


def printed(b: ModuleBuilder) -> str:
    """The last instruction, without its name."""
    module = b.tree()
    roots = [line for line in text_of(module).splitlines() if "ROOT" in line]
    return roots[-1].partition(" = ")[2]


GROUPS = "replica_groups={{0,2},{1,3}}"
COLLECTIVES: list[tuple[Any, str]] = [
    (
        lambda b, x: b.all_gather(x, 0, 2, replica_group_ids=[[0, 2], [1, 3]]),
        f"f32[8,16]{{1,0}} all-gather(%x), {GROUPS}, dimensions={{0}}",
    ),
    (
        lambda b, x: b.all_gather(x, -1, 2, [[0, 2], [1, 3]], 7, None, True),
        f"f32[4,32]{{1,0}} all-gather(%x), channel_id=7, {GROUPS}, dimensions={{1}}, "
        "use_global_device_ids=true",
    ),
    (
        lambda b, x: b.all_reduce(x, add, [[0, 2], [1, 3]], channel_id=ChannelHandle(1)),
        f"f32[4,16]{{1,0}} all-reduce(%x), channel_id=1, {GROUPS}, to_apply=%add",
    ),
    (
        lambda b, x: b.all_reduce((x, x), add),
        "(f32[4,16]{1,0}, f32[4,16]{1,0}) all-reduce(%get-tuple-element.2, "
        "%get-tuple-element.3), replica_groups={}, to_apply=%add",
    ),
    (
        lambda b, x: b.all_reduce(x, add, shape_with_layout="f32[4,16]{0,1}"),
        "f32[4,16]{0,1} all-reduce(%x), replica_groups={}, constrain_layout=true, to_apply=%add",
    ),
    (
        lambda b, x: b.cross_replica_sum(x, [[0, 1]]),
        "f32[4,16]{1,0} all-reduce(%x), replica_groups={{0,1}}, to_apply=%added",
    ),
    (
        lambda b, x: b.reduce_scatter(x, add, scatter_dim=1, shard_count=4),
        "f32[4,4]{1,0} reduce-scatter(%x), replica_groups={}, dimensions={1}, to_apply=%add",
    ),
    (
        lambda b, x: b.all_to_all(x, 1, 1, 4),
        "f32[4,16]{1,0} all-to-all(%x), replica_groups={{0,1,2,3}}, dimensions={1}",
    ),
    (
        lambda b, x: b.all_to_all_tuple([x, x], [[0, 1]]),
        "(f32[4,16]{1,0}, f32[4,16]{1,0}) all-to-all(%x, %x), replica_groups={{0,1}}",
    ),
    (
        lambda b, x: b.collective_permute(x, [(0, 1), (1, 0)]),
        "f32[4,16]{1,0} collective-permute(%x), source_target_pairs={{0,1},{1,0}}",
    ),
    (
        lambda b, x: b.collective_broadcast(x, [[1, 0]]),
        "f32[4,16]{1,0} collective-broadcast(%x), replica_groups={{1,0}}",
    ),
    (lambda b, x: b.replica_id(), "u32[] replica-id()"),
    (lambda b, x: b.partition_id(), "u32[] partition-id()"),
]


@pytest.mark.parametrize(("make", "expected"), COLLECTIVES)
def test_collectives(oracle: Oracle, make: Any, expected: str) -> None:
    b = builder()
    make(b, b.parameter(0, "f32[4,16]", "x"))
    assert printed(b) == expected
    same_for_xla(oracle, b)


def test_all_to_all_of_the_document(oracle: Oracle) -> None:
    # Four cores: f32[4,16] is split along dimension 1, what arrives is joined along dimension 0.
    b = builder()
    x = b.parameter(0, "f32[4,16]", "x")
    op = b.all_to_all(x, split_dimension=1, concat_dimension=0, split_count=4)
    assert str(b.shape(op)) == "f32[16,4]{1,0}"
    opcodes = [instruction.opcode for instruction in b.tree().entry_computation.instructions]
    assert opcodes == ["parameter", "all-to-all", "reshape", "transpose", "reshape"]
    oracle.hlo_to_stablehlo(text_of(b.tree()))


def test_ragged_all_to_all_has_its_operands_in_the_order_of_hlo(oracle: Oracle) -> None:
    b = builder()
    values, output = b.parameter(0, "f32[6]", "in"), b.parameter(1, "f32[8]", "out")
    sizes = [b.parameter(2 + i, "s32[2]", name) for i, name in enumerate("abcd")]
    b.ragged_all_to_all(values, sizes[0], sizes[1], output, sizes[2], sizes[3], [[0, 1]])
    expected = (
        "f32[8]{0} ragged-all-to-all(%in, %out, %a, %b, %c, /*index=5*/%d), replica_groups={{0,1}}"
    )
    assert printed(b) == expected
    same_for_xla(oracle, b)


def test_one_process_is_a_group_of_its_own(oracle: Oracle) -> None:
    b = builder()
    x = b.parameter(0, "f32[2]")
    ops = [b.all_reduce(x, add), b.all_gather(x, 0, 1), b.reduce_scatter(x, add, 0, 1)]
    b.tuple([*ops, b.collective_permute(x, [(0, 0)]), b.replica_id()])
    agree(oracle, b, np.float32([1, 2]))


def test_send_and_recv(oracle: Oracle) -> None:
    b = builder()
    x = b.parameter(0, "f32[2]", "x")
    received = b.recv("f32[2]", ChannelHandle(1))
    token = b.send(received + x, ChannelHandle(2))
    to_host = b.send_to_host(x, token, "f32[2]", ChannelHandle(3, "DEVICE_TO_HOST"))
    data = b.recv_from_host(to_host, "f32[2]", 4)
    assert str(b.shape(data)) == "(f32[2]{0}, token[])"
    opcodes = [instruction.opcode for instruction in b.tree().entry_computation.instructions]
    assert opcodes.count("send") == opcodes.count("send-done") == 2
    assert opcodes.count("recv") == opcodes.count("recv-done") == 2
    text = same_for_xla(oracle, b)
    assert "send(%x, %send-done" in text
    assert "channel_id=3, is_host_transfer=true" in text


def test_infeed_and_outfeed(oracle: Oracle) -> None:
    b = builder()
    pair = b.infeed("(f32[2]{0}, s32[])", "settings")
    assert str(b.shape(pair)) == "(f32[2]{0}, s32[])"
    token = b.outfeed(pair[0], "f32[2]{0}", "where")
    data = b.infeed_with_token(token, "f32[3]")
    b.outfeed_with_token((data[0], pair[1]), data[1])
    text = same_for_xla(oracle, b)
    oracle.hlo_to_stablehlo(text)
    assert text.count('infeed_config="settings"') == text.count('outfeed_config="where"') == 1


def test_random_numbers() -> None:
    b = builder()
    uniform = b.rng_uniform(2.0, 3.0, "f32[1000]")
    normal = b.rng_normal(mean=5.0, sigma=0.5, shape="f64[1000]")
    whole = b.rng_uniform(b.constant(-3), b.constant(4), "s32[1000]")
    b.tuple([uniform, normal, whole, b.rng_bernoulli(0.25, "u32[4000]")])
    first, second, third, fourth = here(b.tree())
    assert first.min() >= 2.0 and first.max() < 3.0  # noqa: PT018
    assert abs(second.mean() - 5.0) < 0.1
    assert set(third.tolist()) == set(range(-3, 4))
    assert set(fourth.tolist()) == {0, 1}
    assert abs(fourth.mean() - 0.25) < 0.05
    text_of(b.tree())


def test_custom_calls(oracle: Oracle) -> None:
    b = builder()
    x = b.parameter(0, "f32[2,2]", "x")
    b.custom_call(
        "target",
        [x, x],
        "(f32[2,2], s32[])",
        "options",
        True,
        {(0,): (1, ())},
        np.int32([7]),
        "SCHEDULE_EARLIEST",
        "API_VERSION_STATUS_RETURNING",
    )
    b.custom_call_with_layout("laid", [x], "f32[2,2]{0,1}", ["f32[2,2]{0,1}"], "o")
    b.custom_call_with_computation("calls", [x], lambda x: -x, "f32[2,2]")
    image, kernel = b.parameter(1, "f32[1,1,4,4]"), b.parameter(2, "f32[1,1,2,2]")
    b.custom_call_with_conv_dnums(
        *("conv", [image, kernel], "f32[1,1,3,3]", ["f32[1,1,4,4]", "f32[1,1,2,2]"]),
        *([1, 1], "VALID"),
    )
    text = same_for_xla(oracle, b)
    # XLA's parser drops the computations of a call that needs layouts.
    b.custom_call_with_computation_and_layouts("both", [x], lambda x: x, "f32[]", ["f32[2,2]"])
    assert "constraints={f32[2,2]{1,0}}, called_computations={%called.1}" in text_of(b.tree())
    first = b.tree().entry_computation.instructions[1].attributes
    assert first["output_to_operand_aliasing"] == (OutputOperandAlias((0,), 1),)
    assert 'custom_call_target="laid", operand_layout_constraints={f32[2,2]{0,1}}' in text
    assert "window={size=2x2}, dim_labels=bf01_oi01->bf01" in text


def test_dynamic_convolutions_are_custom_calls(oracle: Oracle) -> None:
    b = builder()
    image, kernel = b.parameter(0, "f32[1,2,<=8]"), b.parameter(1, "f32[3,2,3]")
    whole = b.parameter(2, "f32[1,2,8]")
    forward = b.dynamic_conv_forward(whole, kernel, [2], [(1, 1)], padding_type="PADDING_SAME")
    assert str(b.shape(forward)) == "f32[1,3,4]{2,1,0}"
    sizes = b.parameter(3, "s32[3]")
    b.dynamic_conv_input_grad(sizes, whole, kernel, [1], "VALID", precision_config="high")
    b.dynamic_conv_kernel_grad(whole, kernel, [1], "VALID", preferred_element_type="f64")
    b.conv_kernel_grad(whole, kernel, [1], "VALID")
    text = same_for_xla(oracle, b)
    assert 'padding_type=PADDING_SAME, custom_call_target="DynamicConvolutionForward"' in text
    assert "convolution_kind=wgrad" in text
    with pytest.raises(VerifyError, match="PADDING_VALID or PADDING_SAME"):
        b.dynamic_conv_forward(whole, kernel, [1], "VALID", padding_type="ALL")
    assert b.shape(image).dynamic == (False, False, True)


def test_ragged_and_scaled_dots() -> None:
    from stablemate.xla.builder.operations.contraction import (
        DotDimensionNumbers,
        RaggedDotDimensionNumbers,
    )

    b = builder()
    x, y = b.parameter(0, "f32[5,3]"), b.parameter(1, "f32[2,3,4]")
    numbers = RaggedDotDimensionNumbers(DotDimensionNumbers([1], [1]), [0], [0])
    op = b.ragged_dot(x, y, b.constant([2, 3]), numbers)
    assert str(b.shape(op)) == "f32[5,4]{1,0}"
    lhs = np.arange(15, dtype=np.float32).reshape(5, 3)
    rhs = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    (result,) = here(b.tree(), lhs, rhs)
    expected = np.concatenate([lhs[:2] @ rhs[0], lhs[2:] @ rhs[1]])
    assert result.tolist() == expected.tolist()

    b = builder()
    scale = b.constant([[2.0, 4.0]] * 2)
    plain = b.constant(np.ones((2, 8), np.float32))
    b.scaled_dot(plain, scale, plain, scale, DotDimensionNumbers([1], [1]))
    (result,) = here(b.tree())
    # four products of 2 * 2, four of 4 * 4
    assert result.tolist() == [[80.0, 80.0], [80.0, 80.0]]


def test_computations_of_other_builders_keep_their_names_unique(oracle: Oracle) -> None:
    inner = ModuleBuilder("inner")
    inner.neg(inner.parameter(0, "f32[]", "x"))
    outer = ModuleBuilder("inner")
    outer.call(inner, outer.parameter(0, "f32[]", "x"))
    b = ModuleBuilder("inner")
    b.tuple([b.call(outer, b.constant(1.0)), b.call(inner, b.constant(2.0))])
    names = [computation.name for computation in b.tree().computations]
    assert len(set(names)) == len(names) == 4
    instructions = [
        instruction.name for c in b.tree().computations for instruction in c.instructions
    ]
    assert len(set(instructions)) == len(instructions)
    agree(oracle, b, expected=[-1.0, -2.0])


def test_dynamic_sizes() -> None:
    b = builder()
    x = b.parameter(0, "f32[6]")
    dynamic = b.set_dimension_size(x, b.constant(4), 0)
    assert str(b.shape(dynamic)) == "f32[<=6]{0}"
    assert str(b.shape(b.remove_dynamic_dimension(dynamic, 0))) == "f32[6]{0}"
    sizes = [b.constant(2), b.constant(3)]
    reshaped = b.dynamic_reshape(x, sizes, [2, 3], [True, False])
    assert str(b.shape(reshaped)) == "f32[<=2,3]{1,0}"
    text_of(b.tree())


def test_other_operations_print_as_xla_reads_them(oracle: Oracle) -> None:
    b = builder()
    x = b.parameter(0, "s32[4]", "x")
    y = b.parameter(1, "f32[4]", "y")
    bits = b.parameter(2, "u32[4]", "bits")
    b.mul_hi(x, x)
    b.stochastic_convert_type(y, bits, "s8")
    b.rng_get_and_update_state(64)
    b.copy(x)
    same_for_xla(oracle, b)
