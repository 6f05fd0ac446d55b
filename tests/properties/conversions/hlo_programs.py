"""Drawn modules of HLO that carry attributes of every kind.

Every instruction and parameter has a frontend attribute ``tag`` by which it is found again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tests.properties.conversions.mlir_programs import SCALAR_SHARDINGS, SHARDINGS
from tests.properties.generation.choices import Choices

M: Final = "f32[8,8]"
S: Final = "f32[]"
PAIR: Final = "(f32[8,8], f32[])"
LEAVES: Final = "(s32[], f32[8,8])"
STARTED: Final = "((f32[8,8]), f32[8,8], u32[])"
TABLES: Final = """
FileNames
1 "f.py"
2 "g.py"

FunctionNames
1 "inner"
2 "outer"

FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=3 column=2 end_column=4}
2 {file_name_id=2 function_name_id=2 line=7 end_line=7 column=2 end_column=4}

StackFrames
1 {file_location_id=2 parent_frame_id=1}
2 {file_location_id=1 parent_frame_id=2}
"""
METADATA: Final = (
    *('op_name="jit(f)/add"', 'op_name="x" source_file="h.py" source_line=3'),
    'op_type="ty" op_name="nm" source_file="h.py" source_line=3 source_end_line=4 '
    "source_column=5 source_end_column=6",
    *('op_name="framed" stack_frame_id=2', 'op_type="ty" op_name="framed" stack_frame_id=1'),
    *('source_file="h.py" source_line=3', "stack_frame_id=2", 'op_type="only"'),
    'op_name="n" deduplicated_name="d" scheduling_name="s"',
    'op_name="both" stack_frame_id=2 source_file="f.py" source_line=1 source_end_line=3 '
    "source_column=2 source_end_column=4",
    'op_name="beside" stack_frame_id=1 source_file="z.py" source_line=9',
)
GROUPS: Final = ("replica_groups={{0,1},{2,3}}", "replica_groups=[2,2]<=[4]")
DOT: Final = "lhs_contracting_dims={1}, rhs_contracting_dims={0}"
# Instructions: the opcode, attributes to choose from, shapes of operands, shape of the result.
INSTRUCTIONS: Final[tuple[tuple[str, tuple[str, ...], tuple[str, ...], str], ...]] = (
    ("negate", ("",), (M,), M),
    ("add", ("",), (M, M), M),
    ("exponential", ("", "result_accuracy={mode=highest}"), (M,), M),
    ("tanh", ("result_accuracy={tolerance={atol=1e-05,rtol=0.0001,ulps=2}}",), (M,), M),
    (
        "dot",
        (DOT, f"{DOT}, operand_precision={{high,default}}", f"{DOT}, algorithm=dot_tf32_tf32_f32"),
        (M, M),
        M,
    ),
    (
        "convolution",
        (
            "dim_labels=bf_io->bf",
            "dim_labels=bf_io->bf, operand_precision={highest,highest}",
        ),
        (M, M),
        M,
    ),
    ("transpose", ("dimensions={1,0}",), (M,), M),
    ("reduce", ("dimensions={0,1}, to_apply=sum",), (M, S), S),
    ("broadcast", ("dimensions={}",), (S,), M),
    ("cholesky", ("lower=true",), (M,), M),
    (
        "all-reduce",
        tuple(
            f"{groups}{more}, to_apply=sum"
            for groups in GROUPS
            for more in (
                *("", ", channel_id=5", ", channel_id=5, use_global_device_ids=true"),
                ", constrain_layout=true",
            )
        ),
        (M,),
        M,
    ),
    (
        "collective-permute",
        ("source_target_pairs={{0,1},{1,0}}", "channel_id=3, source_target_pairs={{0,1},{1,0}}"),
        (M,),
        M,
    ),
    ("collective-broadcast", ("channel_id=2, replica_groups={{0,1}}",), (M,), M),
    (
        "custom-call",
        (
            'custom_call_target="plain"',
            'custom_call_target="effect", custom_call_has_side_effect=true, backend_config="text"',
            'custom_call_target="late", schedule=SCHEDULE_LATEST',
            'custom_call_target="typed", api_version=API_VERSION_TYPED_FFI, '
            'backend_config="{a = 1 : i32}"',
            'custom_call_target="laid", operand_layout_constraints={f32[8,8]{0,1}}',
            'custom_call_target="alias", output_to_operand_aliasing={{}: (0, {})}',
        ),
        (M,),
        M,
    ),
    ("custom-call", ('custom_call_target="pair"',), (M, S), PAIR),
    ("call", ("to_apply=callee",), (M,), M),
    (
        "call",
        (
            "to_apply=callee, is_composite=true, frontend_attributes={composite.attributes={a = 1 "
            ': i32},composite.name="my.op",composite.version="2"}',
        ),
        (M,),
        M,
    ),
    ("fusion", ("kind=kLoop, calls=callee",), (M,), M),
    ("while", ("condition=cond, body=body",), (PAIR,), PAIR),
    ("tuple", ("",), (M, S), PAIR),
    ("get-tuple-element", ("index=0",), (PAIR,), M),
    ("opt-barrier", ("",), (PAIR,), PAIR),
    ("copy", ("",), (M,), M),
    ("async-start", ('calls=side, async_execution_thread="other"',), (M,), STARTED),
    ("get-tuple-element", ("index=1",), (LEAVES,), M),
)
COMPUTATIONS: Final = """
sum {{
  a.s = f32[] parameter(0)
  b.s = f32[] parameter(1)
  ROOT r.s = f32[] add(a.s, b.s){0}
}}

callee {{
  a.c = f32[8,8] parameter(0){1}
  ROOT r.c = f32[8,8] abs(a.c){2}
}}

side {{
  a.e = f32[8,8] parameter(0)
  ROOT r.e = f32[8,8] all-gather(a.e), dimensions={{0}}, channel_id=1, replica_groups={{{{0}}}}{5}
}}, execution_thread="other"

cond {{
  p.d = (f32[8,8], f32[]) parameter(0)
  s.d = f32[] get-tuple-element(p.d), index=1
  ROOT r.d = pred[] compare(s.d, s.d), direction=LT{3}
}}

body {{
  p.b = (f32[8,8], f32[]) parameter(0)
  m.b = f32[8,8] get-tuple-element(p.b), index=0
  s.b = f32[] get-tuple-element(p.b), index=1
  n.b = f32[8,8] negate(m.b){4}
  ROOT r.b = (f32[8,8], f32[]) tuple(n.b, s.b)
}}
"""
HEADER: Final = (
    *("is_scheduled=true", "input_output_alias={ {0}: (0, {}, must-alias) }"),
    *("buffer_donor={ (1, {}), (3, {1}) }", "replica_count=2", "num_partitions=4"),
    *("allow_spmd_sharding_propagation_to_output={true}", 'frontend_attributes={m="n",o="p"}'),
)
LAYOUTS: Final = ("{1,0}", "{0,1}", "{1,0:T(2,4)}", "{1,0:S(5)}")


@dataclass
class HloDrawing:
    """The drawing of one module.

    Attributes:
        choices: Where decisions come from.
        values: The instructions, by shape.
        lines: Their texts.
        count: How many tags were given.
    """

    choices: Choices
    values: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    def notes(self, shape: str, opcode: str = "", own: str = "", *, inner: bool = False) -> str:
        """The attributes of an instruction that any may have."""
        self.count += 1
        entries = [f'tag="t{self.count}"', *(['note="v"'] if self.choices.chance(25) else [])]
        frontend = f"frontend_attributes={{{','.join(entries)}}}"
        parts = [] if not own else [own]
        is_refused = shape == LEAVES  # jaxlib takes no frontend attributes of tuple parameters
        if "frontend_attributes={" in own:
            parts = [own.replace("frontend_attributes={", f"frontend_attributes={{{entries[0]},")]
        elif not is_refused:
            parts.append(frontend)
        if self.choices.chance(50):
            parts.append(f"sharding={self.sharding(shape)}")
        if self.choices.chance(50):
            parts.append(f"metadata={{{self.choices.of(METADATA)}}}")
        if self.choices.chance(10) and shape == M:
            parts.append('origin={{"orig"}}')
        if self.choices.chance(8):
            parts.append("statistics={visualizing_index=0,st=3.5}")
        if self.choices.chance(8) and opcode != "custom-call":
            parts.append('backend_config={"x":1}')
        if self.choices.chance(8) and not inner and self.lines:
            parts.append(f"control-predecessors={{v{len(self.lines) - 1}}}")
        return f", {', '.join(parts)}" if parts else ""

    def sharding(self, shape: str) -> str:
        """A sharding for a shape."""
        if shape == LEAVES:
            return f"{{{self.sharding(S)}, {self.sharding(M)}}}"
        if shape == STARTED:
            return f"{{{self.sharding(M)}, {self.sharding(M)}, {self.sharding(S)}}}"
        if shape == PAIR:
            return f"{{{self.sharding(M)}, {self.sharding(S)}}}"
        return self.choices.of(SHARDINGS if shape == M else SCALAR_SHARDINGS)

    def laid(self, shape: str) -> str:
        """A shape, an array perhaps in another layout."""
        return f"{shape}{{0,1}}" if shape == M and self.choices.chance(12) else shape

    def instruction(self) -> None:
        """Adds an instruction whose operands are there."""
        known = [row for row in INSTRUCTIONS if all(shape in self.values for shape in row[2])]
        opcode, attributes, operands, shape = self.choices.of(known)
        taken = ", ".join(self.choices.of(self.values[operand]) for operand in operands)
        name = f"v{len(self.lines)}"
        notes = self.notes(shape, opcode, self.choices.of(attributes))
        laid = self.laid(shape) if opcode in ("negate", "add", "copy", "transpose") else shape
        self.lines.append(f"  {name} = {laid} {opcode}({taken}){notes}")
        self.values.setdefault(shape, []).append(name)
        if shape == STARTED:  # which nothing else takes
            done = f"v{len(self.lines)}"
            self.lines.append(f"  {done} = {M} async-done({name}){self.notes(M)}")
            self.values[M].append(done)


def hlo_program(choices: Choices) -> str:
    """A module."""
    drawing = HloDrawing(choices)
    parameters: list[str] = []
    for number, shape in enumerate((M, M, S, LEAVES)):
        notes = drawing.notes(shape, inner=True)
        flags = "true,false" if shape == LEAVES else "true"
        replication = f", parameter_replication={{{flags}}}" if choices.chance(25) else ""
        parameters.append(f"  a{number} = {shape} parameter({number}){replication}{notes}")
        drawing.values.setdefault(shape, []).append(f"a{number}")
    for _ in range(choices.integer(2, 9)):
        drawing.instruction()
    result, scalar = drawing.values[M][-1], drawing.values[S][-1]
    root = f"  ROOT root = {PAIR} tuple({result}, {scalar}){drawing.notes(PAIR, inner=True)}"
    inner = (S, M, M, "pred[]", M, M)
    drawn = COMPUTATIONS.format(*(drawing.notes(shape, inner=True) for shape in inner))
    lines = "\n".join(drawing.lines)
    computations = "\n\n".join(
        text for text in drawn.strip().split("\n\n") if f"={text.split()[0]}" in lines
    )
    first, second = (choices.of(LAYOUTS) for _ in range(2))
    header = [
        f"entry_computation_layout={{(f32[8,8]{first}, f32[8,8]{second}, f32[], "
        f"(s32[], f32[8,8]{choices.of(LAYOUTS[:3])}))->"
        f"(f32[8,8]{choices.of(LAYOUTS[:2])}, f32[])}}",
        *choices.subset(HEADER, 30),
    ]
    body = "\n".join((*parameters, *drawing.lines, root))
    return (
        f"HloModule m, {', '.join(header)}\n{TABLES}\n{computations}\nENTRY main {{\n{body}\n}}\n"
    )
