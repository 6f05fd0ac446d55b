"""The names that MLIR's printer gives to values.

The arguments and results of a block are named before the regions nested in it. In the declared form
sibling regions start from the same counters, and a name that is in use gets the suffix ``_K``, with
one counter K per scope. In the generic form all results have consecutive numbers in the whole
module; the regions nested in a block are visited from the last to the first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from stablemate.ir.attributes import DenseArrayAttribute, IntegerAttribute
from stablemate.ir.core import BlockArgument, Module, Operation, OpResult, Region, Value
from stablemate.ir.types import Type
from stablemate.numerics.elements import IndexType, IntegerType


def dense_constant_name(operation: Operation) -> Sequence[str]:
    """``c`` for integers, ``cst`` for all else."""
    element = getattr(operation.results[0].type, "element_type", operation.results[0].type)
    return ("c",) if isinstance(element, IntegerType | IndexType) else ("cst",)


def scalar_constant_name(operation: Operation) -> Sequence[str]:
    """``c5_i32``, ``true``, ``c5`` for an index, else ``cst``."""
    value = operation.attributes.get("value")
    if not isinstance(value, IntegerAttribute):
        return ("cst",)
    if value.type.is_boolean:
        return ("true" if value.value else "false",)
    suffix = "" if isinstance(value.type, IndexType) else f"_{value.type}"
    return (f"c{value.value}{suffix}",)


def size_constant_name(operation: Operation) -> Sequence[str]:
    """``c10``."""
    value = operation.attributes.get("value")
    return (f"c{value.value}",) if isinstance(value, IntegerAttribute) else ()


RESULT_NAMES: Final[Mapping[str, Sequence[str] | Callable[[Operation], Sequence[str]]]] = {
    "stablehlo.constant": dense_constant_name,
    "func.constant": ("f",),
    "chlo.constant": (),
    "arith.constant": scalar_constant_name,
    "arith.addui_extended": ("sum", "overflow"),
    "arith.mulsi_extended": ("low", "high"),
    "arith.mului_extended": ("low", "high"),
    "arith.subui_extended": ("diff", "borrow"),
    "shape.const_size": size_constant_name,
    "shape.split_at": ("head", "tail"),
    "stablehlo.rng_bit_generator": ("output_state", "output"),
    "stablehlo.batch_norm_training": ("output", "batch_mean", "batch_var"),
    "stablehlo.batch_norm_grad": ("grad_operand", "grad_scale", "grad_offset"),
    "vhlo.rng_bit_generator_v1": ("output_state", "output"),
    "vhlo.batch_norm_training_v1": ("output", "batch_mean", "batch_var"),
    "vhlo.batch_norm_grad_v1": ("grad_operand", "grad_scale", "grad_offset"),
    "chlo.top_k": ("values", "indices"),
    "mhlo.topk": ("values", "indices"),
    "tensor.dim": ("dim",),
    "tensor.extract": ("extracted",),
    "tensor.from_elements": ("from_elements",),
    "tensor.cast": ("cast",),
    "tensor.rank": ("rank",),
    "tensor.insert": ("inserted",),
    "tensor.extract_slice": ("extracted_slice",),
    "tensor.insert_slice": ("inserted_slice",),
    "tensor.collapse_shape": ("collapsed",),
    "tensor.expand_shape": ("expanded",),
    "tensor.reshape": ("reshape",),
    "tensor.splat": ("splat",),
    "tensor.generate": ("generated",),
    "tensor.pad": ("padded",),
    "tensor.concat": ("concat",),
    "complex.constant": ("cst",),
    "memref.alloc": ("alloc",),
    "memref.alloca": ("alloca",),
    "memref.cast": ("cast",),
    "memref.dim": ("dim",),
    "memref.subview": ("subview",),
    "memref.collapse_shape": ("collapse_shape",),
    "memref.expand_shape": ("expand_shape",),
    "memref.memory_space_cast": ("memspacecast",),
    "memref.reshape": ("reshape",),
    "memref.view": ("view",),
    "memref.extract_aligned_pointer_as_index": ("intptr",),
    "math.sincos": ("sin", "cos"),
}
ARGUMENT_NAMES: Final[Mapping[str, Callable[[int, Operation], str]]] = {
    "stablehlo.while": lambda i, operation: "iterArg",
    "mpmd.for": lambda i, operation: "index" if i == len(operation.operands) else "",
    "chlo.scan": lambda i, operation: (
        "input" if i < len(operation.operands) - len(scan_carries(operation)) else "carry"
    ),
}


def scan_carries(operation: Operation) -> Sequence[object]:
    """Returns the operands that are carried from step to step."""
    sizes = operation.attributes.get("operandSegmentSizes")
    if not isinstance(sizes, DenseArrayAttribute) or not sizes.values:
        return ()
    return range(int(sizes.values[-1]))


class Namer:
    """Assigns names to all values in an operation.

    Attributes:
        names: ``%0``, or ``%0#1`` for one of several results that share a name.
        groups: The text left of the ``=`` of an operation.
    """

    def __init__(self, top: Operation, *, generic: bool = False) -> None:
        self.generic = generic
        self.names: dict[Value[Type], str] = {}
        self.groups: dict[Operation, str] = {}
        self.numbers = self.arguments = self.conflicts = 0
        self.used: list[set[str]] = []
        self.name_results(top)
        pending = [(region, 0, 0, 0, 0) for region in top.regions]
        while pending:
            region, numbers, arguments, conflicts, depth = pending.pop()
            if not generic:
                self.numbers, self.arguments, self.conflicts = numbers, arguments, conflicts
            del self.used[depth:]
            self.used.append(set())
            self.name_region(region)
            pending += [
                (inner, self.numbers, self.arguments, self.conflicts, depth + 1)
                for block in region.blocks
                for operation in block.operations
                for inner in operation.regions
            ]

    def name_region(self, region: Region) -> None:
        """Names the arguments and results of all blocks of a region."""
        for i, block in enumerate(region.blocks):
            for argument in block.arguments:
                if i == 0:
                    self.name_entry_argument(argument, region)
                else:
                    self.names[argument] = self.number()
            for operation in block.operations:
                if operation.results:
                    self.name_results(operation)

    def name_entry_argument(self, argument: BlockArgument, region: Region) -> None:
        """Names an argument of an entry block."""
        parent = region.parent
        suggest = ARGUMENT_NAMES.get(parent.name) if parent and not self.generic else None
        suggested = "" if suggest is None or parent is None else suggest(argument.index, parent)
        if suggested:
            self.names[argument] = self.unique(suggested)
        else:
            self.names[argument] = self.unique(f"arg{self.arguments}")
            self.arguments += 1

    def name_results(self, operation: Operation) -> None:
        """Names the results of an operation: one name for all, or a name each."""
        results = operation.results
        if not results:
            return
        suggested = () if self.generic else RESULT_NAMES.get(operation.name, ())
        names = suggested(operation) if callable(suggested) else suggested
        if len(names) == len(results):
            texts = [self.unique(name) for name in names]
            self.names.update(zip(results, texts, strict=True))
            self.groups[operation] = ", ".join(texts)
            return
        name = self.number()
        if len(results) == 1:
            self.names[results[0]] = self.groups[operation] = name
            return
        self.groups[operation] = f"{name}:{len(results)}"
        self.names.update((result, f"{name}#{i}") for i, result in enumerate(results))

    def number(self) -> str:
        """Returns the next number as a name."""
        self.numbers += 1
        return f"%{self.numbers - 1}"

    def unique(self, name: str) -> str:
        """Returns the name, or the name with the next ``_K`` if it is in use."""
        candidate = name
        while any(candidate in names for names in self.used):
            candidate = f"{name}_{self.conflicts}"
            self.conflicts += 1
        if self.used:
            self.used[-1].add(candidate)
        return f"%{candidate}"


def value_names(module: Module) -> Callable[[Value[Type]], str]:
    """Returns a function that names values as the printed module does."""
    namer = cache(lambda: Namer(module.operation))  # created at the first use

    def name_of(value: Value[Type]) -> str:
        if isinstance(value, OpResult):
            return namer().groups[value.operation]
        return namer().names[value]

    return name_of
