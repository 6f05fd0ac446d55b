"""The directives by the names that declared syntaxes use."""

from __future__ import annotations

from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.formats.mlir.chlo_directives import CHLO_DIRECTIVES
from stablemate.formats.mlir.directives.arithmetic import (
    CarryTypes,
    CastTypes,
    ConditionalTypes,
    Exact,
    FastMath,
    NonNegative,
    Overflow,
    Predicate,
    Rounding,
    TypedConstant,
)
from stablemate.formats.mlir.directives.calls import Callee, CompositeName, CustomCallTarget
from stablemate.formats.mlir.directives.contraction import (
    ConvDimensions,
    DotAlgorithm,
    DotDimensions,
    WindowAttributes,
)
from stablemate.formats.mlir.directives.functions import Function, Module
from stablemate.formats.mlir.directives.inference import Inferred, OperandType
from stablemate.formats.mlir.directives.literals import Constant, TypedLiteral
from stablemate.formats.mlir.directives.loops import While
from stablemate.formats.mlir.directives.numbers import ExponentMantissa, TupleIndex
from stablemate.formats.mlir.directives.operand_types import (
    ChloTypes,
    ComplexTypes,
    OptionalTypes,
    SelectTypes,
    TokenTypes,
    TupleOfOperands,
)
from stablemate.formats.mlir.directives.operands import BarrierOperands, UnrealizedConversionCast
from stablemate.formats.mlir.directives.reduction import Reduce
from stablemate.formats.mlir.directives.shapes import (
    Assuming,
    ConstShape,
    IndexNumber,
    Indices,
    OperandTypesArrow,
    ShapeReduce,
)
from stablemate.formats.mlir.directives.sharding import SDY_DIRECTIVES
from stablemate.formats.mlir.directives.slices import DynamicSliceIndices, SliceRanges
from stablemate.formats.mlir.directives.vhlo import VHLO_DIRECTIVES

DIRECTIVES: Final[dict[str, Directive]] = {
    "Module": Module(),
    "Function": Function(),
    "While": While(),
    "Reduce": Reduce(),
    "SliceRanges": SliceRanges(),
    "DynamicSliceIndices": DynamicSliceIndices(),
    "DotDimensions": DotDimensions(),
    "DotAlgorithm": DotAlgorithm(),
    "ConvDimensions": ConvDimensions(),
    "WindowAttributes": WindowAttributes(),
    "Constant": Constant(),
    "ComplexTypes": ComplexTypes(),
    "SelectTypes": SelectTypes(),
    "ExponentMantissa": ExponentMantissa(),
    "TupleIndex": TupleIndex(),
    "TupleTypes": TupleOfOperands(),
    "BarrierOperands": BarrierOperands(),
    "CustomCallTarget": CustomCallTarget(),
    "Callee": Callee(),
    "Composite": CompositeName(),
    "OptionalTypes": OptionalTypes(),
    "TokenTypes": TokenTypes(),
    "ChloTypes": ChloTypes(),
    **CHLO_DIRECTIVES,
    **SDY_DIRECTIVES,
    **VHLO_DIRECTIVES,
    "UnrealizedConversionCast": UnrealizedConversionCast(),
    "TypedLiteral": TypedLiteral(),
    "Overflow": Overflow(),
    "FastMath": FastMath(),
    "Exact": Exact(),
    "NonNegative": NonNegative(),
    "RoundingMode": Rounding(),
    "Predicate": Predicate(),
    "Inferred": Inferred(),
    "OperandType": OperandType(),
    "Indices": Indices(),
    "CarryTypes": CarryTypes(),
    "CastTypes": CastTypes(),
    "ConditionalTypes": ConditionalTypes(),
    "TypedConstant": TypedConstant(),
    "ConstShape": ConstShape(),
    "IndexNumber": IndexNumber(),
    "OperandTypesArrow": OperandTypesArrow(),
    "Assuming": Assuming(),
    "ShapeReduce": ShapeReduce(),
}
