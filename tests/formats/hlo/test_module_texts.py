"""Modules, computations without a header, single instructions; their headers, tables and order."""

import pytest

from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import STYLES, PrintOptions, write_text
from tests.oracle.client import Oracle

HEADERS = (
    "is_scheduled=true",
    "is_scheduled=false",
    "input_output_alias={ {}: (0, {}, must-alias) }",
    "input_output_alias={ {}: (0, {}), }",
    "input_output_alias={}",
    "buffer_donor={ (0, {}), (0, {}), }",
    "input_output_alias={ {}: (0, {}, may-alias), {}: (0, {0,}) }",
    "entry_computation_layout={(f32[2,3]{1,0},)->f32[2,3]{1,0}}",
    "buffer_donor={ (0, {}), (7, {0,1}) }",
    "alias_passthrough_params=true",
    "entry_computation_layout={(f32[2,3])->f32[2,3]{0,1}}",
    "entry_computation_layout={(f32[2,3]{0,1}, f32[2])->f32[2,3,4]{0,1,2}}",
    "allow_spmd_sharding_propagation_to_parameters=true",
    "allow_spmd_sharding_propagation_to_output={true,false}",
    "replica_count=2",
    "replica_count=1, num_partitions=4",
    'frontend_attributes={b="x",a={"k":1}}',
    'origin_recovery_table={ {"a" {0}} : {"b"} }',
    'origin_recovery_table={ {"a"} : {"b"}, "p = f32[] negate(f32[] q)" {"c"} : {"d"} }',
    "origin_recovery_table={}",
)

ENTRY = "ENTRY e { ROOT p = f32[2,3]{0,1} parameter(0) }"
BODY = "{ a = f32[2] parameter(0)\n ROOT b = f32[2] negate(a)\n}\n"
FRAMES = """
FileNames
1 "a.py"
2 "b.py"
3 "c.py"

FunctionNames
1 "f"
2 "g"

FileLocations
1 {file_name_id=1 function_name_id=1 line=10 end_line=10 column=2 end_column=8}
2 {file_name_id=2 function_name_id=1 line=10 column=1 end_line=3 end_column=3}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=2}
3 {file_location_id=2 parent_frame_id=1}

"""

OF_FRAMES = """ENTRY e {
  p = f32[2] parameter(0), metadata={stack_frame_id=3}
  q = f32[2] negate(p), metadata={stack_frame_id=2}
  r = f32[2] negate(q), metadata={stack_frame_id=1}
}"""
CHANGED_FRAMES = (
    ("name_id=2 function_name_id=1", "name_id=2 function_name_id=11"),  # there is none
    ("1 {file_location_id=1 parent_frame_id=1}", "1 {file_location_id=1 parent_frame_id=9}"),
    ("1 {file_location_id=1 parent_frame_id=1}", "1 {file_location_id=1 parent_frame_id=-9}"),
    ("1 {file_location_id=1 parent_frame_id=1}", "1 {file_location_id=1 parent_frame_id=0}"),
    ("2 {file_location_id=2", "2 {file_location_id=3"),
)


def called(name: str, *called_names: str) -> str:
    lines = [
        f" x{i} = f32[2] map(a), dimensions={{0}}, to_apply={called_name}\n"
        for i, called_name in enumerate(called_names)
    ]
    return f"{name} {{ a = f32[2] parameter(0)\n{''.join(lines)} ROOT b = f32[2] negate(a)\n}}\n"


TEXTS = (
    *(f"HloModule m, {header}\n{ENTRY}" for header in HEADERS),
    f"f {BODY}",
    f"f {BODY}ENTRY g {BODY}h {BODY}",
    "ENTRY f (a f32[2], %b f32[3]) -> f32[2] { ROOT a = f32[2]{0} parameter(0) }",
    "ENTRY %f (a: f32[2]) -> f32[2] { a = f32[2]{0} parameter(0)\n ROOT b = f32[2] negate(a) }",
    "r = f32[2,3]{0,1} add(f32[2,3]{0,1} p, f32[2,3])",
    "f32[2] negate(f32[2])",
    "ROOT r = f32[2] negate(f32[2] x)",
    "/* a */ ROOT /* b */ %r = negate(f32[2] x)",
    "%r = f32[2] add(f32[2] x, f32[2] x), metadata={op_name=\"a\"}",
    "f32[4] reduce(f32[4,5] x, f32[] z), dimensions={1}, to_apply={ a =f32[] parameter(0)\n "
    "b =f32[] parameter(1)\n ROOT c =f32[] add(a,b) }",
    # Names, order, threads.
    f"HloModule m\nf {BODY}e {BODY}",
    f"HloModule %m\nf {BODY[:-1]}, execution_thread=\"t\"\nENTRY %e {BODY}",
    f"HloModule m\n{called('A')}{called('B')}{called('C')}{called('D', 'C', 'A')}"
    f"{called('E', 'B', 'D')}",
    f"HloModule m, is_scheduled=true\n{called('A')}{called('B')}{called('C', 'B')}{called('D')}"
    f"ENTRY {called('E', 'C', 'A')}",
    "HloModule m\nENTRY e { a = f32[] constant(1)\n dead = f32[] negate(a)\n "
    "b = f32[] constant(2)\n ROOT c = f32[] add(b, a), control-predecessors={dead}\n "
    "d = f32[] subtract(b, c)\n}",
    "HloModule m\nENTRY e { a.1 = f32[] constant(1)\n a = f32[] constant(2)\n "
    "a.0 = f32[] add(a, a.1)\n}"
    f"\nf {BODY}",
    "HloModule m\nENTRY e { b = f32[] parameter(1)\n a = f32[] parameter(0)\n "
    "%true = f32[] add(a:, b)\n}",
    "HloModule m // a comment\nENTRY e { /* another\n one */ "
    "ROOT a = f32[/**/2] parameter(0) // end\n}",
    "HloModule m\r\nENTRY e {\r\n\tROOT a = f32[2] parameter(0)\r\n}\r\n",
    # Stack frames.
    f"HloModule m\n{FRAMES}ENTRY e {{ ROOT p = f32[2] parameter(0) }}",
    f"HloModule m\n{FRAMES}ENTRY e {{ p = f32[2] parameter(0), metadata={{stack_frame_id=3}}\n "
    "q = f32[2] negate(p), metadata={stack_frame_id=2}\n r = f32[2] negate(q), "
    'metadata={stack_frame_id=9 op_name="x"}\n}',
    *(f"HloModule m\n{FRAMES.replace(*change)}{OF_FRAMES}" for change in CHANGED_FRAMES),
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_printed_as_xla_prints_them(text: str, oracle: Oracle) -> None:
    module = read_text(text)
    printed = oracle.hlo_text(text)
    assert write_text(module, PrintOptions(reread=True)) == printed
    assert write_text(read_text(printed)) == printed
    assert read_text(write_text(module)) == module


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_short_as_xla_prints_them_short(text: str, oracle: Oracle) -> None:
    printed = oracle.hlo_text(text)
    short = oracle.hlo_text(printed, style="short_parsable")
    again = oracle.hlo_text(printed)
    if again == printed:  # otherwise XLA has changed the order
        assert write_text(read_text(printed), STYLES["short"]) == short


SETTINGS = (
    (PrintOptions(layouts=False), {"include_layout_in_shapes": False}),
    (PrintOptions(metadata=False), {"print_metadata": False}),
    (PrintOptions(backend_config=False), {"print_backend_config": False}),
    (PrintOptions(operand_shapes=True), {"print_operand_shape": True}),
    (PrintOptions(percent=False), {"print_percent": False}),
    (PrintOptions(signatures=False), {"print_program_shape": False}),
    (PrintOptions(canonical=True), {"canonicalize_instruction_names": True}),
    (PrintOptions(control_dependencies=False), {"print_control_dependencies": False}),
)
FULL = f"""HloModule m
{FRAMES}
ENTRY e {{
  p = f32[4,6]{{0,1}} parameter(0), metadata={{op_name="p" stack_frame_id=3}}
  t = (f32[4,6], f32[4,6], f32[4,6], f32[4,6], f32[4,6], f32[4,6]) tuple(p, p, p, p, p, p)
  ROOT n = f32[4,6] negate(p), control-predecessors={{t}}, backend_config={{"a":1}},
    sharding={{replicated metadata={{op_name="s"}}}}
}}
"""


@pytest.mark.parametrize(("options", "settings"), SETTINGS)
def test_options_print_what_xla_prints(
    options: PrintOptions, settings: dict[str, bool], oracle: Oracle
) -> None:
    reread = write_text(read_text(FULL), PrintOptions(reread=True))
    assert reread == oracle.hlo_text(FULL)
    assert write_text(read_text(reread), options) == oracle.hlo_text(FULL, **settings)


def test_stack_frames_that_nothing_uses_are_kept() -> None:
    module = read_text(f"HloModule m\n{FRAMES}ENTRY e {{ ROOT p = f32[2] parameter(0) }}")
    assert module.stack_frames is not None
    assert len(module.stack_frames.frames) == 3
    assert read_text(write_text(module)) == module


def test_names_stay_in_their_computations() -> None:
    module = read_text(f"HloModule m\nf {BODY}e {BODY}")
    assert [list(computation.by_name) for computation in module.computations] == [
        ["a", "b"],
        ["a", "b"],
    ]


def test_schedules_are_the_order_of_the_text() -> None:
    text = (
        f"HloModule m, is_scheduled=true\nf {BODY}ENTRY e {{ p = f32[2] parameter(0)\n "
        "q = f32[2] fusion(p), kind=kLoop, calls=f\n z = f32[2] negate(p)\n}"
    )
    fused, entry = read_text(text).computations
    assert (fused.is_fusion, fused.schedule) == (True, None)
    assert (entry.is_fusion, entry.schedule) == (False, ("p", "q", "z"))


def test_asynchronous_computations_run_on_their_thread() -> None:
    text = (
        "HloModule m\nadd { x = f32[] parameter(0)\n y = f32[] parameter(1)\n "
        "ROOT z = f32[] add(x, y) }\nENTRY e { p = f32[2] parameter(0)\n f = f32[] constant(0)\n "
        "s = ((f32[2], f32[]), f32[], s32[]) reduce-start(p, f), dimensions={0}, to_apply=add, "
        'async_execution_thread="t"\n ROOT d = f32[] reduce-done(s)\n}'
    )
    module = read_text(text)
    threads = {
        computation.name: computation.execution_thread for computation in module.computations
    }
    assert threads == {"add": "t", "async_wrapped": "t", "e": "main"}
    explicit = write_text(module, PrintOptions(async_forms=False))
    assert 'async-start(%p, %f), async_execution_thread="t", calls=%async_wrapped' in explicit
    assert read_text(explicit) == module
