"""The directives by the names that declared syntaxes use, and the file of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.formats.mlir.assembly import Directive
from stablemate.lazy_imports import OnDemand, find_listed_part

# Only the files that a program's syntaxes use are imported.
FILES: Final = {
    "arithmetic": "CarryTypes CastTypes ConditionalTypes Exact FastMath NonNegative Overflow "
    "Predicate RoundingMode TypedConstant",
    "lowered.buffers": "Allocation Global GlobalName NewSize ViewPlace",
    "calls": "Callee CalleeType Composite CustomCallTarget IndirectCallee",
    "contraction": "ConvDimensions DotAlgorithm DotDimensions WindowAttributes",
    "lowered.forall": "ForallLoop ParallelInsertions",
    "functions": "Function Module",
    "inference": "Inferred OperandType",
    "lowered.jumps": "Branch FalseBranch SwitchCases TrueBranch Weights",
    "lowered.parallel": "LoopReductions ParallelLoop",
    "literals": "Constant TypedLiteral",
    "loops": "While",
    "mpmd": "Fragment FragmentOrigins MeshLoop MeshReduction OriginComputation ReturnedValues "
    "TensorName",
    "numbers": "ExponentMantissa TupleIndex",
    "operand_types": "ChloTypes ComplexTypes OptionalTypes SelectTypes TokenTypes TupleTypes",
    "operands": "BarrierOperands UnrealizedConversionCast",
    "reduction": "Reduce",
    "scan": "Scan",
    "shapes": "Assuming ConstShape IndexNumber Indices ListsOfTypes OperandTypesArrow ShapeReduce",
    "sharding": "AllowedDirection EdgeSharding GroupId ManualComputation Mesh MovedAxes "
    "NamedComputation OutSharding Reduction Sharding",
    "slices": "DynamicSliceIndices SliceRanges",
    "lowered.structured": "Conditional ExecutedRegion ForLoop IndexCases LoopCondition WhileLoop",
    "lowered.tensor_parts": "CastTypesOfFirst ConcatDimension Generated IntoTypes IntoTypesOfFirst "
    "OutputShape Padding Reassociation ReshapeOperands SlicePlace SplatSizes",
    "vhlo": "VhloFunction",
}
DIRECTIVES: Final[Mapping[str, Directive]] = OnDemand(
    {file: f"stablemate.formats.mlir.directives.{file}" for file in FILES},
    find_listed_part(FILES),
    lambda module: module.DIRECTIVES,
)
