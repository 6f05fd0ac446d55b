"""The verifier takes what XLA makes, and finds what is wrong with each wrong module."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stablemate.formats.hlo.text.reader import read_text
from stablemate.xla.layout import Layout
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.shape import Shape
from stablemate.xla.values import BufferDonor, InputOutputAlias, ProgramShape
from stablemate.xla.verifier import verify
from tests.xla.corpus import CorpusModule, modules
from tests.xla.programs import ADD, PROGRAMS


@pytest.mark.parametrize("module", modules(), ids=lambda entry: entry.name)
def test_modules_of_jax_are_right(module: CorpusModule) -> None:
    assert verify(read_text(module.text)) == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_right(name: str) -> None:
    assert verify(read_text(PROGRAMS[name])) == []


# Instructions on x: f32[4], y: f32[5], p: pred[], t: token[], u: (f32[4], f32[5]), k: s32[4],
# w: u32[4].
WRONG = {
    "f32[4] add(x, y)": "stablehlo.add C1",
    "f32[5] negate(x)": "negate",
    "s32[4] negate(x)": "negate",
    "f32[4] not(x)": "stablehlo.not I1",
    "f32[4] compare(x, x), direction=LT": "compare",
    "f32[5] reshape(x)": "stablehlo.reshape C2",
    "f32[4,2] broadcast(x), dimensions={1}": "stablehlo.broadcast_in_dim C5",
    "f32[3,4] broadcast(x), dimensions={1,0}": "stablehlo.broadcast_in_dim C2",
    "f32[4] transpose(x), dimensions={1}": "stablehlo.transpose C2",
    "f32[8] concatenate(x, y), dimensions={0}": "concatenate",
    "f32[5] slice(x), slice={[0:5]}": "stablehlo.slice C3",
    "f32[9] pad(x, y), padding=1_4": "stablehlo.pad I2",
    "f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}": (
        "stablehlo.dot_general C10"
    ),
    "f32[4] select(x, x, x)": "stablehlo.select I1",
    "(f32[4], f32[5]) select(p, u, u)": "select",
    "s8[4] stochastic-convert(k, w)": "stochastic-convert",
    "f32[5] iota(), iota_dimension=1": "stablehlo.iota C1",
    "f32[] reduce(x, x), dimensions={0}, to_apply=add": "stablehlo.reduce I2",
    "s32[4] bitcast-convert(p)": "stablehlo.bitcast_convert C1",
    "f32[5] get-tuple-element(u), index=0": "get-tuple-element",
    "f32[5] get-tuple-element(u), index=2": "get-tuple-element",
    "f32[5] get-tuple-element(x), index=0": "get-tuple-element",
    "(f32[4], f32[4]) tuple(x, y)": "tuple",
    "f32[5] copy(x)": "copy",
    "f32[4] call(x), to_apply=add": "call",
    "f32[4] fusion(x), kind=kLoop, calls=add": "fusion",
    "f32[4] while(x), condition=add, body=add": "while",
    "f32[4] conditional(p, x, y), true_computation=same, false_computation=same": "conditional",
    "f32[4] add-dependency(x, x)": "add-dependency",
    "token[] after-all(x)": "after-all",
    "f32[4] copy-done(u)": "copy-done",
    "f32[5] all-gather(x), dimensions={0}, replica_groups={{0,1}}": "stablehlo.all_gather C6",
    "f32[4] collective-permute(x), source_target_pairs={{0,1},{0,2}}": (
        "stablehlo.collective_permute C2"
    ),
    "f32[4] copy(x), sharding={devices=[2,2]0,1,2,3}": "sharding",
    "f32[4] copy(x), sharding={devices=[2]0,0}": "sharding",
    "(f32[4]) tuple(x), sharding={{replicated}, {replicated}}": "sharding",
    'f32[4] custom-call(y), custom_call_target="f", output_to_operand_aliasing={{}: (0, {})}': (
        "custom-call"
    ),
}


@pytest.mark.parametrize("instruction", WRONG)
def test_wrong_instruction_is_found(instruction: str) -> None:
    text = f"""HloModule m
{ADD}
same {{ ROOT a = f32[4] parameter(0) }}
ENTRY e {{
  x = f32[4] parameter(0)
  y = f32[5] parameter(1)
  p = pred[] parameter(2)
  t = token[] parameter(3)
  u = (f32[4], f32[5]) parameter(4)
  k = s32[4] parameter(5)
  w = u32[4] parameter(6)
  ROOT r = {instruction}
}}"""
    (diagnostic,) = verify(read_text(text))
    assert diagnostic.rule == WRONG[instruction]
    assert diagnostic.span is not None


def test_constraints_on_layouts_are_shapes_of_operands() -> None:
    module = read_text(
        "ENTRY e { x = f32[4] parameter(0)\n ROOT r = f32[4] custom-call(x), "
        'custom_call_target="f", operand_layout_constraints={f32[4]{0}} }'
    )
    assert verify(module) == []
    entry = module.entry_computation
    attributes = {**entry.result.attributes, "operand_layout_constraints": (Shape("f32[5]{0}"),)}
    wrong = replace(entry.result, attributes=attributes)
    instructions = (entry.instructions[0], wrong)
    (diagnostic,) = verify(
        replace(module, computations=(replace(entry, instructions=instructions),))
    )
    assert diagnostic.rule == "custom-call"
    assert diagnostic.span.text == "r"


def test_all_findings_are_collected_with_places() -> None:
    text = """HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  a = f32[5] negate(x)
  b = f32[5] exponential(a)
  ROOT r = f32[6] reshape(b)
}"""
    assert "\n".join(item.render() for item in verify(read_text(text))) == (
        "<text>:4:3: error: negate: the result has the shape that follows\n"
        " 4 |   a = f32[5] negate(x)\n"
        "   |   ^ result = f32[5], expected = f32[4]\n"
        "<text>:6:8: error: stablehlo.reshape C2: size(operand) = size(result)\n"
        " 6 |   ROOT r = f32[6] reshape(b)\n"
        "   |        ^ operand = 5, result = 6"
    )


# ---- modules that text cannot say


SHAPE = Shape("f32[2]")


def parameter(name: str, number: object = 0) -> HloInstruction:
    """A parameter."""
    return HloInstruction(name, "parameter", SHAPE, attributes={"parameter_number": number})


def negate(name: str, operand: str) -> HloInstruction:
    """A negation."""
    return HloInstruction(name, "negate", SHAPE, (operand,))


X, A, B = parameter("x"), negate("a", "x"), negate("b", "a")


def module(*instructions: HloInstruction, root: str = "b", **fields: object) -> HloModule:
    """A module of one computation."""
    entry = HloComputation("e", instructions, root, **fields)  # type: ignore[arg-type]
    return HloModule("m", (entry,), "e")


STRUCTURE = {
    "tile": (
        module(X, A, replace(B, shape=replace(SHAPE, layout=Layout((0,), ((0,),))))),
        ["layout"],
    ),
    "nothing": (module(X, A, B), []),
    "order": (module(X, B, A), ["operands"]),
    "unknown operand": (module(X, B), ["operands"]),
    "cycle": (module(X, negate("a", "b"), B), ["cycle"]),
    "twice": (module(X, A, A, B), ["instructions"]),
    "root": (module(X, A, B, root="c"), ["root"]),
    "number": (module(parameter("x", 1), A, B), ["parameters"]),
    "numbers": (module(X, parameter("y", 0), A, B), ["parameters"]),
    "name": (module(X, A, negate("b c", "a"), root="b c"), ["names"]),
    "opcode": (module(X, HloInstruction("b", "conjure", SHAPE)), ["conjure"]),
    "attribute": (module(X, A, replace(B, attributes={"index": 3})), ["negate"]),
    "another kind": (
        module(X, A, replace(B, opcode="reverse", attributes={"dimensions": "0"})),
        ["reverse"],
    ),
    "a list": (
        module(X, A, replace(B, opcode="reverse", attributes={"dimensions": [0]})),
        ["reverse"],
    ),
    "a word": (
        module(
            X,
            A,
            HloInstruction("b", "compare", Shape("pred[2]"), ("a", "a"), {"direction": "less"}),
        ),
        ["compare"],
    ),
    "missing": (module(X, A, HloInstruction("b", "concatenate", SHAPE, ("a",))), ["concatenate"]),
    "operands": (module(X, A, HloInstruction("b", "add", SHAPE, ("a",))), ["add"]),
    "control": (
        module(X, replace(A, attributes={"control-predecessors": ("b",)}), B),
        ["cycle"],
    ),
    "call": (
        module(X, A, HloInstruction("b", "call", SHAPE, ("a",), {"to_apply": "e"})),
        ["computations"],
    ),
    "schedule": (module(X, A, B, schedule=("x", "a", "b")), []),
    "late": (module(X, A, B, schedule=("x", "b", "a")), ["schedule"]),
    "left out": (module(X, A, B, schedule=("x", "b")), ["schedule"]),
    "scheduled twice": (module(X, A, B, schedule=("x", "a", "a", "b")), ["schedule"]),
    "scheduled stranger": (module(X, A, B, schedule=("x", "a", "b", "c")), ["schedule"]),
    "layout": (
        module(X, A, replace(B, shape=replace(SHAPE, layout=Layout((0, 0))))),
        ["layout"],
    ),
    "entry": (replace(module(X, A, B), entry="f"), ["entry"]),
    "computations": (
        replace(module(X, A, B), computations=module(X, A, B).computations * 2),
        ["computations"],
    ),
    "entry layout": (
        replace(module(X, A, B), entry_layout=ProgramShape((Shape("f32[3]"),), SHAPE)),
        ["entry_computation_layout"],
    ),
    "layout of the result": (
        replace(module(X, A, B), entry_layout=ProgramShape((SHAPE,), Shape("s32[2]"))),
        ["entry_computation_layout"],
    ),
    "alias": (
        replace(module(X, A, B), input_output_alias=(InputOutputAlias((), 0),)),
        [],
    ),
    "alias of nothing": (
        replace(module(X, A, B), input_output_alias=(InputOutputAlias((0,), 0),)),
        ["input_output_alias"],
    ),
    "two aliases": (
        replace(module(X, A, B), input_output_alias=(InputOutputAlias((), 0),) * 2),
        ["input_output_alias"],
    ),
    "donor that is no parameter": (
        replace(module(X, A, B), buffer_donors=(BufferDonor(7),)),
        [],
    ),
    "donor with an alias": (
        replace(
            module(X, A, B),
            buffer_donors=(BufferDonor(0),),
            input_output_alias=(InputOutputAlias((), 0),),
        ),
        ["buffer_donor"],
    ),
}


@pytest.mark.parametrize("name", STRUCTURE)
def test_structure(name: str) -> None:
    wrong, rules = STRUCTURE[name]
    assert [diagnostic.rule for diagnostic in verify(wrong)] == rules


NEGATE = "c { a = f32[4] parameter(0)\n ROOT n = f32[4] negate(a) }"
ON_THREAD = f'{NEGATE}, execution_thread="t"'
WRONG_MODULES = {
    "copy-start": """ENTRY e { x = f32[4] parameter(0)
      s = (f32[4], f32[4], u32[]) copy-start(x)
      a = f32[4] copy-done(s)
      ROOT b = f32[4] copy-done(s) }""",
    "all-reduce-start": f"""{ADD}
    ENTRY e {{ x = f32[4] parameter(0)
      s = f32[4] all-reduce-start(x), to_apply=add
      ROOT r = f32[4] negate(x) }}""",
    "async-start": f"""{ON_THREAD}
    ENTRY e {{ x = f32[4] parameter(0)
      s = ((f32[4]), f32[4], s32[]) async-start(x), calls=c
      ROOT d = f32[4] async-done(s) }}""",
    "async-update": f"""{NEGATE}
    ENTRY e {{ x = f32[4] parameter(0)
      s = ((f32[4]), f32[4], s32[]) async-start(x), calls=c
      u = ((f32[4]), f32[4], s32[]) async-update(s)
      a = f32[4] async-done(u)
      ROOT d = f32[4] async-done(u) }}""",
    "call": f"""{ON_THREAD}
    ENTRY e {{ x = f32[4] parameter(0)
      ROOT r = f32[4] call(x), to_apply=c }}""",
    "fusion": f"""{ON_THREAD}
    ENTRY e {{ x = f32[4] parameter(0)
      ROOT r = f32[4] fusion(x), kind=kLoop, calls=c }}""",
    "collective-permute": """ENTRY e { x = f32[4] parameter(0)
      ROOT r = f32[4] collective-permute(x), source_target_pairs={{0,1},{1,3}} }""",
}


@pytest.mark.parametrize("opcode", WRONG_MODULES)
def test_wrong_module_is_found(opcode: str) -> None:
    (diagnostic,) = verify(read_text(f"HloModule m, replica_count=3\n{WRONG_MODULES[opcode]}"))
    assert diagnostic.rule == opcode
    assert diagnostic.span is not None
