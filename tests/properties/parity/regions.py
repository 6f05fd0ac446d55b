"""Operations in which each operand, result, block argument and returned value has its own type.

What a region returns stands outside of it, so that no operation inside constrains its types. Most
types agree with one element type of a family; some differ in width, sign, quantization parameters,
sizes, bounds or encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.properties.generation.choices import Choices
from tests.properties.parity.specimens import Specimen

FAMILIES: Final = (
    ("f32", "f16", "f64", "bf16", "f8E5M2"),
    ("i32", "i64", "i8", "ui32", "i1", "ui8", "si32"),
    ("complex<f32>", "complex<f64>"),
    (
        "!quant.uniform<i8:f32, 0.5>",
        "!quant.uniform<i8:f32, 0.25:3>",
        "!quant.uniform<u8:f32, 0.5>",
        "!quant.uniform<i32:f32, 0.5>",
        "!quant.uniform<i8<-127:127>:f32, 0.5>",
        "!quant.uniform<i8:bf16, 0.5>",
        "!quant.uniform<i8:f32:0, {0.5}>",
        "!quant.uniform<i8:f32:{0:1}, {0.5}>",
        "!quant.any<i8:f32>",
    ),
)
PREDICATES: Final = (
    *("tensor<i1>",) * 12,
    *("tensor<ui1>", "tensor<si1>", "tensor<i1, 1 : i32>", "tensor<i1, #stablehlo.bounds<>>"),
    *("tensor<i8>", "tensor<1xi1>", "tensor<?xi1>"),
)
GROUPS: Final = ("replica_groups", "dense<[[0, 1]]> : tensor<1x2xi64>")
FIRST: Final = ("dimensions", "array<i64: 0>")
WINDOW: Final = ("window_dimensions", "array<i64: 2>")
SCATTER: Final = (
    "scatter_dimension_numbers",
    "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
    "index_vector_dim = 1>",
)
SEGMENTS: Final = (
    ("operandSegmentSizes", "array<i32: 1, 1>"),
    ("resultSegmentSizes", "array<i32: 1, 1>"),
)
DOT: Final = (
    "dot_dimension_numbers",
    "#stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>",
)


@dataclass
class Draft:
    """An operation in the making.

    Attributes:
        choices: Draws.
        family: Its element types.
        element: The one that most types have.
        likelihood: In how many of a hundred types.
        scope: The types of the values outside of its regions.
    """

    choices: Choices
    family: Sequence[str]
    element: str
    likelihood: int
    scope: dict[str, str] = field(default_factory=dict[str, str])

    def any_element(self) -> str:
        """An element type."""
        if self.choices.chance(self.likelihood):
            return self.element
        return self.choices.of(self.choices.of((*(self.family,) * 12, *FAMILIES)))

    def scalar(self) -> str:
        """The type of a scalar, or of something like one."""
        element = self.any_element()
        if self.choices.chance(90):
            return f"tensor<{element}>"
        sizes, encoding = self.choices.of(
            (("", ", 1 : i32"), ("", ", #stablehlo.bounds<>"), ("1x", ""), ("?x", ""), ("2x", ""))
        )
        return f"tensor<{sizes}{element}{encoding}>"

    def vector(self, size: int) -> str:
        """The type of a vector of this size, or of something like one."""
        element, kind = self.any_element(), self.choices.below(100)
        if kind < 75:
            return f"tensor<{size}x{element}>"
        if kind < 85:
            return f"tensor<?x{element}>"
        if kind < 97:
            bound = size + self.choices.of((0, 0, 1, -1))
            return f"tensor<?x{element}, #stablehlo.bounds<{bound}>>"
        last = (f"{size}x{element}, 1 : i32", f"{size + 1}x{element}", element)
        return f"tensor<{self.choices.of(last)}>"

    def predicate(self) -> str:
        """The type of a truth value, or of something like one."""
        return self.choices.of(PREDICATES)

    def value(self, value_type: str) -> str:
        """A value of a type."""
        name = f"%v{len(self.scope)}"
        self.scope[name] = value_type
        return name

    def region(self, arguments: Sequence[str], results: Sequence[str]) -> str:
        """A region that returns values from outside."""
        names = ", ".join(self.value(result) for result in results)
        items = ", ".join(f"%x{i}: {argument}" for i, argument in enumerate(arguments))
        label = f"^bb0({items}):\n" if arguments else ""
        types = ", ".join(results)
        return f'{{\n{label}    "stablehlo.return"({names}) : ({types}) -> ()\n  }}'

    def reducer(self, count: int = 1) -> str:
        """A region that reduces so many values."""
        results = [self.scalar() for _ in range(count)]
        arguments = [self.scalar() if self.choices.chance(30) else result for result in results * 2]
        return self.region(arguments, results)

    def operation(
        self,
        name: str,
        operands: Sequence[str],
        results: Sequence[str],
        *attributes: tuple[str, str],
        regions: Sequence[str] = (),
    ) -> Specimen:
        """The operation on values of these types."""
        names = [self.value(operand) for operand in operands]
        return Specimen(
            name=name,
            operands=names,
            types=list(operands),
            scope=self.scope,
            results=list(results),
            attributes=list(attributes),
            regions=list(regions),
        )


def reduction(draft: Draft) -> Specimen:
    """``reduce`` of one or two inputs."""
    count = draft.choices.of((1, 2))
    operands = [draft.vector(4) for _ in range(count)] + [draft.scalar() for _ in range(count)]
    results = [draft.scalar() for _ in range(count)]
    return draft.operation(
        "stablehlo.reduce", operands, results, FIRST, regions=[draft.reducer(count)]
    )


def window(draft: Draft) -> Specimen:
    """``reduce_window``."""
    operands = [draft.vector(4), draft.scalar()]
    name = "stablehlo.reduce_window"
    return draft.operation(name, operands, [draft.vector(3)], WINDOW, regions=[draft.reducer()])


def scatter(draft: Draft) -> Specimen:
    """``scatter``."""
    indices = draft.choices.of(("tensor<1x1xi32>", "tensor<1x1xi32>", "tensor<?x1xui8>"))
    operands = [draft.vector(4), indices, draft.vector(1)]
    return draft.operation(
        "stablehlo.scatter", operands, [draft.vector(4)], SCATTER, regions=[draft.reducer()]
    )


def all_reduce(draft: Draft) -> Specimen:
    """``all_reduce`` of one or two operands."""
    operands = [draft.vector(4) for _ in range(draft.choices.of((1, 1, 2)))]
    results = [draft.vector(4) for _ in operands]
    name = "stablehlo.all_reduce"
    return draft.operation(name, operands, results, GROUPS, regions=[draft.reducer()])


def reduce_scatter(draft: Draft) -> Specimen:
    """``reduce_scatter``."""
    dimension = ("scatter_dimension", "0 : i64")
    name = "stablehlo.reduce_scatter"
    operands, results = [draft.vector(4)], [draft.vector(2)]
    return draft.operation(name, operands, results, GROUPS, dimension, regions=[draft.reducer()])


def mapping(draft: Draft) -> Specimen:
    """``map``."""
    body = draft.region([draft.scalar(), draft.scalar()], [draft.scalar()])
    operands = [draft.vector(4), draft.vector(4)]
    return draft.operation("stablehlo.map", operands, [draft.vector(4)], FIRST, regions=[body])


def sort(draft: Draft) -> Specimen:
    """``sort``."""
    argument = draft.scalar()
    comparator = draft.region([argument, argument], [draft.predicate()])
    dimension = ("dimension", "0 : i64")
    return draft.operation(
        "stablehlo.sort", [draft.vector(4)], [draft.vector(4)], dimension, regions=[comparator]
    )


def loop(draft: Draft) -> Specimen:
    """``while``."""
    cond = draft.region([draft.vector(4)], [draft.predicate()])
    body = draft.region([draft.vector(4)], [draft.vector(4)])
    return draft.operation(
        "stablehlo.while", [draft.vector(4)], [draft.vector(4)], regions=[cond, body]
    )


def case(draft: Draft) -> Specimen:
    """``case`` of up to three branches."""
    branches = [draft.region([], [draft.vector(4)]) for _ in range(draft.choices.integer(1, 3))]
    index = draft.choices.of(("tensor<i32>", "tensor<i32>", "tensor<ui32>", "tensor<i32, 1 : i32>"))
    return draft.operation("stablehlo.case", [index], [draft.vector(4)], regions=branches)


def conditional(draft: Draft) -> Specimen:
    """``if``."""
    branches = [draft.region([], [draft.vector(4)]) for _ in range(2)]
    return draft.operation("stablehlo.if", [draft.predicate()], [draft.vector(4)], regions=branches)


def select_and_scatter(draft: Draft) -> Specimen:
    """``select_and_scatter``."""
    select = draft.region([draft.scalar(), draft.scalar()], [draft.predicate()])
    strides = ("window_strides", "array<i64: 2>")
    return draft.operation(
        "stablehlo.select_and_scatter",
        [draft.vector(4), draft.vector(2), draft.scalar()],
        [draft.vector(4)],
        WINDOW,
        strides,
        regions=[select, draft.reducer()],
    )


def scan(draft: Draft) -> Specimen:
    """``chlo.scan``, whose region uses nothing from outside."""
    slice_type, carry = draft.scalar(), draft.scalar()
    body = (
        f"{{\n^bb0(%x: {slice_type}, %y: {carry}):\n"
        f'    "stablehlo.return"(%x, %y) : ({slice_type}, {carry}) -> ()\n  }}'
    )
    operands, results = [draft.vector(4), draft.scalar()], [draft.vector(4), draft.scalar()]
    dimension = ("dimension", "0 : i64")
    return draft.operation("chlo.scan", operands, results, dimension, *SEGMENTS, regions=[body])


def without_regions(draft: Draft) -> Specimen:
    """One of the operations of the table, which have no regions."""
    name = draft.choices.of(tuple(OTHERS))
    operands, result, attributes = OTHERS[name]
    types = [TYPES[letter](draft) for letter in operands]
    return draft.operation(name, types, [TYPES[result](draft)], *attributes)


TYPES: Final[Mapping[str, Callable[[Draft], str]]] = {
    "v": lambda draft: draft.vector(4),
    "w": lambda draft: draft.vector(8),
    "s": lambda draft: draft.scalar(),
    "p": lambda draft: draft.predicate(),
    "f": lambda draft: f"!stablehlo.future<{draft.vector(4)}>",
    "i": lambda _: "tensor<i32>",
    "n": lambda _: "tensor<1xi64>",
    "b": lambda draft: draft.choices.of(("tensor<4xi1>", "tensor<?xi1, #stablehlo.bounds<3>>")),
}
# The operands and the result of operations, a letter each, and their attributes.
OTHERS: Final[Mapping[str, tuple[str, str, Sequence[tuple[str, str]]]]] = {
    "stablehlo.async_done": ("f", "v", ()),
    "stablehlo.concatenate": ("vv", "w", (("dimension", "0 : i64"),)),
    "stablehlo.dynamic_update_slice": ("vvi", "v", ()),
    "stablehlo.select": ("pvv", "v", ()),
    "stablehlo.clamp": ("svs", "v", ()),
    "stablehlo.compare": (
        "vv",
        "b",
        (("comparison_direction", "#stablehlo<comparison_direction EQ>"),),
    ),
    "stablehlo.dot_general": ("vv", "s", (DOT,)),
    "stablehlo.einsum": ("vv", "v", (("einsum_config", '"a,a->a"'),)),
    "stablehlo.real_dynamic_slice": ("vnnn", "v", ()),
    "stablehlo.dynamic_pad": ("vsnnn", "v", ()),
    "stablehlo.add": ("vv", "v", ()),
    "stablehlo.atan2": ("vv", "v", ()),
    "stablehlo.complex": ("vv", "v", ()),
    "chlo.broadcast_select": ("bvv", "v", ()),
    "chlo.broadcast_add": ("vv", "v", ()),
    "chlo.broadcast_power": ("vs", "v", ()),
    "chlo.next_after": ("vv", "v", ()),
}
BUILDERS: Final[Sequence[tuple[Callable[[Draft], Specimen], int]]] = (
    *((build, 1) for build in (reduction, window, scatter, all_reduce, reduce_scatter, mapping)),
    *((build, 1) for build in (sort, loop, case, conditional, select_and_scatter, scan)),
    (without_regions, 4),
)


def with_types_of_its_own(choices: Choices) -> str:
    """The text of a function with one such operation."""
    family = choices.of(FAMILIES)
    draft = Draft(choices, family, choices.of(family[:5]), choices.of((70, 85, 95)))
    return choices.weighted(BUILDERS)(draft).text()
