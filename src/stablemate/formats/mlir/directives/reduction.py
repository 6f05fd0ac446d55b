"""The directive of reduce, whose region may be a single word."""

from __future__ import annotations

from typing import Any, Final

from stablemate.diagnostics.source import Span
from stablemate.dialects.mhlo.counterparts import COUNTERPARTS
from stablemate.formats.mlir.assembly import Directive, FunctionalType
from stablemate.formats.mlir.mhlo import is_of_mhlo
from stablemate.formats.mlir.operation_reader import OperationReader, OperationState
from stablemate.formats.mlir.printer import MlirPrinter
from stablemate.ir.attributes import DenseArrayAttribute, attribute_as
from stablemate.ir.core import Block, Operation, Region
from stablemate.ir.kinds import SI64_ARRAY
from stablemate.ir.locations import Location
from stablemate.ir.types import TensorType, Type

COMPACT: Final = frozenset(
    f"stablehlo.{name}" for name in ("add", "multiply", "maximum", "minimum", "and", "or", "xor")
)


class ReduceDirective(Directive):
    """``(%x init: %i) applies op across dimensions = [0] : FT``, or with a reducer."""

    def read(self, reader: OperationReader, state: OperationState) -> None:
        """Reads inputs, then the compact or the full form."""
        inputs, initials = (f.name for f in state.definition.operands)
        state.operands = {inputs: [], initials: []}
        places: list[tuple[tuple[int, int], tuple[int, int]]] = []

        def pair() -> None:
            reader.expect("(")
            reader.operand_into(state, inputs)
            reader.expect("init")
            reader.expect(":")
            reader.operand_into(state, initials)
            reader.expect(")")
            places.append((state.places[-2], state.places[-1]))

        opening = (reader.start, reader.end)
        state.location = reader.locations.text_location(opening[0])
        pairs_follow = True
        while pairs_follow:
            while reader.accept(","):  # upstream's reader skips all
                pass
            if not places or reader.at("("):
                pair()
            pairs_follow = reader.at(",")
        state.places = [place for i in (0, 1) for place in (place[i] for place in places)]
        place, name = (reader.start, reader.end), ""
        if reader.accept("applies"):
            place = (reader.start, reader.end)
            name = reader.keyword("the name of an operation")
            if is_of_mhlo(state.name):
                name = COUNTERPARTS.get(name, name)
        for word in ("across", "dimensions", "="):
            reader.expect(word)
        start = reader.start
        state.attributes["dimensions"] = SI64_ARRAY.attribute(reader.integers())
        state.parts["dimensions"] = (start, reader.previous_end)
        reader.trailing_attributes(state)
        reader.expect(":")
        FunctionalType().read(reader, state)
        state.regions = [
            self.compact_body(reader, state, name, place, opening) if name else self.reducer(reader)
        ]

    def compact_body(
        self, reader: OperationReader, state: OperationState, name: str, place: tuple[int, int],
        opening: tuple[int, int],
    ) -> Region:  # fmt: skip
        """Returns the region that applies one operation, which has the location of the whole.

        In MLIR, the location in the text is that of the operands.
        """
        if name not in COMPACT:
            names = dict.fromkeys(sorted(COMPACT))
            message = f"'{name}' is not a commutative operation of two values"
            reader.reject_unknown(name, names, message, place)
        first = state.operand_list()[0].type
        if len(state.places) != 2 or not isinstance(first, TensorType):
            reader.error("the short form takes one input", place)
        scalar = TensorType((), first.element_type)
        state.location = location = reader.locations.optional_location(opening)
        span = Span(reader.source, *place)
        block = Block([scalar, scalar], [location, location])
        combine = reader.operations[name](block.arguments, [scalar], span=span)
        back = reader.operations["stablehlo.return"](combine.results, span=span)
        for operation in (combine, back):
            operation.location = location
            block.append(operation)
        return Region([block])

    def reducer(self, reader: OperationReader) -> Region:
        """Reads ``reducer(%a: T, %b: T) { ... }``: element and accumulator of each input."""
        reader.expect("reducer")
        elements: list[tuple[str, Type, Location, tuple[int, int]]] = []
        accumulators: list[tuple[str, Type, Location, tuple[int, int]]] = []
        while reader.at("("):
            start = reader.start
            pair = reader.read_enclosed("(", reader.block_argument)
            if len(pair) != 2:
                message = "expected an element and an accumulator"
                reader.error(message, (start, reader.previous_end))
            elements.append(pair[0])
            accumulators.append(pair[1])
        return reader.region([*elements, *accumulators])

    def write(self, printer: MlirPrinter, operation: Operation) -> None:
        """Writes the compact form if it is unambiguous."""
        half = len(operation.operands) // 2
        inputs, initials = operation.operands[:half], operation.operands[half:]
        pairs = zip(inputs, initials, strict=True)
        texts = [f"({printer.name(a)} init: {printer.name(b)})" for a, b in pairs]
        printer.write(", ".join(texts))
        body = operation.regions[0]
        compact = self.compact_name(operation, body)
        if compact:
            printer.write(f" applies {compact}")
        dimensions = attribute_as(operation.attributes, "dimensions", DenseArrayAttribute)
        printer.write(f" across dimensions = [{', '.join(dimensions.texts())}]")
        printer.attribute_dictionary(operation, ("dimensions",))
        printer.write(f" : {printer.function_type(operation)}")
        if not compact:
            self.write_reducer(printer, body)

    def write_reducer(self, printer: MlirPrinter, body: Region) -> None:
        """Writes the region, its arguments in pairs."""
        arguments = body.block.arguments
        half = len(arguments) // 2
        pairs = [
            f"({printer.argument(a)}, {printer.argument(b)})"
            for a, b in zip(arguments[:half], arguments[half:], strict=True)
        ]
        printer.write(f"\n{printer.indentation} reducer{' '.join(pairs)}  ")
        printer.region(body, entry_label=False)

    def compact_name(self, operation: Operation, body: Region) -> str:
        """Returns the only operation of the region if it takes the arguments in order.

        Attributes that its definition does not declare have no place in the compact form.
        """
        if len(operation.operands) != 2 or len(body.blocks) != 1 or len(body.block.operations) != 2:
            return ""
        inner, back = body.block.operations
        first: Any = operation.operands[0].type
        scalar = TensorType((), first.element_type)
        same = all(operand.type == scalar for operand in (*inner.operands, *inner.results))
        fits = (
            inner.name in COMPACT
            and inner.operands == body.block.arguments
            and back.operands == inner.results
            and not inner.discardable
            and same
        )
        return inner.name if fits else ""


DIRECTIVES: Final[dict[str, Directive]] = {"Reduce": ReduceDirective()}
