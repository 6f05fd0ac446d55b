"""The language in which operations are defined.

An operation is a class whose fields are declared data::

    @op("stablehlo.concatenate")
    class Concatenate(Op):
        inputs = define.variadic("I1", TENSOR)
        dimension = define.attribute("I2", SI64)
        result = define.result(TENSOR, element_type="C5", shape="C6")

Parser, printer, builder, verifier and documentation read that one declaration. On an instance a
field is the value it names: ``op.inputs`` the operands, ``op.dimension`` an ``int``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.ir.attributes import integers_of
from stablemate.ir.core import Block, Operation, OpResult, Region, Value
from stablemate.ir.kinds import I32_ARRAY, AttributeKind, TypeConstraint
from stablemate.ir.request import Process, ProcessFunction, Request
from stablemate.ir.traits import NO_LAWS, NOT_LINEAR, Family, Laws, Linearity, Trait, Work
from stablemate.ir.types import Attribute, Type
from stablemate.numerics.size_arithmetic import SizeFunction

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
OpT = TypeVar("OpT", bound=type[Operation])

Arity = Literal["one", "optional", "variadic"]
Segments = Literal["none", "same", "sized"]


class Violation(NamedTuple):
    """The facts that break a constraint.

    Attributes:
        values: The facts by name.
        place: The operation inside that breaks it; None if it is the operation itself.
    """

    values: Mapping[str, object]
    place: Operation | None = None


Check: TypeAlias = Violation | None  # what a constraint returns: None when it holds


def holds(condition: bool, /, **values: object) -> Check:
    """The outcome of a constraint; ``values`` are the facts for the message."""
    return None if condition else Violation(values)


def fact_texts(violation: Violation) -> dict[str, object]:
    """The facts as diagnostics show them."""
    return {name: fact_text(value) for name, value in violation.values.items()}


def fact_text(value: object) -> object:
    """A fact as diagnostics show it: tuples in brackets, as the specification writes them."""
    match value:
        case tuple() | list():
            items = cast(Sequence[object], value)
            return f"[{', '.join(str(fact_text(item)) for item in items)}]"
        case bool():
            return "true" if value else "false"
        case _:
            return value


class Constraint(NamedTuple):
    """A numbered rule of an operation.

    Attributes:
        label: Its number in the specification, e.g. ``C4``.
        formula: The specification's formula.
        check: The method that checks it.
    """

    label: str
    formula: str
    check: Callable[..., Check]


CheckT = TypeVar("CheckT", bound=Callable[..., Check])


@overload
def constraint(label: CheckT, /) -> CheckT: ...
@overload
def constraint(label: str, /) -> Callable[[CheckT], CheckT]: ...
def constraint(label: str | Callable[..., Check], /) -> object:
    """Marks a method as a constraint, labeled by its name (``c4``) or by the given label.

    The docstring is the formula. The method may assume that operands and attributes are of the
    declared types, and that the constraints declared before it hold.
    """
    if not isinstance(label, str):
        return constraint(label.__name__.upper())(label)

    def mark(method: Callable[..., Check]) -> Callable[..., Check]:
        formula = " ".join((method.__doc__ or "").split())
        setattr(method, "constraint", Constraint(label, formula, method))  # noqa: B010
        return method

    return mark


class Field:
    """A declared part of an operation.

    Attributes:
        name: The specification's name for it.
        label: The specification's number for it, e.g. ``I1``; empty if it has none.
    """

    def __init__(self, label: str = "") -> None:
        self.name = ""
        self.label = label

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = self.name or name

    def with_name(self, name: str) -> Self:
        """The same field under a specification name that ``Operation`` itself uses otherwise."""
        self.name = name
        return self


class ValueField(Field):
    """Operands or results: their positions, and the types they may have.

    Attributes:
        arity: How many values it has.
        holds_sizes: Whether its elements are sizes of the results, or what these are computed from.
    """

    arity: Arity = "one"
    holds_sizes = False

    def __init__(self, label: str, types: TypeConstraint[object]) -> None:
        super().__init__(label)
        self.types = types
        self.position = 0  # number among the operand (or result) fields

    def as_sizes(self) -> Self:
        """The same field, whose elements are sizes of the results, or determine them."""
        self.holds_sizes = True
        return self


class Operand(ValueField, Generic[T]):
    """One operand."""

    @overload
    def __get__(self, op: None, owner: type) -> Operand[T]: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> Value[T]: ...
    def __get__(self, op: Operation | None, owner: type) -> Operand[T] | Value[T]:
        if op is None:
            return self
        if definition_of(op).operand_variadics == 0:
            return op.operands[self.position]
        return op.operands[operand_range(op, self.position)[0]]


class OptionalOperand(ValueField, Generic[T]):
    """One operand or none."""

    arity = "optional"

    @overload
    def __get__(self, op: None, owner: type) -> OptionalOperand[T]: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> Value[T] | None: ...
    def __get__(self, op: Operation | None, owner: type) -> OptionalOperand[T] | Value[T] | None:
        if op is None:
            return self
        start, end = operand_range(op, self.position)
        return op.operands[start] if end > start else None


class VariadicOperand(ValueField, Generic[T]):
    """Any number of operands."""

    arity = "variadic"

    @overload
    def __get__(self, op: None, owner: type) -> VariadicOperand[T]: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> tuple[Value[T], ...]: ...
    def __get__(
        self, op: Operation | None, owner: type
    ) -> VariadicOperand[T] | tuple[Value[T], ...]:
        if op is None:
            return self
        start, end = operand_range(op, self.position)
        return op.operands[start:end]


class Result(ValueField, Generic[T]):
    """One result.

    Attributes:
        element_type: Label of the constraint that fixes its element type.
        shape: Label of the constraint that fixes its shape, or its whole type.
    """

    def __init__(self, types: TypeConstraint[object], element_type: str, shape: str) -> None:
        super().__init__("", types)
        self.element_type = element_type
        self.shape = shape

    @overload
    def __get__(self, op: None, owner: type) -> Result[T]: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> OpResult[T]: ...
    def __get__(self, op: Operation | None, owner: type) -> Result[T] | OpResult[T]:
        return self if op is None else op.results[self.position]


class VariadicResult(ValueField, Generic[T]):
    """Any number of results; labels as in ``Result``. An operation has at most one such field."""

    arity = "variadic"

    def __init__(self, types: TypeConstraint[object], element_type: str, shape: str) -> None:
        super().__init__("", types)
        self.element_type = element_type
        self.shape = shape

    @overload
    def __get__(self, op: None, owner: type) -> VariadicResult[T]: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> tuple[OpResult[T], ...]: ...
    def __get__(
        self, op: Operation | None, owner: type
    ) -> VariadicResult[T] | tuple[OpResult[T], ...]:
        if op is None:
            return self
        following = len(definition_of(op).results) - self.position - 1
        return op.results[self.position : len(op.results) - following]


class AttributeField(Field, Generic[T_co]):
    """An attribute: on an instance its Python value, the default where it is absent.

    Attributes:
        kind: Which attributes are valid, and their Python values.
        required: Whether it must be present.
        default: Its value where it is absent.
        filled: Whether a new operation stores the default, as MLIR does for some.
    """

    def __init__(
        self,
        label: str,
        kind: AttributeKind[Any],
        default: T_co,
        *,
        required: bool = False,
        filled: bool = False,
    ) -> None:
        super().__init__(label)
        self.kind = kind
        self.required = required
        self.default = default
        self.filled = filled

    @overload
    def __get__(self, op: None, owner: type) -> AttributeField[T_co]: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> T_co: ...
    def __get__(self, op: Operation | None, owner: type) -> AttributeField[T_co] | T_co:
        if op is None:
            return self
        attribute = op.attributes.get(self.name)
        if attribute is None:
            return self.default
        value: T_co = self.kind.value(attribute)
        return value

    def is_default(self, attribute: Attribute) -> bool:
        """Whether a stored attribute equals the default."""
        if self.required or self.default is None:
            return False
        return self.kind.accepts(attribute) and bool(self.kind.value(attribute) == self.default)


class RegionField(Field):
    """One region or several.

    Attributes:
        empty: Whether it may have no blocks.
        terminated: Whether its blocks end with a terminator.
        several: Whether it may have more than one block.
    """

    def __init__(self, label: str, empty: bool, terminated: bool, several: bool) -> None:
        super().__init__(label)
        self.position = 0
        self.empty = empty
        self.terminated = terminated
        self.several = several


class SingleRegion(RegionField):
    """One region."""

    @overload
    def __get__(self, op: None, owner: type) -> SingleRegion: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> Region: ...
    def __get__(self, op: Operation | None, owner: type) -> SingleRegion | Region:
        return self if op is None else op.regions[self.position]


class VariadicRegion(RegionField):
    """Any number of regions, after the single ones."""

    @overload
    def __get__(self, op: None, owner: type) -> VariadicRegion: ...
    @overload
    def __get__(self, op: Operation, owner: type) -> tuple[Region, ...]: ...
    def __get__(self, op: Operation | None, owner: type) -> VariadicRegion | tuple[Region, ...]:
        return self if op is None else op.regions[self.position :]


class Define:
    """The constructors of fields, as ``define.operand(...)`` and so on."""

    def operand(self, label: str, types: TypeConstraint[T]) -> Operand[T]:
        """Declares one operand, with the specification's number and the types it may have."""
        return Operand(label, types)

    def optional(self, label: str, types: TypeConstraint[T]) -> OptionalOperand[T]:
        """Declares an operand that may be absent."""
        return OptionalOperand(label, types)

    def variadic(self, label: str, types: TypeConstraint[T]) -> VariadicOperand[T]:
        """Declares any number of operands."""
        return VariadicOperand(label, types)

    def attribute(self, label: str, kind: AttributeKind[T]) -> AttributeField[T]:
        """Declares an attribute that must be present."""
        return AttributeField(label, kind, cast(T, None), required=True)

    def optional_attribute(self, label: str, kind: AttributeKind[T]) -> AttributeField[T | None]:
        """An optional attribute; None if it is absent."""
        return AttributeField(label, kind, None)

    def default_attribute(
        self, label: str, kind: AttributeKind[T], default: T, *, filled: bool = False
    ) -> AttributeField[T]:
        """An optional attribute with a default, which new operations store if ``filled``."""
        return AttributeField(label, kind, default, filled=filled)

    def result(
        self, types: TypeConstraint[T], *, element_type: str = "", shape: str = ""
    ) -> Result[T]:
        """One result, with the labels of the constraints that ``infer`` implements."""
        return Result(types, element_type, shape)

    def variadic_result(
        self, types: TypeConstraint[T], *, element_type: str = "", shape: str = ""
    ) -> VariadicResult[T]:
        """Any number of results, with the labels of the constraints that ``infer`` implements."""
        return VariadicResult(types, element_type, shape)

    def region(
        self,
        label: str = "",
        *,
        empty: bool = False,
        terminated: bool = True,
        several: bool = False,
    ) -> SingleRegion:
        """Declares one region, with what its blocks must have."""
        return SingleRegion(label, empty, terminated, several)

    def variadic_region(
        self,
        label: str = "",
        *,
        empty: bool = False,
        terminated: bool = True,
        several: bool = False,
    ) -> VariadicRegion:
        """Declares any number of regions."""
        return VariadicRegion(label, empty, terminated, several)


define: Final = Define()


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationDefinition:
    """The definition of an operation, which ``@op`` collects from its class.

    Attributes:
        name: ``dialect.op``.
        operands: Operand fields in order.
        attributes: Attribute fields by name.
        regions: Region fields in order.
        results: Result fields in order.
        constraints: Numbered rules in the order of the class.
        segments: How several variadic operand fields share the operands: ``same`` number each, or
            ``sized`` by the attribute ``operandSegmentSizes``.
        size_lists: The attributes that divide operands and results, each with its number of sizes.
        operand_variadics: Number of operand fields that are not single.
        terminator: Whether it ends a block.
        isolated: Whether its regions see no value from outside.
        effects: Whether it does more than compute results.
        symbols: Whether its region holds symbols.
        successors: Whether it jumps to blocks of its region.
        family: The kind of computation; None where nobody groups by it.
        work: What it computes for each element of the first result; None if it has a formula of its
            own (``Op.work``), or none.
        traits: What else it is; see ``Trait``.
        registered: Whether a dialect defines it (see ``unregistered``).
        filled: Defaults that a new operation stores.
        assembly: Its declared syntax; empty if it has the generic form only.
        summary: First line of the docstring.
    """

    name: str
    operands: tuple[ValueField, ...] = ()
    attributes: Mapping[str, AttributeField[object]] = field(
        default_factory=dict[str, AttributeField[object]]
    )
    regions: tuple[RegionField, ...] = ()
    results: tuple[Result[Any] | VariadicResult[Any], ...] = ()
    constraints: tuple[Constraint, ...] = ()
    segments: Segments = "none"
    size_lists: Mapping[str, int] = field(default_factory=dict[str, int])
    operand_variadics: int = 0
    terminator: bool = False
    isolated: bool = False
    effects: bool = False
    symbols: bool = False
    successors: bool = False
    family: Family | None = None
    work: Work | None = None
    traits: Trait = Trait.NONE
    registered: bool = True
    filled: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])
    assembly: str = ""
    summary: str = ""

    @property
    def dialect(self) -> str:
        """The part of the name before the first dot."""
        return self.name.partition(".")[0]

    def sizes_attribute(self, sizes: Sequence[int]) -> Attribute:
        """The attribute that says how many operands each field takes."""
        return I32_ARRAY.attribute(sizes)


OPERANDS: Final = (Operand, OptionalOperand, VariadicOperand)


def definition_of(operation: Operation | type[Operation]) -> OperationDefinition:
    """The definition of an operation, in full."""
    return cast(OperationDefinition, operation.definition)


def has_trait(operation: Operation | type[Operation], trait: Trait) -> bool:
    """Whether the class of an operation declares a trait."""
    return trait in definition_of(operation).traits


def op(
    name: str,
    *,
    segments: Segments = "none",
    result_groups: int = 0,
    terminator: bool = False,
    isolated: bool = False,
    effects: bool = False,
    symbols: bool = False,
    successors: bool = False,
    family: Family | None = None,
    work: Work | None = None,
    traits: Trait = Trait.NONE,
) -> Callable[[OpT], OpT]:
    """Makes a class the definition of an operation.

    Args:
        name: ``dialect.op``.
        segments: How operand fields share the operands; see ``OperationDefinition``.
        result_groups: The number of groups of results that ``resultSegmentSizes`` divides; 0 if
            the operation has no such attribute.
        terminator: Whether it ends a block.
        isolated: Whether its regions see no value from outside.
        effects: Whether it does more than compute results.
        symbols: Whether its region holds symbols.
        successors: Whether it jumps to blocks of its region.
        family: The kind of computation.
        work: What it computes for each element of the first result, if that is a constant.
        traits: What else it is.
    """

    def define_class(cls: OpT) -> OpT:
        fields: list[object] = [f for base in reversed(cls.__mro__) for f in vars(base).values()]
        operands: list[ValueField] = [f for f in fields if isinstance(f, OPERANDS)]
        results: list[Result[Any] | VariadicResult[Any]] = [
            f for f in fields if isinstance(f, Result | VariadicResult)
        ]
        regions: list[RegionField] = [f for f in fields if isinstance(f, RegionField)]
        attributes: list[AttributeField[object]] = [
            f for f in fields if isinstance(f, AttributeField)
        ]
        groups: Sequence[Sequence[ValueField | RegionField]] = (operands, results, regions)
        for group in groups:
            for position, member in enumerate(group):
                member.position = position
        cls.name = name
        cls.definition = OperationDefinition(
            name=name,
            operands=tuple(operands),
            attributes={f.name: f for f in attributes},
            regions=tuple(regions),
            results=tuple(results),
            constraints=constraints_of(cls),
            segments=segments,
            size_lists=size_lists(len(operands) if segments == "sized" else 0, result_groups),
            operand_variadics=sum(f.arity != "one" for f in operands),
            terminator=terminator,
            isolated=isolated,
            effects=effects,
            symbols=symbols,
            successors=successors,
            family=family,
            work=work,
            traits=traits,
            filled={f.name: f.kind.attribute(f.default) for f in attributes if f.filled},
            assembly=getattr(cls, "assembly", ""),
            summary=(cls.__doc__ or "").strip().partition("\n")[0],
        )
        return cls

    return define_class


def constraints_of(cls: type) -> tuple[Constraint, ...]:
    """The marked methods of a class and its bases, in order; a subclass replaces by name."""
    methods = {key: value for base in reversed(cls.__mro__) for key, value in vars(base).items()}
    return tuple(m.constraint for m in methods.values() if hasattr(m, "constraint"))


SEGMENT_SIZES: Final = "operandSegmentSizes"
RESULT_SEGMENT_SIZES: Final = "resultSegmentSizes"


def size_lists(operand_groups: int, result_groups: int) -> dict[str, int]:
    """The attributes that divide operands and results into groups, if there are any."""
    counts = {SEGMENT_SIZES: operand_groups, RESULT_SEGMENT_SIZES: result_groups}
    return {name: count for name, count in counts.items() if count}


def is_size_list(attribute: Attribute, count: int) -> bool:
    """Whether an attribute can divide values into so many groups."""
    return I32_ARRAY.accepts(attribute) and len(integers_of(attribute)) == count


def size_list_rule(name: str, count: int) -> str:
    """The description of an attribute that divides values into so many groups."""
    return f"{name} is array<i32: ...> of {count} sizes"


def region_names(op: Operation) -> Sequence[str]:
    """The names of an operation's regions by its definition; those of a list are numbered."""
    fields = definition_of(op).regions
    single = [field.name for field in fields if isinstance(field, SingleRegion)]
    numbered = [f"region {i}" for i in range(len(single), len(op.regions))]
    return [*single, *numbered][: len(op.regions)]


def operand_range(op: Operation, position: int) -> tuple[int, int]:
    """Start and end of the operands of field number ``position``.

    The verifier has checked that the operands can be divided (``operand_sizes``).
    """
    sizes = operand_sizes(op)
    start = sum(sizes[:position])
    return start, start + sizes[position]


def operand_sizes(op: Operation) -> Sequence[int]:
    """How many operands each operand field takes; empty if the operands cannot be divided."""
    definition, count = definition_of(op), len(op.operands)
    fields = definition.operands
    if definition.segments == "sized":
        return segment_sizes(op)
    single = len(fields) - definition.operand_variadics
    if definition.operand_variadics == 0:
        return (1,) * len(fields) if count == len(fields) else ()
    share, rest = divmod(count - single, definition.operand_variadics)
    optional = any(f.arity == "optional" for f in fields)
    if count < single or rest or (optional and share > 1):
        return ()
    return [1 if f.arity == "one" else share for f in fields]


def segment_sizes(op: Operation) -> Sequence[int]:
    """The sizes in the attribute; empty if they do not add up."""
    sizes = integers_of(op.attributes.get(SEGMENT_SIZES))
    fields = definition_of(op).operands
    fits = len(sizes) == len(fields) and sum(sizes) == len(op.operands)
    return sizes if fits and all(size >= 0 for size in sizes) else ()


Inferred: TypeAlias = Type | Sequence[Type] | None
RegionFunction: TypeAlias = Callable[
    ..., tuple[Any, ...]
]  # takes block arguments, returns what the terminator returns
# Takes operands and memory for the results; returns ``IN_TARGETS`` or the results.
TargetsFunction: TypeAlias = Callable[[Sequence[Any], Sequence[Any]], Process]


class Op(Operation):
    """An operation that can be inferred and evaluated.

    A run-time value is a NumPy array (or NumPy scalar, for rank 0) of the element type's ``dtype``;
    a quantized tensor is its stored integers, a token ``None``, a tuple a Python tuple.

    Attributes:
        exact: Whether declared result types must equal the inferred ones; otherwise a static size
            may stand for a dynamic one, and the other way around.
        opcodes: The opcodes of HLO that it becomes; None if there is one with its own name, or none
            at all.
        summary_attributes: The attributes that tell operations of this name apart.
        linearity: The operands in which it is linear.
        laws: The algebraic laws that it obeys.
    """

    __slots__ = ()
    exact: ClassVar[bool] = False
    opcodes: ClassVar[Sequence[str] | None] = None
    summary_attributes: ClassVar[Sequence[str]] = ()
    linearity: ClassVar[Linearity] = NOT_LINEAR
    laws: ClassVar[Laws] = NO_LAWS

    @property
    def has_effects(self) -> bool:
        """Whether it does more than compute results, its regions aside.

        Without effects it may be removed if its results are unused, and merged with an equal one.
        """
        return definition_of(self).effects

    def work(self) -> Work | None:
        """The arithmetic of one execution, that of its regions aside; None if no formula is known.

        All sizes are static.
        """
        each = definition_of(self).work
        if each is None or not (each.flops or each.transcendentals):
            return each
        size: int = self.results[0].type.size
        return Work(each.flops * size, each.transcendentals * size)

    def linear_operands(self, monoid: str) -> Sequence[Sequence[int]]:
        """The sets of operands in which it is linear, for terms that a monoid combines."""
        return self.linearity.alternatives if monoid == "add" or self.linearity.moves else ()

    def moved_operands(self) -> Sequence[int]:
        """The operands of whose elements the result consists; empty if it is computed."""
        moved = self.linear_operands("maximum")  # terms of a maximum may only be moved
        return moved[0] if moved else ()

    def size_function(self) -> SizeFunction | None:
        """Its function of elements that are integers or symbolic sizes; None if it has none."""
        return None

    def terms_once(self) -> Sequence[int]:
        """The operands that the result of a sum contains once: those of each term must be zero."""
        return ()

    def region_executions(self) -> Sequence[int]:
        """How often one execution runs each region on elements; empty if it does not do that.

        All sizes are static.
        """
        return ()

    def accessed_values(self) -> Sequence[Value]:
        """The values whose bytes it reads or writes, each as often as it does that."""
        return (*self.operands, *self.results)

    def infer(self) -> Inferred:
        """The result type (a tuple of them for several results); None if it is free.

        May assume that all constraints on the inputs hold.
        """
        return None

    def known_types(self) -> Sequence[Type] | None:
        """The result types that the operands determine, where ``infer`` leaves them free.

        May assume that all constraints on the inputs hold that do not depend on sizes.
        """
        return None

    def known_shape(self) -> Sequence[int] | None:
        """``known_types`` for one result whose element type is the declared one: its shape."""
        return None

    def evaluate(self, *operands: Any, regions: Sequence[RegionFunction] = ()) -> Any:
        """The results for these operands: one as itself, several as a tuple. Pure.

        Raises:
            EvaluationError: The values break a rule of the specification.
        """
        raise UnsupportedError(f"{self.name} cannot be evaluated", span=self.span)

    def prepare(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """``evaluate`` for many calls: what does not depend on operands is decided once, here.

        For an elementwise operation the returned function must also accept arrays larger than the
        operand types, because regions are called on whole arrays.
        """
        return partial(self.evaluate, regions=regions) if regions else self.evaluate

    def prepare_fast(self, regions: Sequence[RegionFunction]) -> Callable[..., object]:
        """``prepare`` with sums and folds in NumPy's order, not that of the reference interpreter.

        Only operations that sum or fold floats differ.
        """
        return self.prepare(regions)

    def prepare_process(self, regions: Sequence[ProcessFunction]) -> ProcessFunction:
        """``prepare`` for regions that issue requests: the function is a process (a generator).

        Only control flow has this; the regions of all other operations are pure.

        Raises:
            UnsupportedError: The operation is not control flow.
        """
        asking = next((inner for inner in self.walk() if isinstance(inner, RequestOp)), None)
        values = {} if asking is None else {"region": f"{asking.name} at {asking.span}"}
        message = "its regions must be pure: they cannot communicate or perform I/O"
        raise UnsupportedError(Diagnostic(message, self.name, self.span, values))


class RequestOp(Op):
    """An operation that issues a request to its host instead of computing its results."""

    __slots__ = ()

    def request(self, operands: Sequence[object], regions: Sequence[RegionFunction]) -> Request:
        """The request; the answer to it is the operation's results.

        Raises:
            EvaluationError: The values break a rule of the specification.
        """
        raise UnsupportedError(f"{self.name} cannot be evaluated", span=self.span)

    def prepare_with_targets(self, regions: Sequence[Callable[..., Any]]) -> TargetsFunction | None:
        """A process that lends its operands and the memory for its results; None if unsupported.

        The lent memory is valid only while the process waits.
        """
        return None

    def prepare(self, regions: Sequence[RegionFunction]) -> ProcessFunction:
        """A process of one request."""

        def ask(*operands: object) -> Process:
            answer = yield self.request(operands, regions)
            return answer

        return ask


def inferred_types(operation: Operation) -> tuple[Type, ...] | None:
    """The result types that operands and attributes determine; None if they do not."""
    if not isinstance(operation, Op) or (operation.operands and not operand_sizes(operation)):
        return None  # which operand is which is not known
    types = operation.infer()
    if types is None:
        return None
    return tuple(types) if isinstance(types, tuple | list) else (cast(Type, types),)


def returned_values(block: Block) -> tuple[Value, ...]:
    """The operands of the terminator of a block that is executed.

    Raises:
        UnsupportedError: The block ends with a jump, or with an operation that nobody registered.
    """
    terminator = block.terminator
    if terminator.successors:
        message = f"{terminator.name} cannot be executed: functions of several blocks are not run"
        raise UnsupportedError(message, span=terminator.span)
    if not definition_of(terminator).registered:
        message = f"no dialect defines {terminator.name}: it cannot be executed"
        raise UnsupportedError(message, span=terminator.span)
    return tuple(terminator.operands)


def pack_results(results: Sequence[object]) -> object:
    """The return value of ``evaluate`` for these results: one as itself, several as a tuple."""
    return results[0] if len(results) == 1 else tuple(results)


def unpack_results(results: Any, count: int) -> Sequence[Any]:
    """So many results that ``pack_results`` has made one value of."""
    return (results,) if count == 1 else results if count else ()
