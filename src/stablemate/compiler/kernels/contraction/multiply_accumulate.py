"""Multiply-accumulate: the arithmetic of dots and convolutions."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from typing import Final

from stablemate.compiler.graph.graph import Node, Tensor
from stablemate.compiler.loops.buffers import Buffer
from stablemate.compiler.loops.expressions import Expression, Expressions
from stablemate.compiler.loops.operators import BITS
from stablemate.compiler.loops.statements import Fold, Statement, StoreElement
from stablemate.compiler.lowering.conversions import change_category, convert_register
from stablemate.compiler.lowering.elements import element_type, represent_elements
from stablemate.compiler.lowering.elementwise import category
from stablemate.compiler.lowering.representation import representation
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import DotAlgorithm
from stablemate.dialects.stablehlo.contraction import same_kind, sum_dtype
from stablemate.numerics.elements import F32, F64, ElementType, FloatType, IntegerType


@dataclass(frozen=True, slots=True)
class Packing:
    """Several narrow factors in an ``i32``.

    Attributes:
        operator: Adds the products of the factors that two ``i32`` hold.
        element: The type of one of them in memory.
        count: How many there are.
        is_left_unsigned: Whether the operator takes the left factors as unsigned.
        is_in_tiles: Whether the operator multiplies matrices in tile registers.
    """

    operator: str
    element: str
    count: int
    is_left_unsigned: bool = False
    is_in_tiles: bool = False

    @property
    def bits(self) -> int:
        """The bits of one factor."""
        return BITS[self.element]


MOST_EXACT: Final = 1 << (24 - 16)  # products of bytes, and of their differences, that f32 adds up
BFLOAT_PAIRS: Final = Packing("pair_of_bfloat16", "i16", 2)
I16_PAIRS: Final = Packing("pair_of_i16", "i16", 2)
SIGNED_I8_QUADS: Final = Packing("quad_of_signed_i8", "i8", 4)
UNSIGNED_I8_QUADS: Final = Packing("quad_of_unsigned_i8", "i8", 4, is_left_unsigned=True)
I8_QUADS: Final = Packing("quad_of_i8", "i8", 4, is_left_unsigned=True)
TILES_OF_BFLOAT: Final = Packing("tile_of_bfloat16", "i16", 2, is_in_tiles=True)
# By whether the factors are unsigned.
TILES_OF_I8: Final = {
    (False, False): Packing("tile_of_signed_i8", "i8", 4, is_in_tiles=True),
    (False, True): Packing("tile_of_signed_by_unsigned_i8", "i8", 4, is_in_tiles=True),
    (True, False): Packing("tile_of_unsigned_by_signed_i8", "i8", 4, is_in_tiles=True),
    (True, True): Packing("tile_of_unsigned_i8", "i8", 4, is_in_tiles=True),
}


@dataclass(frozen=True, slots=True)
class Sums:
    """How products of elements are formed and added up.

    Attributes:
        register: The type of products and sums.
        add: The monoid of sums.
        multiply: The operation of products.
        storage: What memory holds of an operand that is already of the type of products.
        packing: How an ``i32`` holds narrow factors; None if factors stand alone.
        zero_point: What is subtracted from every left factor.
        bias: What is added to left factors in memory, which makes them unsigned. Products of the
            right factors with it and the zero point are subtracted from the sums.
    """

    register: str
    add: str
    multiply: str
    storage: str
    packing: Packing | None = None
    zero_point: int = 0
    bias: int = 0

    @property
    def scalar_factors(self) -> Sums:
        """The arithmetic on scalar factors, as they are packed: bytes with their zero point."""
        if not self.packing:
            return self
        zero_point = 0 if self.keeps_zero_point else self.zero_point
        return replace(self, storage=self.register, packing=None, zero_point=zero_point, bias=0)

    @property
    def factors(self) -> int:
        """How many factors an element holds."""
        return self.packing.count if self.packing else 1

    @property
    def is_in_tiles(self) -> bool:
        """Whether products are those of matrices in tile registers."""
        return self.packing is not None and self.packing.is_in_tiles

    @property
    def register_type(self) -> str:
        """The type of registers that hold factors."""
        return self.storage if self.packing else self.register

    @property
    def keeps_zero_point(self) -> bool:
        """Whether left factors in memory contain the zero point: there is no place for a sign."""
        return self.packing is not None and self.packing.bits <= BITS["i8"]

    @property
    def excess(self) -> int:
        """The number by which all left factors in memory are too large."""
        return self.bias + (self.zero_point if self.keeps_zero_point else 0)

    @property
    def is_corrected(self) -> bool:
        """Whether something is subtracted from the sums of packed factors."""
        return self.packing is not None and self.correction != 0

    @property
    def has_products(self) -> bool:
        """Whether products may be in a register of their own before they are added."""
        return self.packing is I16_PAIRS

    @property
    def correction(self) -> int:
        """The excess of all left factors of an ``i32``."""
        return self.repeat_factor(self.excess)

    def repeat_factor(self, number: int) -> int:
        """The bits of an ``i32`` whose factors are all one number."""
        assert self.packing is not None
        bits = self.packing.bits
        one = number & (1 << bits) - 1
        return sum(one << bits * i for i in range(self.packing.count))

    def add_product(
        self, buffer: Buffer, place: Expression, lhs: Expression, rhs: Expression
    ) -> Statement:
        """Adds a product to a sum."""
        if not self.packing:
            return Fold(buffer, place, self.add, self.product(lhs, rhs), fused=True)
        table, operator = place.table, self.packing.operator
        return StoreElement(
            buffer, place, table.apply(operator, table.load_at(buffer, place), lhs, rhs)
        )

    def pack_factors(self, factors: Sequence[Expression]) -> Expression:
        """Factors in an ``i32``, the first one in the lowest bits."""
        return side_by_side([self.narrow_factor(factor) for factor in factors])

    def narrow_factor(self, value: Expression) -> Expression:
        """A factor as memory holds it among others."""
        assert self.packing is not None
        if self.register == "f32":
            return value.table.encode(value, "bf16")
        element = self.packing.element
        is_wide = value.operator in ("sext", "zext") and value.operands[0].type == element
        return value.operands[0] if is_wide else value.table.convert("trunc", value, element)

    def add_bias(self, value: Expression) -> Expression:
        """Left factors with the bias added, alone or packed."""
        if not self.bias:
            return value
        is_alone = self.packing is not None and value.type == self.packing.element
        bits = self.bias if is_alone else self.repeat_factor(self.bias)
        return value.table.apply("xor", value, value.table.bits(bits, value.type))

    def product(self, lhs: Expression, rhs: Expression) -> Expression:
        """Multiplies two elements by the operator of this element type."""
        return lhs.table.apply(self.multiply, lhs, rhs)

    def zero(self, table: Expressions) -> Expression:
        """The value of an empty sum."""
        return table.bits(0, self.register)

    def factor(self, value: Expression, tensor: Tensor) -> Expression:
        """An element of an operand in the type of products."""
        kind = category(element_type(tensor))
        if value.type == self.register:
            return value
        target = "float" if self.register == "f32" else kind
        return change_category(value, kind, target, self.register)

    def left_factor(self, value: Expression, tensor: Tensor) -> Expression:
        """An element of the left operand in the type of products, without the zero point.

        That of packed bytes is subtracted from their sums.
        """
        factor = self.factor(value, tensor)
        if self.keeps_zero_point or not self.zero_point:
            return factor
        return factor - self.zero_point

    def left_stored(self, value: Expression) -> Expression:
        """A left factor as memory holds it, alone or among others."""
        return self.add_bias(self.narrow_factor(value)) if self.packing else self.to_memory(value)

    def to_memory(self, value: Expression) -> Expression:
        """A factor as memory holds it."""
        return value.table.convert("zext", value, "i8") if self.register == "i1" else value

    def from_memory(self, value: Expression) -> Expression:
        """A factor that memory holds."""
        if self.register != "i1":
            return value
        return value.table.apply("ne", value, value.table.bits(0, "i8"))

    def round_sum(self, value: Expression, tensor: Tensor) -> Expression:
        """A sum as an element of the result: rounded once."""
        element = element_type(tensor)
        if self.register == "f32" and isinstance(element, IntegerType):
            return value.table.convert("fptosi_in_range", value, "i32")
        return convert_register(value, category(element), element)

    def result(self, value: Expression, tensor: Tensor) -> Expression:
        """The same as memory holds it."""
        return represent_elements(tensor).narrow(self.round_sum(value, tensor))


def side_by_side(parts: Sequence[Expression]) -> Expression:
    """The parts of an ``i32``, the lowest first."""
    table, bits = parts[0].table, BITS["i32"] // len(parts)
    lowest, *others = [table.convert("zext", part, "i32") for part in parts]
    result = lowest
    for i, part in enumerate(others, start=1):
        result = result | table.apply("shl", part, table.bits(bits * i, "i32"))
    return result


def sums_of(node: Node) -> Sums | None:
    """The multiply-accumulate arithmetic of a dot or a convolution; None if no kernel has it."""
    elements = [element_type(operand) for operand in (*node.operands[:2], *node.results)]
    kinds = [representation(element) for element in elements]
    if not same_kind(*elements) or any(kind is None or kind.parts > 1 for kind in kinds):
        return None
    left, right, result = elements
    match result:
        case IntegerType():
            register = kinds[2].register if kinds[2] is not None else ""
            if result.is_boolean:
                return Sums("i1", "or", "and", "i8")
            zero_point: int = getattr(node.operation, "zero_point", 0)
            return Sums(register, "add", "mul", register, zero_point=zero_point)
        case FloatType():
            register = float_sums(node, left, right, result)
            return Sums(register, "fadd", "fmul", register) if register else None
        case _:
            return None


def float_sums_of_bytes(node: Node, sums: Sums, products: int) -> Sums | None:
    """The same sums of a few products of bytes in floats, which hold them; None for others.

    Args:
        node: A convolution.
        sums: Its arithmetic.
        products: The products of a sum.
    """
    factors = [element_type(operand) for operand in node.operands[:2]]
    if sums.register != "i32" or products > MOST_EXACT:
        return None
    if not all(isinstance(factor, IntegerType) and 1 < factor.bits <= 8 for factor in factors):
        return None
    return replace(sums, register="f32", add="fadd", multiply="fmul", storage="f32")


def packed_sums(
    node: Node, sums: Sums, instructions: Container[str], depth: Sequence[int]
) -> Sums | None:
    """The same sums by packed factors; None if factors are not narrow, or no instruction adds them.

    Args:
        node: A dot or a convolution.
        sums: Its arithmetic.
        instructions: The operators that are instructions of the machine.
        depth: How many factors of each operand are neighbors in the innermost summed dimension.
    """
    if sums.register not in ("f32", "i32") or len(set(depth)) != 1:
        return None
    left, right = (element_type(operand) for operand in node.operands[:2])
    for packing in packings_of(left, right):
        if packing.operator in instructions and depth[0] % packing.count == 0 < depth[0]:
            is_signed = isinstance(left, IntegerType) and not left.is_unsigned
            bias = 1 << packing.bits - 1 if packing.is_left_unsigned and is_signed else 0
            return replace(sums, storage="i32", packing=packing, bias=bias)
    return None


def tile_sums(node: Node, sums: Sums, instructions: Container[str]) -> Sums | None:
    """The same sums in tile registers; None if factors are not narrow, or there are no tiles."""
    left, right = (element_type(operand) for operand in node.operands[:2])
    packing: Packing | None = None
    match left, right:
        case FloatType("bf16"), FloatType("bf16"):
            if "tile_of_bfloat16" in instructions and sums.register == "f32":
                packing = TILES_OF_BFLOAT
        case IntegerType(), IntegerType():
            is_known = "tile_of_i8" in instructions and sums.register == "i32"
            is_narrow = 1 < min(left.bits, right.bits) <= max(left.bits, right.bits) <= 8
            if is_known and is_narrow:
                packing = TILES_OF_I8[left.is_unsigned, right.is_unsigned]
        case _:
            pass
    return replace(sums, storage="i32", packing=packing) if packing else None


def packings_of(left: ElementType, right: ElementType) -> Iterator[Packing]:
    """The packings that hold the factors of two element types, the narrowest first.

    Of those of one width the first are those that need no bias.
    """
    match left, right:
        case FloatType("bf16"), FloatType("bf16"):
            yield BFLOAT_PAIRS
        case IntegerType(), IntegerType():
            widths = [factor.bits + factor.is_unsigned for factor in (left, right)]
            if left.is_boolean or right.is_boolean:
                return
            if max(widths) <= SIGNED_I8_QUADS.bits:
                yield SIGNED_I8_QUADS
            if left.is_unsigned and right.is_unsigned and max(left.bits, right.bits) <= 8:
                yield UNSIGNED_I8_QUADS
            if left.bits <= I8_QUADS.bits and widths[1] <= I8_QUADS.bits:
                yield I8_QUADS
            if max(widths) <= I16_PAIRS.bits:
                yield I16_PAIRS
        case _:
            pass


def float_sums(node: Node, left: ElementType, right: ElementType, result: FloatType) -> str:
    """The register type in which floats are accumulated; empty if they do not fit."""
    algorithm: DotAlgorithm | None = getattr(node.operation, "algorithm", None)
    if algorithm is None:
        return "f64" if sum_dtype(result, left, right).itemsize == 8 else "f32"
    return algorithm_sums(algorithm, left, right, result)


def algorithm_sums(
    algorithm: DotAlgorithm, left: ElementType, right: ElementType, result: FloatType
) -> str:
    """The type of sums of an algorithm that rounds no operand and multiplies once."""
    accumulation = algorithm.accumulation_type
    fits = keeps(algorithm.lhs_precision_type, left) and keeps(algorithm.rhs_precision_type, right)
    if algorithm.num_primitive_operations != 1 or not fits:
        return ""
    if accumulation == F64:
        return "f64"
    return "f32" if accumulation in (F32, result) else ""


def keeps(precision: object, element: ElementType) -> bool:
    """Whether rounding to a precision changes no element of a type."""
    is_narrow = isinstance(element, FloatType) and element.bits < F32.bits
    return precision in (element, F64) or (precision == F32 and is_narrow)
