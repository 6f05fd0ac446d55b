"""Modules as protocol buffers: those of XLA are read as their text is, and written as they were."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from stablemate.formats.hlo.proto import read_proto, write_proto
from stablemate.formats.hlo.proto.messages import message_class
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import PrintOptions, write_text
from stablemate.xla.module import HloModule, OriginRecovery
from stablemate.xla.opcodes import OPCODES
from tests.oracle.client import Oracle
from tests.xla.corpus import CorpusModule, modules

EVERY_OPCODE: Final = Path(__file__).with_name("every_opcode.hlo").read_text()
NEWER: Final = {"atan"}  # XLA's parser does not know it yet
# Two modules have a negative zero, which XLA prints as an integer.
NEGATIVE_ZERO: Final = ("constants.unoptimized", "constants.optimized")


def by_name(module: CorpusModule) -> str:
    return module.name


def message(data: bytes) -> Any:
    """A message without what is another in every process."""
    parsed = message_class("HloModuleProto").FromString(data)
    parsed.ClearField("id")
    return parsed


def encoded(data: bytes) -> bytes:
    """A message, maps in the order of their keys; passes of XLA leave out default precisions."""
    parsed = message(data)
    for computation in parsed.computations:
        for instruction in computation.instructions:
            if (
                instruction.opcode == "custom-call"
                and not instruction.precision_config.operand_precision
            ):
                instruction.precision_config.operand_precision.extend(
                    [0] * len(instruction.operand_ids)
                )
    result: bytes = parsed.SerializeToString(deterministic=True)
    return result


def without_header(module: HloModule) -> HloModule:
    """A module without what a protocol buffer has no room for."""
    return replace(
        module,
        propagate_sharding_to_parameters=(),
        propagate_sharding_to_output=(),
        alias_passthrough_params=False,
        replica_count=1,
        num_partitions=1,
    )


@pytest.mark.parametrize("module", modules(), ids=by_name)
def test_modules_of_jax_are_written_as_they_were(module: CorpusModule) -> None:
    written = write_proto(read_proto(module.proto))
    assert encoded(written) == encoded(module.proto)


@pytest.mark.parametrize(
    "module", [module for module in modules() if module.name not in NEGATIVE_ZERO], ids=by_name
)
def test_a_proto_and_its_text_are_the_same_module(module: CorpusModule) -> None:
    assert read_proto(module.proto) == without_header(read_text(module.text))


@pytest.mark.parametrize("module", modules(), ids=by_name)
def test_text_survives_a_proto(module: CorpusModule) -> None:
    read = without_header(read_text(module.text))
    assert read_proto(write_proto(read)) == read


def test_every_opcode_is_there() -> None:
    opcodes = {
        instruction.opcode
        for inner in read_text(EVERY_OPCODE).computations
        for instruction in inner.instructions
    }
    assert opcodes == OPCODES.keys() - NEWER


def test_every_opcode_is_written_as_xla_writes_it(oracle: Oracle) -> None:
    """Instructions stay in the order of the text, where XLA orders them by their uses."""
    ours = message(write_proto(read_text(EVERY_OPCODE)))
    theirs = message(oracle.hlo_proto(EVERY_OPCODE))
    for side in (ours, theirs):
        for computation in side.computations:
            ordered = sorted(computation.instructions, key=lambda one: one.id)
            copies = [
                message_class("HloInstructionProto").FromString(o.SerializeToString())
                for o in ordered
            ]
            del computation.instructions[:]
            computation.instructions.extend(copies)
    assert ours.SerializeToString(deterministic=True) == theirs.SerializeToString(
        deterministic=True
    )


def test_xla_reads_what_is_written(oracle: Oracle) -> None:
    written = write_proto(read_text(EVERY_OPCODE))
    assert oracle.hlo_text(written) == oracle.hlo_text(EVERY_OPCODE)


def test_every_opcode_is_read_as_its_text(oracle: Oracle) -> None:
    """But for the names inside of asynchronous operations, which text does not show."""
    printed = oracle.hlo_text(EVERY_OPCODE)
    read = read_proto(oracle.hlo_proto(EVERY_OPCODE))
    as_xla = PrintOptions(reread=True)
    assert write_text(read, as_xla) == write_text(read_text(printed), as_xla)


HEADERS: Final = (
    "input_output_alias={ {0}: (0, {}), {1}: (1, {}, must-alias) }",
    "buffer_donor={ (0, {}), (1, {}) }",
    'frontend_attributes={a="b",c={"d":1}}',
    "is_scheduled=true",
    "entry_computation_layout={(f32[8,8]{0,1}, f32[8,8]{1,0})->(f32[8,8]{0,1}, f32[8,8]{0,1})}",
)
BODY: Final = """

ENTRY e {
  p = f32[8,8] parameter(0)
  late = f32[8,8] parameter(1)
  early = f32[8,8] negate(p)
  ROOT z = (f32[8,8], f32[8,8]) tuple(late, early), control-predecessors={p}
}
"""


@pytest.mark.parametrize("header", HEADERS)
def test_headers(oracle: Oracle, header: str) -> None:
    text = oracle.hlo_text(f"HloModule m, {header}{BODY}")
    theirs = oracle.hlo_proto(text)
    assert encoded(write_proto(read_text(text))) == encoded(theirs)
    assert read_proto(theirs) == read_text(text)


RECOVERY: Final = """, origin_recovery_table={
  {"old" {0}} : {"new" {1}}
  {"gone"} : {"kept"},
  "
    HloModule recovery

    ENTRY r {
      ROOT q = f32[] parameter(0)
    }

  "
}"""


def test_the_table_of_recovered_arrays(oracle: Oracle) -> None:
    theirs = oracle.hlo_proto(f"HloModule m{RECOVERY}{BODY}")
    read = read_proto(theirs)
    assert encoded(write_proto(read)) == encoded(theirs)
    gone, old = sorted(read.origin_recovery, key=lambda row: row.old)
    assert old == OriginRecovery(("old", (0,)), ("new", (1,)))
    assert gone.module is not None
    assert gone.module.entry == "r"


SHARDINGS: Final = (
    *("{replicated}", "{manual}", "{unknown}", "{unreduced}", "{maximal device=2}"),
    *("{devices=[2,2]0,1,3,2}", "{devices=[2,4]<=[8]}", "{devices=[4,2]<=[2,4]T(1,0)}"),
    "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
    "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}",
    *("{replicated shard_as 5}", "{devices=[2,4]<=[8] shard_like 7}"),
    '{replicated metadata={op_name="a"}}',
    '{devices=[2,4]<=[8] metadata={{op_name="a"}, {op_name="b" source_line=3}}}',
    "{mesh['x'=2,'y'=4], [{'x'}, {'y', ?}]}",
    "{mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)), [{'x'}, {'y'}]}",
    "{mesh['x'=2,'y'=2], device_ids=(3,1,0,2), [{'x'}, {'y'}]}",
    "{mesh['x'=4], [{'x':(1)2}, {?}]}",
    "{mesh['x'=2,'y'=2,'z'=2], [{'x'}, {}], replicated={'y'}, unreduced={'z'}}",
    "{mesh['x'=2,'y'=2], [{}, {}], manual={'x'}}",
    *("{mesh['x'=2], replicated}", "{mesh['x'=2], manual}", "{mesh['x'=2,'y'=2], unreduced}"),
    "{maximal_mesh[device_id=3]}",
)


@pytest.mark.parametrize("sharding", SHARDINGS)
def test_shardings(oracle: Oracle, sharding: str) -> None:
    text = f"HloModule m\n\nENTRY e {{\n  ROOT p = f32[8,8] parameter(0), sharding={sharding}\n}}\n"
    theirs = oracle.hlo_proto(text)
    assert encoded(write_proto(read_text(text))) == encoded(theirs)
    assert read_proto(theirs) == read_text(text)


def test_names_are_made_different_as_xla_does_it(oracle: Oracle) -> None:
    inner = "  x = f32[] parameter(0)\n  x.1 = f32[] negate(x)\n  ROOT y = f32[] negate(x.1)\n"
    calls = "  x = f32[] parameter(0)\n  y = f32[] call(x), to_apply=f\n"
    text = f"HloModule m\n\nf {{\n{inner}}}\n\ng {{\n{inner}}}\n\nENTRY e {{\n{calls}  ROOT y.1 = f32[] call(y), to_apply=g\n}}\n"  # noqa: E501
    assert encoded(write_proto(read_text(text))) == encoded(oracle.hlo_proto(text))
