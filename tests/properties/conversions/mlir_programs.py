"""Drawn programs of StableHLO that carry attributes of every kind.

Every operation and argument has a frontend attribute ``tag`` by which it is found again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from tests.properties.generation.choices import Choices

T: Final = "tensor<8x8xf32>"
S: Final = "tensor<f32>"
I: Final = "tensor<8x8xi32>"  # noqa: E741
MESH: Final = (
    '  sdy.mesh @mesh = <["x"=2, "y"=2]>\n  sdy.mesh @other = <["a"=4], device_ids=[3, 2, 1, 0]>'
)
SHARDINGS: Final = (
    *("{replicated}", "{devices=[2,2]<=[4]}", "{manual}", "{maximal device=1}", "{unreduced}"),
    "{devices=[2,1,2]<=[4] last_tile_dim_replicate}",
    "{devices=[2,2]0,2,1,3}",
    "{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dims={manual}}",
    "{devices=[1,2,2]<=[4] last_tile_dims={unreduced}}",
    "{devices=[1,2,2,2]<=[8] last_tile_dims={manual, replicated}}",
    "{devices=[2,1,2]<=[4] last_tile_dim_replicate shard_as 3}",
    "{mesh['x'=2,'y'=2], [{'x'}, {'y', ?}]}",
    "{unknown}",
)
SCALAR_SHARDINGS: Final = ("{replicated}", "{maximal device=0}", "{manual}")
SHARDY: Final = (
    *('[{"x"}, {}]', '[{"x"}, {"y"}]', '[{"y", "x"}, {}]', "[{}, {?}]", '[{"x", ?}, {?}]'),
    *('[{}, {"y"}], replicated={"x"}', '[{"y"}, {}], unreduced={"x"}', "[{}, {}]"),
)
LOCATIONS: Final = (
    *("unknown", '"plain"', '"jit(f)/scope/add"', '"f.py":3:4', '"f.py":3:4 to 5:6'),
    *('"named"("f.py":3:4)', 'fused["n", "f.py":1:2]', 'fused["n", "m", "f.py":1:2]'),
    '"op"(callsite("a"("f.py":1:2 to 1:9) at callsite("b"("g.py":3:4) at "c"("h.py":5:6))))',
    'callsite("callee"("f.py":1:2) at "caller"("g.py":3:4))',
    *('"Type:"("op"("f.py":1:2))', '"Type:"', '"outer"("inner"("f.py":1:2))'),
    *('"op"(callsite("f.py":1:2 at "g.py":3:4))', 'fused<"meta">["n", "f.py":1:2]'),
)
REDUCER: Final = (
    "({{ ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
    '      %r = "stablehlo.add"(%p, %q) {inner} : ({S}, {S}) -> {S}\n'
    '      "stablehlo.return"(%r) : ({S}) -> ()\n    }})'
)
CHANNEL: Final = "channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>"
GROUPS: Final = "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"
ALGORITHM: Final = (
    "#stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, "
    "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
    "num_primitive_operations = 3, allow_imprecise_accumulation = false>"
)
DOT: Final = (
    "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], "
    "rhs_contracting_dimensions = [0]>"
)
CONVOLUTION: Final = (
    "dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, batch_group_count = 1 : i64, "
    "feature_group_count = 1 : i64"
)
PRECISION: Final = "precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]"
ACCURACY: Final = (
    "result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>",
    "result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-5, ulps = 2, "
    "mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
)
# Operations: the name, properties to choose from, regions, types of operands, types of results.
OPERATIONS: Final[
    tuple[tuple[str, tuple[str, ...], str, tuple[str, ...], tuple[str, ...]], ...]
] = (
    ("stablehlo.negate", ("",), "", (T,), (T,)),
    ("stablehlo.add", ("",), "", (T, T), (T,)),
    ("stablehlo.exponential", ("", *ACCURACY), "", (T,), (T,)),
    ("stablehlo.tanh", ("", *ACCURACY), "", (T,), (T,)),
    (
        "stablehlo.dot_general",
        (DOT, f"{DOT}, {PRECISION}", f"{DOT}, algorithm = {ALGORITHM}"),
        "",
        (T, T),
        (T,),
    ),
    ("stablehlo.convolution", (CONVOLUTION, f"{CONVOLUTION}, {PRECISION}"), "", (T, T), (T,)),
    ("stablehlo.transpose", ("permutation = array<i64: 1, 0>",), "", (T,), (T,)),
    ("stablehlo.iota", ("iota_dimension = 1 : i64",), "", (), (I,)),
    ("stablehlo.reduce", ("dimensions = array<i64: 0, 1>",), REDUCER, (T, S), (S,)),
    ("stablehlo.broadcast_in_dim", ("broadcast_dimensions = array<i64>",), "", (S,), (T,)),
    ("stablehlo.cholesky", ("lower = true", "lower = false"), "", (T,), (T,)),
    ("stablehlo.optimization_barrier", ("",), "", (T, T), (T, T)),
    (
        "stablehlo.all_reduce",
        (GROUPS, f"{GROUPS}, {CHANNEL}", f"{GROUPS}, {CHANNEL}, use_global_device_ids"),
        REDUCER,
        (T,),
        (T,),
    ),
    (
        "stablehlo.all_gather",
        (f"all_gather_dim = 0 : i64, {GROUPS}, {CHANNEL}, use_global_device_ids",),
        "",
        ("tensor<4x8xf32>",),
        (T,),
    ),
    (
        "stablehlo.slice",
        (
            "start_indices = array<i64: 0, 0>, limit_indices = array<i64: 4, 8>, "
            "strides = array<i64: 1, 1>",
        ),
        "",
        (T,),
        ("tensor<4x8xf32>",),
    ),
    (
        "stablehlo.collective_permute",
        tuple(
            f"source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>{more}"
            for more in ("", f", {CHANNEL}")
        ),
        "",
        (T,),
        (T,),
    ),
    ("stablehlo.collective_broadcast", (f"{GROUPS}, {CHANNEL}",), "", (T,), (T,)),
    (
        "stablehlo.custom_call",
        (
            'call_target_name = "target"',
            'call_target_name = "target", has_side_effect = true, backend_config = "text"',
            'call_target_name = "typed", api_version = 4 : i32, '
            'backend_config = {a = 1 : i32, b = "x"}',
            'call_target_name = "laid", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], '
            "result_layouts = [dense<[0, 1]> : tensor<2xindex>]",
            'call_target_name = "aliased", '
            "output_operand_aliases = [#stablehlo.output_operand_alias<"
            "output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]",
        ),
        "",
        (T,),
        (T,),
    ),
    ("stablehlo.custom_call", ('call_target_name = "pair"',), "", (T, S), (T, S)),
    ("stablehlo.custom_call", ('call_target_name = "none", has_side_effect = true',), "", (T,), ()),
    ("func.call", ("callee = @callee",), "", (T,), (T,)),
    ("func.call", ("callee = @pair",), "", (T,), (T, S)),
    (
        "stablehlo.composite",
        (
            'name = "my.op", decomposition = @callee',
            'name = "my.op", decomposition = @callee, version = 3 : i32, '
            'composite_attributes = {a = 1 : i32, b = "s", c = [1, 2]}',
        ),
        "",
        (T,),
        (T,),
    ),
    (
        "stablehlo.while",
        ("",),
        "({{ ^bb0(%p: {T}, %q: {S}):\n"
        '      %r = "stablehlo.compare"(%q, %q) <{{comparison_direction = #stablehlo<'
        "comparison_direction LT>}}> {inner} : ({S}, {S}) -> tensor<i1>\n"
        '      "stablehlo.return"(%r) : (tensor<i1>) -> ()\n    }}, {{ ^bb0(%p: {T}, %q: {S}):\n'
        '      %r = "stablehlo.negate"(%p) {inner2} : ({T}) -> {T}\n'
        '      %s = "stablehlo.negate"(%q) : ({S}) -> {S}\n'
        '      "stablehlo.return"(%r, %s) : ({T}, {S}) -> ()\n    }})',
        (T, S),
        (T, S),
    ),
)
OTHERS: Final = ("", "", "", "unknown.note = 3 : i32", 'jax.note = "x"', "mhlo.other = true")
ORIGINS: Final = ('#mhlo.original_value<false, [<[], <"orig", []>>]>',)


@dataclass
class Drawing:
    """The drawing of one program.

    Attributes:
        choices: Where decisions come from.
        shardy: Whether shardings are Shardy's, else HLO's.
        values: The values that are there, by type.
        lines: The operations.
        count: How many tags were given.
    """

    choices: Choices
    shardy: bool
    values: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    lines: list[str] = field(default_factory=list[str])
    count: int = 0

    def tag(self) -> str:
        """A new tag, and perhaps another frontend attribute."""
        self.count += 1
        more = ', note = "v w"' if self.choices.chance(30) else ""
        more += ', dict = "{a = 1}"' if self.choices.chance(10) else ""
        return f'mhlo.frontend_attributes = {{tag = "t{self.count}"{more}}}'

    def sharding_of(self, value_type: str) -> str:
        """A sharding of HLO for a type."""
        return self.choices.of(SHARDINGS if "x8x" in value_type else SCALAR_SHARDINGS)

    def shardy_of(self, value_type: str) -> str:
        """A sharding of Shardy for a type."""
        return f"<@mesh, {self.choices.of(SHARDY) if 'x8x' in value_type else '[]'}>"

    def operation_notes(self, results: tuple[str, ...]) -> str:
        """The attributes of an operation that its definition does not declare."""
        notes = [self.tag()]
        if results and self.choices.chance(60):
            if self.shardy:
                listed = ", ".join(map(self.shardy_of, results))
                notes.append(f"sdy.sharding = #sdy.sharding_per_value<[{listed}]>")
            else:
                listed = ", ".join(map(self.sharding_of, results))
                text = listed if len(results) == 1 else f"{{{listed}}}"
                notes.append(f'mhlo.sharding = "{text}"')
        if len(results) == 1 and self.choices.chance(15):
            notes.append(f"mhlo.original_value = {self.choices.of(ORIGINS)}")
        if other := self.choices.of(OTHERS):
            notes.append(other)
        return f"{{{', '.join(notes)}}}"

    def value_notes(self, value_type: str, extra: tuple[str, ...], *, tagged: bool) -> str:
        """The attributes of an argument or a result."""
        notes = [self.tag()] if tagged else []
        if self.choices.chance(50):
            if self.shardy:
                notes.append(f"sdy.sharding = #sdy.sharding{self.shardy_of(value_type)}")
            else:
                notes.append(f'mhlo.sharding = "{self.sharding_of(value_type)}"')
        notes += [note for note in extra if self.choices.chance(25)]
        return f" {{{', '.join(notes)}}}" if notes else ""

    def location(self) -> str:
        """A location."""
        return f" loc({self.choices.of(LOCATIONS)})"

    def operation(self) -> None:
        """Adds an operation whose operands are there."""
        known = [row for row in OPERATIONS if all(kind in self.values for kind in row[3])]
        name, properties, region, operands, results = self.choices.of(known)
        chosen = self.choices.of(properties)
        stated = f" <{{{chosen}}}>" if chosen else ""
        inner = {"inner": self.operation_notes((S,)), "inner2": self.operation_notes((T,))}
        regions = f" {region.format(T=T, S=S, **inner)}" if region else ""
        taken = ", ".join(self.choices.of(self.values[kind]) for kind in operands)
        number = len(self.lines)
        bound = f"%v{number}{f':{len(results)}' if len(results) > 1 else ''} = " if results else ""
        types = f"({', '.join(operands)}) -> ({', '.join(results)})"
        self.lines.append(
            f'    {bound}"{name}"({taken}){stated}{regions} {self.operation_notes(results)} : '
            f"{types}{self.location()}"
        )
        for index, kind in enumerate(results):
            suffix = f"#{index}" if len(results) > 1 else ""
            self.values.setdefault(kind, []).append(f"%v{number}{suffix}")

    def constraint(self) -> None:
        """Adds an operation of Shardy."""
        number, value = len(self.lines), self.choices.of(self.values[T])
        sharding = self.shardy_of(T)
        forms = (
            f"sdy.sharding_constraint {value} {sharding} : {T}",
            f"sdy.propagation_barrier {value} allowed_direction=BACKWARD : {T}",
            f'sdy.manual_computation({value}) in_shardings=[<@mesh, [{{"x"}}, {{}}]>] '
            f'out_shardings=[<@mesh, [{{"x"}}, {{?}}]>] manual_axes={{"x"}} '
            f"(%shard: tensor<4x8xf32>) {{\n      %n = stablehlo.negate %shard "
            f"{{{self.tag()}}} : tensor<4x8xf32>\n"
            f"      sdy.return %n : tensor<4x8xf32>\n    }} : ({T}) -> {T}",
        )
        self.lines.append(f"    %v{number} = {self.choices.of(forms)}{self.location()}")
        self.values[T].append(f"%v{number}")


MODULE_NOTES: Final = (
    *("mhlo.num_partitions = 4 : i32", "mhlo.num_replicas = 2 : i32", "mhlo.is_dynamic = true"),
    *("mhlo.use_auto_spmd_partitioning = true", 'mhlo.frontend_attributes = {m = "n", o = "p"}'),
    "mhlo.cross_program_prefetches = "
    "[#mhlo.cross_program_prefetch<parameter = 0, indices = [], offset = 4>]",
    'mhlo.spmd_output_sharding = "{replicated}"',
    'mhlo.spmd_parameters_shardings = ["{devices=[2,2]<=[4]}", "{replicated}", "{replicated}"]',
    *("jax.uses_shape_polymorphism = false", "unknown.module = 1 : i32"),
    "mhlo.xla_entry_computation_parameter_layouts = [dense<[0, 1]> : tensor<2xindex>, "
    "dense<[1, 0]> : tensor<2xindex>, dense<> : tensor<0xindex>], "
    "mhlo.xla_entry_computation_parameter_tiles = [[], [dense<[2, 4]> : tensor<2xindex>], []]",
)
ARGUMENT_NOTES: Final = (
    *("jax.buffer_donor = true", 'jax.arg_info = "x"', 'mhlo.layout_mode = "default"'),
    *('mhlo.memory_kind = "device"', "mhlo.parameter_replication = [true]"),
)
FIRST_NOTES: Final = (
    *("tf.aliasing_output = 0 : i32", 'mhlo.layout_mode = "{0,1}"', 'jax.arg_info = "y"'),
    *("mhlo.is_same_data_across_replicas = true", 'mhlo.memory_kind = "pinned_host"'),
)


def mlir_program(choices: Choices) -> str:
    """A program."""
    drawing = Drawing(choices, choices.chance(40))
    types = (T, T, S)
    for number, kind in enumerate(types):
        drawing.values.setdefault(kind, []).append(f"%a{number}")
    arguments = ", ".join(
        f"%a{number}: {kind}"
        f"{drawing.value_notes(kind, ARGUMENT_NOTES if number else FIRST_NOTES, tagged=True)}"
        f"{drawing.location()}"
        for number, kind in enumerate(types)
    )
    for _ in range(choices.integer(2, 8)):
        if drawing.shardy and choices.chance(30):
            drawing.constraint()
        else:
            drawing.operation()
    body = "\n".join(drawing.lines)
    unused = [
        (value, kind)
        for kind, values in drawing.values.items()
        for value in values
        if not used(value, body)
    ]
    unused = [(drawing.values[T][-1], T), *unused]  # what the first argument may alias
    returned = [value for value, _ in unused]
    kinds = [kind for _, kind in unused]
    results = ", ".join(
        kind + drawing.value_notes(kind, ('jax.result_info = "r"',), tagged=False) for kind in kinds
    )
    notes = ", ".join(choices.subset(MODULE_NOTES, 25))
    callees = "\n".join(callee(drawing, name) for name in ("callee", "pair") if f"@{name}" in body)
    mesh = MESH if drawing.shardy else ""
    return (
        f"module @m attributes {{{notes}}} {{\n{mesh}\n"
        f"  func.func public @main({arguments}) -> ({results}) {{\n{body}\n"
        f"    func.return {', '.join(returned)} : {', '.join(kinds)} loc(unknown)\n"
        f"  }} loc(unknown)\n{callees}\n}} loc(unknown)\n"
    )


def used(value: str, body: str) -> bool:
    """Whether an operation takes a value."""
    return re.search(rf"[(, ]{value}(?![\w#])(?! =)", body) is not None


def callee(drawing: Drawing, name: str) -> str:
    """A private function."""
    argument = f"%x: {T}{drawing.value_notes(T, (), tagged=True)}{drawing.location()}"
    results = (T, S) if name == "pair" else (T,)
    listed = ", ".join(kind + drawing.value_notes(kind, (), tagged=False) for kind in results)
    scalar = (
        f'    %s = "stablehlo.constant"() <{{value = dense<2.0> : {S}}}> {{{drawing.tag()}}} '
        f": () -> {S}\n"
    )
    values = "%y, %s" if name == "pair" else "%y"
    return (
        f"  func.func private @{name}({argument}) -> ({listed}) {{\n"
        f'    %y = "stablehlo.abs"(%x) {drawing.operation_notes((T,))} : ({T}) -> {T}'
        f"{drawing.location()}\n{scalar if name == 'pair' else ''}"
        f"    func.return {values} : {', '.join(results)} loc(unknown)\n  }} loc(unknown)"
    )
