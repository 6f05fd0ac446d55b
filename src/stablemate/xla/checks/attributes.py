"""Whether attributes hold what their names promise; modules that programs make may hold anything.

Source: HLO text as XLA reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.xla import values
from stablemate.xla.kinds import AttributeRow, Kind
from stablemate.xla.literal import Literal
from stablemate.xla.module import HloInstruction
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.shape import Shape

Test = Callable[[object], bool]


def one(*classes: type) -> Test:
    """Whether a value is of one of some classes; flags are no numbers."""
    return lambda value: (
        isinstance(value, classes) and (bool in classes or not isinstance(value, bool))
    )


def tuple_of(test: Test) -> Test:
    """Whether a value is a tuple of items that pass a test."""
    return lambda value: isinstance(value, tuple) and all(map(test, cast("tuple[Any]", value)))


INTEGERS: Final = tuple_of(one(int))
TESTS: Final[Mapping[Kind, Test]] = {
    Kind.INTEGER: one(int),
    Kind.FLOAT: one(float, int),
    Kind.FLAG: one(bool),
    Kind.BOOLEAN: one(bool),
    Kind.INTEGERS: INTEGERS,
    Kind.BOOLEANS: tuple_of(one(bool)),
    Kind.WORD: one(str),
    Kind.WORDS: tuple_of(one(str)),
    Kind.STRING: one(str),
    Kind.STRING_OR_DICT: one(str),
    Kind.SHAPE: one(Shape),
    Kind.SHAPES: tuple_of(one(Shape)),
    Kind.LITERAL: one(Literal),
    Kind.COMPUTATION: one(str),
    Kind.COMPUTATIONS: tuple_of(one(str)),
    Kind.INSTRUCTIONS: tuple_of(one(str)),
    Kind.WINDOW: tuple_of(one(values.WindowDimension)),
    Kind.DIM_LABELS: one(values.ConvolutionDimensions),
    Kind.PADDING: tuple_of(one(values.PaddingDimension)),
    Kind.SLICES: tuple_of(one(values.SliceDimension)),
    Kind.INTEGER_ROWS: tuple_of(INTEGERS),
    Kind.REPLICA_GROUPS: one(values.ListedGroups, values.IotaTiles, values.MeshGroups),
    Kind.SHARDING: one(values.HloSharding),
    Kind.DOMAIN: one(values.HloDomain),
    Kind.METADATA: one(values.Metadata),
    Kind.FRONTEND_ATTRIBUTES: one(Mapping),
    Kind.STATISTICS: one(values.HloStatistics),
    Kind.ORIGIN: one(values.OriginalValue),
    Kind.ALIASING: tuple_of(one(values.OutputOperandAlias)),
    Kind.RESULT_ACCURACY: one(values.ResultAccuracy),
    Kind.SPARSITY: one(values.SparsityConfig),
}
ROWS: Final = {
    opcode: {all_attribute.name: all_attribute for all_attribute in row.all_attributes}
    for opcode, row in OPCODES.items()
}


def attribute_findings(instruction: HloInstruction) -> Iterator[Diagnostic]:
    """Attributes that the opcode lacks or has not, and those that hold something else."""
    row, rows = OPCODES[instruction.opcode], ROWS[instruction.opcode]
    attributes = instruction.attributes
    rule, span = instruction.opcode, instruction.span
    for name in row.required - attributes.keys():
        yield Diagnostic(f"expected the attribute {name}", rule, span)
    for name, value in attributes.items():
        if name not in rows:
            yield Diagnostic("the opcode has no such attribute", rule, span, {"attribute": name})
        elif not TESTS[rows[name].kind](value) or not is_allowed(rows[name], value):
            message = f"{name} holds {describe_attribute(rows[name])}"
            yield Diagnostic(message, rule, span, {name: repr(value)})


def is_allowed(row: AttributeRow, value: Any) -> bool:
    """Whether words are among those that the attribute knows."""
    match row.kind:
        case Kind.WORD:
            return value in row.words
        case Kind.WORDS:
            return all(word in row.words for word in value)
        case _:
            return True


def describe_attribute(row: AttributeRow) -> str:
    """The contents of an attribute, in words."""
    if row.words:
        return f"{'words' if row.kind is Kind.WORDS else 'one'} of {', '.join(row.words)}"
    return row.kind.name.lower().replace("_", " ")
