"""stablehlo-refine-shapes: the shapes that follow from the types of the entry's arguments.

The entry is walked in order with the types that arrive: each operation is taken with refined
operands, its result types are inferred again, computations of sizes are evaluated. Functions are
refined for the types they are called with, regions for the values that go into them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, UnsupportedError, VerifyError
from stablemate.dialects.func import Call, FuncOp
from stablemate.dialects.refinement import declared_types, refine_type, refined_types
from stablemate.dialects.shape.witnesses import Assuming
from stablemate.dialects.stablehlo.composite import Composite
from stablemate.dialects.stablehlo.convert import Convert
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.while_ import While
from stablemate.dialects.tensor import Cast
from stablemate.ir.attributes import SymbolAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Block, BlockArgument, Module, Operation, Region, Value
from stablemate.ir.definition import Op, definition_of
from stablemate.ir.equality import Form, VerifiedForms
from stablemate.ir.kinds import FUNCTION_TYPE
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.type_rules import broken_rule, rule_diagnostic
from stablemate.ir.types import DYNAMIC, FunctionType, TensorType, Type
from stablemate.ir.verifier import operation_errors
from stablemate.numerics.elements import QuantizedType
from stablemate.transforms.dead_code import remove_dead_code
from stablemate.transforms.refinement.custom_calls import static_operation
from stablemate.transforms.refinement.functions import (
    RefinedFunctions,
    Use,
    function_attributes,
    reachable_functions,
    use_of,
    without_positions,
)
from stablemate.transforms.refinement.knowledge import (
    CONSTANTS,
    can_be_written,
    constant_of,
    constant_results,
)
from stablemate.transforms.stablehlo_check_shape_assertions import refuse_failed_assertion
from stablemate.transforms.stablehlo_refine_arguments import (
    OPERAND_WRAPPER,
    is_refinement,
    refinement_target,
    with_body,
    with_refined_arguments,
)

DEEPEST: Final = 20  # blocks within which a callee is refined at its call
# The families of operations whose rules and types depend on types, attributes and constants alone.
OF_TYPES: Final = frozenset({"contraction", "elementwise", "movement"})


def refine_shapes(
    module: Module,
    entry: str | None = None,
    refinement: type[FunctionRefinement] | None = None,
    types: Sequence[Type] | None = None,
) -> Module:
    """The module with the shapes that follow from the argument types of its entry.

    Args:
        module: The module.
        entry: The function; by default ``main``, or the only one.
        refinement: What refines a function; it may know more than the shapes.
        types: A type for each argument of the entry; by default the declared ones.

    Raises:
        ArgumentValueError: There is no entry, or a type does not refine the argument's.
        VerifyError: Under these types an operation breaks a rule.
        UnsupportedError: A function calls itself, or has no body.
        LimitError: Calls and regions are nested too deeply.
    """
    target = refinement_target(module, entry)
    if types is not None:
        target = with_refined_arguments(target, types)
    refining = ModuleRefinement(RefinedFunctions(module, target), refinement or FunctionRefinement)
    try:
        refining.refine(Use(target.symbol, 0, (), target.type.inputs), target)
    except RecursionError:
        raise LimitError("calls and regions are nested too deeply to be refined") from None
    return refining.assemble(module, target.symbol)


class DeferredCalleeError(Exception):
    """A function has to be refined before its caller, which is too deep in calls and regions.

    Attributes:
        use: How it is called.
        caller: The call.
    """

    def __init__(self, use: Use, caller: Operation) -> None:
        super().__init__()
        self.use = use
        self.caller = caller


class ModuleRefinement:
    """Functions of a module, refined as they are called.

    Attributes:
        functions: What they were.
        refinement: What refines a function.
        specializations: The function for each use: refined, or refined up to a call whose callee
            it waits for.
        inferred: The refined result types of operations by what they depend on.
        verified: The forms of operations that can be executed.
        active: The names of the functions that are being refined, callers first.
        depth: How many blocks contain, or call, what is being refined.
    """

    def __init__(self, functions: RefinedFunctions, refinement: type[FunctionRefinement]) -> None:
        self.functions = functions
        self.refinement = refinement
        self.specializations: dict[Use, RefinedFunction | FunctionRefinement] = {}
        self.inferred: dict[Form, list[Type]] = {}
        self.verified = VerifiedForms()
        self.active: dict[str, None] = {}
        self.depth = 0

    def refine(self, use: Use, caller: Operation) -> None:
        """Refines a function and those that it calls.

        A callee below ``DEEPEST`` blocks is refined first, then its callers go on.

        Raises:
            UnsupportedError: One calls itself, or has no body.
        """
        pending = [(use, caller, 0)]
        while pending:
            use, caller, callers = pending[-1]
            while len(self.active) > callers:
                self.active.popitem()
            self.depth = 0
            try:
                self.function(use, caller)
                pending.pop()
            except DeferredCalleeError as deferred:
                pending.append((deferred.use, deferred.caller, len(self.active)))

    def function(self, use: Use, caller: Operation) -> RefinedFunction:
        """The function for a use.

        Raises:
            UnsupportedError: It calls itself, or has no body.
            DeferredCalleeError: It has to be refined first.
        """
        known = self.specializations.get(use)
        if isinstance(known, RefinedFunction):
            return known
        function = self.functions.function(use.name, caller)
        if use.name in self.active:
            path = " -> ".join(f"@{name}" for name in (*self.active, use.name))
            raise UnsupportedError(f"a function cannot call itself: {path}", caller.span)
        if self.depth > DEEPEST:
            raise DeferredCalleeError(use, caller)
        self.active[use.name] = None
        refinement = known or self.refinement(self, self.functions.new_name(use))
        try:
            refined = refinement.function(function, use)
        except DeferredCalleeError:
            if known is None:
                self.specializations[use] = refinement
            raise
        del self.active[use.name]
        self.specializations[use] = refined
        return refined

    def refine_results(self, operation: Op) -> None:
        """Sets the refined result types of an operation on refined operands.

        Layers repeat: what looks like an operation before has its types, and breaks no rule either.

        Raises:
            VerifyError: The operands break a rule.
        """
        key = self.form_of(operation)
        known = None if key is None else self.inferred.get(key)
        if known is not None:
            operation.set_result_types(known)
            return
        refine_results(operation)
        if key is not None:
            self.inferred[key] = [value.type for value in operation.results]

    def form_of(self, operation: Op) -> Form | None:
        """All that rules and result types of an operation depend on; None if it may be more."""
        if definition_of(operation).family not in OF_TYPES:
            return None
        return self.verified.form_of(operation)

    def assemble(self, module: Module, entry: str) -> Module:
        """The module with the refined functions where the former ones stood."""
        by_name: dict[str, list[FuncOp]] = {}
        for use, refined in self.specializations.items():
            assert isinstance(refined, RefinedFunction)
            by_name.setdefault(use.name, []).append(refined.function)
        body = Block()
        for operation in module.body.operations:
            name = operation.symbol if isinstance(operation, FuncOp) else ""
            functions = by_name.get(name, [])
            if not functions or name in self.functions.needed:
                body.append(Rewriting({}).copy_operation(operation))
            for function in functions:
                body.append(function)
        assembled = with_body(module, body)
        remove_dead_code(assembled)
        names = {function.symbol for functions in by_name.values() for function in functions}
        return without_uncalled(assembled, names - {entry})


def without_uncalled(module: Module, names: Collection[str]) -> Module:
    """The module without those of the named functions that are private and not called."""
    functions = {
        operation.symbol: operation
        for operation in module.body.operations
        if isinstance(operation, FuncOp)
    }
    private = {name for name in names if functions[name].sym_visibility == "private"}
    reached = reachable_functions([name for name in functions if name not in private], functions)
    if reached >= private:
        return module
    body, rewriting = Block(), Rewriting({})
    for operation in module.body.operations:
        if not isinstance(operation, FuncOp) or operation.symbol in reached:
            body.append(rewriting.copy_operation(operation))
    return with_body(module, body)


class RefinedFunction(NamedTuple):
    """A function for a use.

    Attributes:
        function: The function.
        results: What is known of its results: None where nothing is.
    """

    function: FuncOp
    results: Sequence[Any]


class FunctionRefinement:
    """One function, refined for one use.

    Attributes:
        module: The module that it belongs to.
        name: What the refined function is called.
        body: The new body, as far as it is refined.
        placed: How many operations of the former body it stands for.
        values: The refined value of each former one.
        constants: The values of refined values that are constant.
    """

    def __init__(self, module: ModuleRefinement, name: str) -> None:
        self.module = module
        self.name = name
        self.body: Block | None = None
        self.placed = 0
        self.values: dict[Value[Type], Value[Type]] = {}
        self.constants: dict[Value[Type], Any] = {}

    def function(self, function: FuncOp, use: Use) -> RefinedFunction:
        """The refined function.

        Raises:
            DeferredCalleeError: A callee has to be refined first; the next call goes on there.
        """
        new = self.body = self.body or self.begun(function, use)
        self.fill_further(function.body.block, new)
        returned = new.terminator.operands
        signature = FunctionType(use.types, tuple(value.type for value in returned))
        attributes = function_attributes(function, self.name, use.dropped)
        attributes["function_type"] = FUNCTION_TYPE.attribute(signature)
        func_op = FuncOp(
            (),
            (),
            attributes,
            [Region([new])],
            discardable=function.discardable,
            location=function.location,
            span=function.span,
            parts=function.parts,
        )
        return RefinedFunction(func_op, [self.constants.get(value) for value in returned])

    def begun(self, function: FuncOp, use: Use) -> Block:
        """A body with the refined arguments, and constants for those that are known."""
        old, dropped = function.body.block, use.dropped
        kept = [a for i, a in enumerate(old.arguments) if i not in dropped]
        new = Block(use.types, [argument.location for argument in kept])
        self.values.update(zip(kept, new.arguments, strict=True))
        builder = Builder(new, function.location, function.span)
        for position, size in zip(dropped, use.sizes, strict=True):
            argument: BlockArgument[TensorType] = old.arguments[position]
            number = np.asarray(size).astype(argument.type.element_type.dtype)
            self.learn(argument, number, argument.type, builder)
        return new

    def learn(self, old: Value[Type], value: object, value_type: Type, builder: Builder) -> None:
        """Replaces a value by a constant."""
        self.values[old] = self.constant(value, value_type, builder)

    def constant(self, value: object, value_type: Type, builder: Builder) -> Value:
        """Creates a constant and remembers its value."""
        constant = constant_of(value, value_type, builder)
        self.constants[constant] = value
        return constant

    # ---- operations

    def fill(self, old: Block, new: Block) -> None:
        """Refines the operations of a block into a new one."""
        self.module.depth += 1
        for operation in old.operations:
            self.place(operation, new)
        self.module.depth -= 1

    def fill_further(self, old: Block, new: Block) -> None:
        """Refines the operations of the former body that are not in the new one yet.

        Raises:
            DeferredCalleeError: A callee has to be refined first; its call is not in the new body.
        """
        self.module.depth += 1
        for operation in old.operations[self.placed :]:
            before = len(new.operations)
            try:
                self.place(operation, new)
            except DeferredCalleeError:
                del new.operations[before:]
                raise
            self.placed += 1
        self.module.depth -= 1

    def place(self, operation: Operation, block: Block) -> None:
        """Appends a refined operation, or its replacement, to a new block."""
        match operation:
            case CustomCall():
                self.place_custom_call(operation, block)
            case Call():
                self.place_call(operation, block)
            case Composite():
                self.place_composite(operation, block)
            case While():
                self.place_while(operation, block)
            case Assuming() if self.constants.get(self.operands(operation)[0]) is True:
                self.place_assumed(operation, block)
            case _:
                self.place_plain(operation, block)

    def operands(self, operation: Operation) -> list[Value]:
        """The refined operands of a former operation."""
        return [self.values.get(value, value) for value in operation.operands]

    def copy(
        self,
        operation: Operation,
        operands: Sequence[Value],
        regions: Sequence[Region],
        result_types: Sequence[Type] | None = None,
    ) -> Any:
        """The operation with other operands and regions; by default with its declared types."""
        if result_types is None:
            result_types = [value.type for value in operation.results]
        return type(operation)(
            operands,
            result_types,
            operation.attributes,
            regions,
            discardable=operation.discardable,
            location=operation.location,
            span=operation.span,
            parts=operation.parts,
        )

    def append_refined(self, operation: Operation, copy: Operation, block: Block) -> None:
        """Appends a refined operation to a new block."""
        block.append(copy)
        self.values.update(zip(operation.results, copy.results, strict=True))

    def place_plain(self, operation: Operation, block: Block) -> None:
        """Infers the result types again; replaces results by constants where they are known."""
        regions = [self.region(region) for region in operation.regions]
        copy = self.copy(operation, self.operands(operation), regions)
        numbers: Sequence[Any] | None = None
        if isinstance(copy, Op) and not copy.definition.terminator:
            copy.parent = operation.parent  # where its rules look for symbols
            self.module.refine_results(copy)
            numbers = constant_results(copy, self.constants)
        if is_identity(copy) and not is_identity(operation):
            self.values[operation.results[0]] = copy.operands[0]
            return
        if numbers is None or operation.name in CONSTANTS or not all(map(can_be_written, numbers)):
            self.append_refined(operation, copy, block)
            self.constants.update(zip(copy.results, numbers or (), strict=False))
            return
        builder = Builder(block, operation.location, operation.span)
        for old, new, value in zip(operation.results, copy.results, numbers, strict=True):
            self.learn(old, value, new.type, builder)

    def region(self, region: Region, types: Sequence[Type] | None = None) -> Region:
        """A refined region; its arguments have the given types, or those they had."""
        blocks: list[Block] = []
        for old in region.blocks:
            block_types = types or [argument.type for argument in old.arguments]
            new = Block(block_types, [argument.location for argument in old.arguments])
            self.values.update(zip(old.arguments, new.arguments, strict=True))
            self.fill(old, new)
            blocks.append(new)
        return Region(blocks)

    def place_custom_call(self, operation: CustomCall, block: Block) -> None:
        """Propagates the refined type of an argument.

        Replaces calls with known sizes by static ones.
        """
        operands = self.operands(operation)
        if operation.call_target_name == OPERAND_WRAPPER and is_refinement(
            operation.results[0].type, operands[0].type
        ):
            self.values[operation.results[0]] = operands[0]
            return
        call = self.copy(operation, operands, ())
        refuse_failed_assertion(call)
        static = static_operation(call, self.constants, self.module.functions.declared)
        if static is None:
            self.place_plain(operation, block)
        else:
            static.parent = operation.parent
            refine_results(static)
            self.append_refined(operation, static, block)

    def place_assumed(self, operation: Assuming, block: Block) -> None:
        """Inlines the region of an assumption that holds."""
        *inner, end = operation.doRegion.block.operations
        for nested in inner:
            self.place(nested, block)
        self.values.update(zip(operation.results, self.operands(end), strict=True))

    def place_call(self, operation: Call, block: Block) -> None:
        """Calls the function for these types, without the sizes that are known."""
        operands = self.operands(operation)
        use = use_of(operation, operands, self.constants)
        function, results = self.module.function(use, operation)
        dropped = use.dropped
        kept = [value for i, value in enumerate(operands) if i not in dropped]
        copy = self.copy(operation, kept, (), function.type.results)
        copy.attributes["callee"] = SymbolAttribute(function.symbol)
        left = without_positions(copy.attributes.get("arg_attrs"), dropped)
        if left is not None:
            copy.attributes["arg_attrs"] = left
        self.append_refined(operation, copy, block)
        builder = Builder(block, operation.location, operation.span)
        for old, new, value in zip(operation.results, copy.results, results, strict=True):
            if value is not None and can_be_written(value):
                self.learn(old, value, new.type, builder)

    def place_composite(self, operation: Composite, block: Block) -> None:
        """Refines the decomposition; the operands stay."""
        operands = self.operands(operation)
        types = tuple(value.type for value in operands)
        use = Use(operation.decomposition, 0, (), types)
        function, _ = self.module.function(use, operation)
        regions = [self.region(region) for region in operation.regions]
        copy = self.copy(operation, operands, regions, function.type.results)
        copy.attributes["decomposition"] = SymbolAttribute(function.symbol)
        self.append_refined(operation, copy, block)

    def place_while(self, operation: While, block: Block) -> None:
        """Refines a loop for the types that all its iterations keep.

        The state begins with the types of the operands; what the body returns otherwise is widened
        until nothing changes.
        """
        operands = self.operands(operation)
        declared: list[Type] = [value.type for value in operation.results]
        state = [refine_type(a, b.type) for a, b in zip(declared, operands, strict=True)]
        while True:
            cond, body = (self.region(region, state) for region in operation.regions)
            returned: list[Type] = [value.type for value in body.block.terminator.operands]
            wider = [
                refine_type(result_type, joined_type(now, then))
                for result_type, now, then in zip(declared, state, returned, strict=True)
            ]
            if wider == state:
                break
            state = wider
        builder = Builder(block, operation.location, operation.span)
        initial = [loosen_type(value, t, builder) for value, t in zip(operands, state, strict=True)]
        copy = self.copy(operation, initial, [cond, body], state)
        refuse_broken(copy)
        self.append_refined(operation, copy, block)


def loosen_type(value: Value[Type], value_type: Type, builder: Builder) -> Value[Type]:
    """The value under a type that leaves sizes open: a loop has its state and operands alike."""
    if value.type == value_type or not isinstance(value_type, TensorType):
        return value
    quantized = isinstance(value_type.element_type, QuantizedType)
    if quantized:  # which convert does not take
        return builder.create(Cast, source=value, results=[value_type]).result
    return builder.create(Convert, operand=value, results=[value_type]).result


def is_identity(operation: Operation) -> bool:
    """Whether this is a conversion between equal types."""
    converts = isinstance(operation, Cast | Convert)
    return converts and operation.operands[0].type == operation.results[0].type


def joined_type(now: Type, then: Type) -> Type:
    """The type of a value that is of one type now and may be of another one later.

    Sizes that differ are left open, without a bound: these could grow for ever.
    """
    if not isinstance(now, TensorType) or not isinstance(then, TensorType) or now == then:
        return now
    sizes = zip(now.shape, then.shape, strict=True)
    return now.with_shape([a if a == b else DYNAMIC for a, b in sizes])


def refuse_broken(operation: Operation) -> None:
    """Refuses an operation that breaks a rule.

    Raises:
        VerifyError: It does.
    """
    for broken in operation_errors(operation):
        raise VerifyError(broken)


def refine_results(operation: Op) -> None:
    """Sets the refined result types of an operation on refined operands.

    Raises:
        VerifyError: The operands break a rule.
    """
    operation.set_result_types(declared_types(operation))
    refuse_broken(operation)
    operation.set_result_types(refined_types(operation))
    for value in operation.results:
        if isinstance(value.type, TensorType) and (rule := broken_rule(value.type)) is not None:
            raise VerifyError(at_operation(rule_diagnostic(rule, operation.span), operation))


def at_operation(broken: Diagnostic, operation: Op) -> Diagnostic:
    """The diagnostic of an invalid type, at the operation that defines the value."""
    return replace(broken, rule=f"{operation.name} {broken.rule}")
