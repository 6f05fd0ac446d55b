"""Encodes the builtin dialect.

Source: MLIR builtin dialect, its bytecode encodings; kinds 17 to 22 of attributes and 21 to 32 of
types came after the first releases.
"""

from __future__ import annotations

from typing import Any, Final

from stablemate.formats.bytecode.entry_access import EntryReader, EntryWriter
from stablemate.formats.bytecode.literals import read_array, read_dense, write_array, write_dense
from stablemate.formats.bytecode.rows import (
    ATTRIBUTE,
    ATTRIBUTES,
    BOOLEAN,
    LOCATION,
    RESOURCE,
    SHAPE,
    STRING,
    TEXT,
    TYPE,
    TYPES,
    VARINT,
    DialectEncoding,
    EntryField,
    attribute_of,
    constant,
    custom_row,
    factory_row,
    list_of,
    row,
    type_of,
)
from stablemate.ir.attributes import (
    UNIT,
    ArrayAttribute,
    DenseArrayAttribute,
    DenseElementsAttribute,
    DenseResourceAttribute,
    DenseStringsAttribute,
    DictionaryAttribute,
    DistinctAttribute,
    FloatAttribute,
    IntegerAttribute,
    OpaqueAttribute,
    SparseElementsAttribute,
    StringAttribute,
    SymbolAttribute,
    TypeAttribute,
    dense_strings,
)
from stablemate.ir.locations import (
    UNKNOWN,
    CallSiteLocation,
    FileLocation,
    FusedLocation,
    NameLocation,
)
from stablemate.ir.types import (
    Attribute,
    DialectType,
    FunctionType,
    FutureType,
    MemRefType,
    NoneType,
    OpaqueType,
    TensorType,
    TokenType,
    TupleType,
    UnrankedTensorType,
    VectorType,
    buffer_type,
)
from stablemate.numerics.elements import (
    INDEX,
    AnyQuantizedType,
    CalibratedType,
    ComplexType,
    FloatType,
    IndexType,
    IntegerType,
    QuantizedType,
    Signedness,
)
from stablemate.numerics.wide_floats import normalize_bits

SIGNEDNESS: Final[tuple[Signedness, ...]] = ("signless", "signed", "unsigned")
RESOURCE_TYPES: Final = (TensorType, UnrankedTensorType, VectorType, MemRefType)
MAXIMUM_WIDTH: Final = (1 << 24) - 1  # of an integer type, as in MLIR
ELEMENT_TYPE: Final[EntryField[Any]] = type_of(
    IntegerType, FloatType, IndexType, ComplexType, QuantizedType, AnyQuantizedType,
    CalibratedType, OpaqueType, DialectType, FutureType, MemRefType, TokenType, VectorType,
)  # fmt: skip


# ---- attributes


def read_dictionary(reader: EntryReader) -> DictionaryAttribute:
    """Reads pairs of a name, which is an attribute of its own, and a value."""
    entries: dict[str, Attribute] = {}
    for _ in range(reader.count()):
        name = TEXT.read(reader)
        if name in entries:
            reader.reject(f"attribute '{name}' occurs twice")
        entries[name] = reader.attribute()
    return DictionaryAttribute(entries)


def write_dictionary(writer: EntryWriter, value: DictionaryAttribute) -> None:
    """Writes the pairs, sorted by name."""
    writer.varint(len(value.entries))
    for name, entry in value.entries.items():
        writer.text(name)
        writer.attribute(entry)


def read_flat(reader: EntryReader) -> str:
    """Reads a component of a nested symbol, which is a symbol of its own."""
    symbol = reader.attribute()
    if isinstance(symbol, SymbolAttribute) and not symbol.nested:
        return symbol.root
    return reader.reject(f"expected a symbol of one part, found {symbol}")


FLAT_SYMBOL: Final = EntryField(
    read_flat, lambda writer, name: writer.attribute(SymbolAttribute(name))
)


def read_integer(reader: EntryReader) -> IntegerAttribute:
    """Reads the type, then an integer of its width."""
    integer_type = reader.type()
    if not isinstance(integer_type, IntegerType | IndexType):
        reader.reject(f"an integer has no type {integer_type}")
    return IntegerAttribute(integer_type.wrap(reader.integer(integer_type.width)), integer_type)


def write_integer(writer: EntryWriter, value: IntegerAttribute) -> None:
    """Writes the type, then the value."""
    writer.type(value.type)
    writer.integer(value.value, value.type.width)


def read_float(reader: EntryReader) -> FloatAttribute:
    """Reads the type, then the bits as an integer of its width."""
    float_type = reader.type()
    if not isinstance(float_type, FloatType):
        reader.reject(f"no number has type {float_type}")
    bits = reader.integer(float_type.bits)
    return FloatAttribute(
        bits if float_type.has_storage else normalize_bits(bits, float_type), float_type
    )


def write_float(writer: EntryWriter, value: FloatAttribute) -> None:
    """Writes the type, then the bits."""
    writer.type(value.type)
    writer.integer(value.bits, value.type.bits)


def read_strings(reader: EntryReader) -> DenseStringsAttribute:
    """Reads the type, whether one string fills it, and the strings."""
    literal_type = reader.type()
    if not isinstance(literal_type, TensorType | VectorType | MemRefType):
        reader.reject(f"strings have a tensor type, not {literal_type}")
    if literal_type.shape is None or min(literal_type.shape, default=0) < 0:
        reader.reject(f"a literal has a static tensor type, not {literal_type}")
    count = 1
    if not reader.varint():
        for size in literal_type.shape:
            count *= size
    if not 0 <= count <= reader.bytes_left():
        reader.reject(f"{literal_type} has more strings than there are bytes left")
    values = tuple(reader.string() for _ in range(count))
    return dense_strings(literal_type, values)


def write_strings(writer: EntryWriter, value: DenseStringsAttribute) -> None:
    """Writes type, whether one string fills it, and the strings."""
    writer.type(value.type)
    writer.varint(int(len(value.values) == 1))
    for text in value.values:
        writer.string(text)


def read_range(reader: EntryReader) -> FileLocation:
    """Reads a file, then up to four numbers: line, column, last line, last column."""
    file = TEXT.read(reader)
    match list_of(VARINT).read(reader):
        case ():
            return FileLocation(file, 0)
        case (line,):
            return FileLocation(file, line)
        case (line, column):
            return FileLocation(file, line, column)
        case (line, column, end):
            return FileLocation(file, line, column, (line, end))
        case (line, column, end_line, end):
            return FileLocation(file, line, column, (end_line, end))
        case numbers:
            reader.reject(f"a range of a file has at most 4 numbers, not {len(numbers)}")


def write_range(writer: EntryWriter, value: FileLocation) -> None:
    """Writes file, line, column, last line if it differs, last column."""
    assert value.end is not None
    line, column = value.end
    last = (column,) if line == value.line else (line, column)
    writer.text(value.file)
    list_of(VARINT).write(writer, (value.line, value.column, *last))


ATTRIBUTE_ROWS: Final = (
    row(0, ArrayAttribute, items=ATTRIBUTES),
    custom_row(1, DictionaryAttribute, read_dictionary, write_dictionary),
    row(2, StringAttribute, value=STRING).when(lambda a: a.type is None),
    row(3, StringAttribute, value=STRING, type=TYPE),
    row(4, SymbolAttribute, root=TEXT).when(lambda a: not a.nested),
    row(5, SymbolAttribute, root=TEXT, nested=list_of(FLAT_SYMBOL)),
    row(6, TypeAttribute, type=TYPE),
    constant(7, UNIT),
    custom_row(8, IntegerAttribute, read_integer, write_integer),
    custom_row(9, FloatAttribute, read_float, write_float),
    row(10, CallSiteLocation, callee=LOCATION, caller=LOCATION),
    row(11, FileLocation, file=TEXT, line=VARINT, column=VARINT).when(lambda a: a.end is None),
    row(12, FusedLocation, locations=list_of(LOCATION)).when(lambda a: a.metadata is None),
    row(13, FusedLocation, locations=list_of(LOCATION), metadata=ATTRIBUTE),
    row(14, NameLocation, name=TEXT, child=LOCATION),
    constant(15, UNKNOWN),
    row(16, DenseResourceAttribute, type=type_of(*RESOURCE_TYPES), key=RESOURCE),
    custom_row(17, DenseArrayAttribute, read_array, write_array),
    custom_row(18, DenseElementsAttribute, read_dense, write_dense),
    custom_row(19, DenseStringsAttribute, read_strings, write_strings),
    row(
        20, SparseElementsAttribute, type=type_of(TensorType, VectorType, MemRefType),
        indices=attribute_of(DenseElementsAttribute),
        values=attribute_of(DenseElementsAttribute, DenseStringsAttribute),
    ),
    custom_row(
        21, DistinctAttribute,
        lambda reader: DistinctAttribute(reader.serial(), reader.attribute()),
        lambda writer, value: writer.attribute(value.attribute),
    ),
    custom_row(22, FileLocation, read_range, write_range),
)  # fmt: skip


# ---- types


def read_integer_type(reader: EntryReader) -> IntegerType:
    """Reads width and signedness in one number."""
    width, sign = divmod(reader.varint(), 4)
    if not 0 <= width <= MAXIMUM_WIDTH or sign >= len(SIGNEDNESS):
        reader.reject(f"no integer type has width {width} and signedness {sign}")
    return IntegerType(width, SIGNEDNESS[sign])


def write_integer_type(writer: EntryWriter, value: IntegerType) -> None:
    """Writes width and signedness in one number."""
    writer.varint(value.width << 2 | SIGNEDNESS.index(value.signedness))


def identity_layout(rank: int) -> OpaqueAttribute:
    """Returns the layout of a buffer that declares none."""
    names = ", ".join(f"d{i}" for i in range(rank))
    return OpaqueAttribute(f"affine_map<({names}) -> ({names})>")


def read_memref(reader: EntryReader) -> MemRefType:
    """Reads shape, element type and layout of a buffer."""
    shape, element, layout = SHAPE.read(reader), ELEMENT_TYPE.read(reader), reader.attribute()
    return buffer_type(shape, element, layout)


def write_memref(writer: EntryWriter, value: MemRefType) -> None:
    """Writes shape, element type and layout."""
    shape = value.shape or ()
    SHAPE.write(writer, shape)
    writer.type(value.element_type)
    writer.attribute(value.layout or identity_layout(len(shape)))


def read_memref_in_space(reader: EntryReader) -> MemRefType:
    """Reads a memory space, then the buffer."""
    space, memref = reader.attribute(), read_memref(reader)
    return buffer_type(memref.shape, memref.element_type, memref.layout, space)


def write_memref_in_space(writer: EntryWriter, value: MemRefType) -> None:
    """Writes memory space and buffer."""
    assert value.memory_space is not None
    writer.attribute(value.memory_space)
    write_memref(writer, value)


def unranked_memref(element_type: Any, memory_space: Attribute | None = None) -> MemRefType:
    """A buffer of unknown rank."""
    return buffer_type(None, element_type, None, memory_space)


def fixed_vector(shape: tuple[int, ...], element_type: Any) -> VectorType:
    """A vector of fixed sizes."""
    return VectorType(shape, element_type, (False,) * len(shape))


def read_scalable(reader: EntryReader) -> VectorType:
    """Reads which sizes are scalable, the sizes, and the element type."""
    scalable = list_of(BOOLEAN).read(reader)
    shape, element = SHAPE.read(reader), ELEMENT_TYPE.read(reader)
    if len(shape) != len(scalable):
        reader.reject(f"{len(scalable)} marks of scalable sizes for {len(shape)} sizes")
    return VectorType(shape, element, scalable)


def write_scalable(writer: EntryWriter, value: VectorType) -> None:
    """Writes which sizes are scalable, the sizes, and the element type."""
    list_of(BOOLEAN).write(writer, value.scalable)
    SHAPE.write(writer, value.shape)
    writer.type(value.element_type)


FLOAT_KINDS: Final = {
    3: "bf16", 4: "f16", 5: "f32", 6: "f64", 7: "f80", 8: "f128",
    21: "tf32", 22: "f8E5M2", 23: "f8E4M3", 24: "f8E4M3FN", 25: "f8E5M2FNUZ", 26: "f8E4M3FNUZ",
    27: "f8E4M3B11FNUZ", 28: "f8E3M4", 29: "f4E2M1FN", 30: "f6E2M3FN", 31: "f6E3M2FN",
    32: "f8E8M0FNU",
}  # fmt: skip

TYPE_ROWS: Final = (
    custom_row(0, IntegerType, read_integer_type, write_integer_type),
    constant(1, INDEX),
    row(2, FunctionType, inputs=TYPES, results=TYPES),
    row(9, ComplexType, element=type_of(FloatType, IntegerType)),
    custom_row(10, MemRefType, read_memref, write_memref).when(
        lambda t: t.shape is not None and t.memory_space is None
    ),
    custom_row(11, MemRefType, read_memref_in_space, write_memref_in_space).when(
        lambda t: t.shape is not None
    ),
    constant(12, NoneType()),
    row(13, TensorType, shape=SHAPE, element_type=ELEMENT_TYPE).when(lambda t: t.encoding is None),
    row(14, TensorType, encoding=ATTRIBUTE, shape=SHAPE, element_type=ELEMENT_TYPE),
    row(15, TupleType, types=TYPES),
    factory_row(16, MemRefType, unranked_memref, element_type=ELEMENT_TYPE).when(
        lambda t: t.memory_space is None
    ),
    factory_row(17, MemRefType, unranked_memref, memory_space=ATTRIBUTE, element_type=ELEMENT_TYPE),
    row(18, UnrankedTensorType, element_type=ELEMENT_TYPE),
    factory_row(19, VectorType, fixed_vector, shape=SHAPE, element_type=ELEMENT_TYPE).when(
        lambda t: not any(t.scalable)
    ),
    custom_row(20, VectorType, read_scalable, write_scalable),
    *(constant(kind, FloatType(name)) for kind, name in FLOAT_KINDS.items()),
)

BUILTIN: Final = DialectEncoding("builtin", ATTRIBUTE_ROWS, TYPE_ROWS)
