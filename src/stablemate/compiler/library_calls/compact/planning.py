"""Plans the calls of compact routines for a batch of small matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from stablemate.compiler.config.target import host
from stablemate.compiler.library_calls.calls import (
    CallSequence,
    OwnRoutine,
    Reference,
    SequenceBuilder,
)
from stablemate.compiler.library_calls.compact import calls_of_routines as routines
from stablemate.compiler.library_calls.compact.text import (
    BYTES,
    VectorElements,
    function_name,
)
from stablemate.deferred_dataclasses import dataclass
from stablemate.execution.custom_calls.lapack import PREFIXES
from stablemate.numerics.symbolic_sizes import is_symbolic

# A matrix in each lane needs no vectors inside of it, but memory for as many matrices as there
# are lanes: ``python -m benchmarks.jax.linear_algebra`` measures batches
# (benchmarks/results/linear_algebra.md).
LARGEST_SIZE: Final = 32  # of rows and columns; LAPACK is faster for larger matrices
LARGEST_MEMORY: Final = 1 << 19  # bytes of a group, which fit into a second-level cache
VECTOR_SECONDS: Final = 0.5e-9  # of an operation on vectors
CALL_SECONDS: Final = 1e-7  # of a call, by which chunks of a batch are sized
NARROW_VECTOR: Final = 32  # bytes
WIDEST_VECTOR: Final = 64  # bytes, for batches that fill its lanes


@dataclass(frozen=True, slots=True)
class CompactRoutine:
    """How a routine is called.

    Attributes:
        arguments: Its arguments before the counts.
        parameters: The words that it takes as parameters.
        memory: The elements of one matrix that it keeps in memory.
        weight: Its arithmetic, relative to a product of matrices of that size.
        largest: The largest size for which it is faster than LAPACK.
        takes_few: Whether it takes fewer matrices than a vector has lanes, too, so that a batch has
            the bits of its members.
        condition: Which options it knows.
    """

    arguments: Callable[[routines.Small], list[Reference]]
    parameters: Callable[[routines.Small], Sequence[int]]
    memory: Callable[[Mapping[str, int]], int]
    weight: float = 1
    largest: int = LARGEST_SIZE
    takes_few: bool = False
    condition: Callable[[Mapping[str, int], Mapping[str, object]], bool] = lambda sizes, options: (
        True
    )


def general_memory(sizes: Mapping[str, int]) -> int:
    """The memory of routines for matrices that are not symmetric; see ``eigen.routines``."""
    n = sizes["n"]
    return (n + 3) + (n + 1) ** 2 + n * (n + 1) + 5 * n + 2 * n * n


ROUTINES: Final[Mapping[str, CompactRoutine]] = {
    "potrf": CompactRoutine(
        routines.potrf_arguments, routines.potrf_parameters, lambda s: s["n"] ** 2
    ),
    "getrf": CompactRoutine(
        routines.getrf_arguments, routines.getrf_parameters, lambda s: s["m"] * s["n"]
    ),
    "trsm": CompactRoutine(
        routines.trsm_arguments, routines.trsm_parameters,
        lambda s: s["r"] ** 2 + s["m"] * s["n"],
    ),
    "geqrf": CompactRoutine(
        routines.geqrf_arguments, routines.geqrf_parameters,
        lambda s: s["m"] * s["n"] + s["p"], 2, takes_few=True,
    ),
    "orgqr": CompactRoutine(
        routines.orgqr_arguments, routines.orgqr_parameters,
        lambda s: s["m"] * s["n"] + s["k"], 2, takes_few=True,
    ),
    "ormqr": CompactRoutine(
        routines.ormqr_arguments, routines.ormqr_parameters,
        lambda s: s["r"] * s["q"] + s["k"] + s["m"] * s["n"], 2, takes_few=True,
    ),
    "gehrd": CompactRoutine(
        routines.gehrd_arguments, routines.gehrd_parameters,
        lambda s: s["n"] ** 2 + s["n"], 3,
        condition=lambda s, o: o["low"] == 1 and o["high"] == s["n"],
    ),
    "sytrd": CompactRoutine(
        routines.sytrd_arguments, routines.sytrd_parameters,
        lambda s: s["n"] ** 2 + 4 * s["n"], 2,
    ),
    "syevd": CompactRoutine(
        routines.syevd_arguments, routines.syevd_parameters,
        lambda s: 2 * s["n"] ** 2 + 5 * s["n"], 10,
    ),
    "geev": CompactRoutine(
        routines.geev_arguments, routines.geev_parameters, general_memory, 40,
    ),
    "gees": CompactRoutine(
        routines.gees_arguments, routines.gees_parameters, general_memory, 30,
        condition=lambda s, o: o["sort"] == "N",
    ),
    **dict.fromkeys(
        ("gesdd", "gesvd"),
        CompactRoutine(
            routines.gesdd_arguments, routines.gesdd_parameters,
            lambda s: s["m"] * s["n"] + 3 * s["p"] ** 2 + 5 * s["p"] + max(s["m"], s["n"]) ** 2, 40,
        ),
    ),
}  # fmt: skip


def hermitian_memory(sizes: Mapping[str, int]) -> int:
    """The complex numbers of the memory of ``complex_matrices.hermitian.syevd``, or more."""
    n = sizes["n"]
    return 3 * n**2 + 6 * n


def complex_general_memory(sizes: Mapping[str, int]) -> int:
    """The complex numbers of the memory of ``complex_matrices.general``."""
    n = sizes["n"]
    return (n + 3) + (n + 1) ** 2 + n * (n + 1) + 4 * n + n * n


# Complex matrices take the room of two real ones.
COMPLEX_ROUTINES: Final[Mapping[str, CompactRoutine]] = {
    **{
        name: replace(ROUTINES[name], weight=4 * ROUTINES[name].weight)
        for name in (
            "potrf",
            "getrf",
            "trsm",
            "geqrf",
            "orgqr",
            "gehrd",
            "sytrd",
            "gesdd",
            "gesvd",
        )
    },
    "syevd": replace(ROUTINES["syevd"], memory=hermitian_memory, weight=20),
    "geev": CompactRoutine(
        routines.complex_geev_arguments, routines.geev_parameters,
        complex_general_memory, 120,
    ),
    "gees": CompactRoutine(
        routines.complex_gees_arguments, routines.gees_parameters, complex_general_memory, 100,
        condition=lambda s, o: o["sort"] == "N",
    ),
}  # fmt: skip
REAL_LETTERS: Final = {"s": "s", "d": "d", "c": "s", "z": "d"}  # of the parts of numbers


@dataclass(frozen=True, slots=True)
class SmallMatrices(OwnRoutine):
    """A routine for a batch of small matrices."""

    @property
    def is_complex(self) -> bool:
        """Whether the matrices are complex."""
        return self.letter not in BYTES

    @property
    def routines(self) -> Mapping[str, CompactRoutine]:
        """The routines for matrices of this type."""
        return COMPLEX_ROUTINES if self.is_complex else ROUTINES

    @property
    def elements(self) -> VectorElements:
        """The elements of vectors: the widest ones that the processor has, if they are filled.

        Results do not depend on it. So it is not decided for the number of matrices if that is a
        symbolic size. Few matrices take vectors of as few lanes: those need less memory.
        """
        letter = REAL_LETTERS[self.letter]
        widest = VectorElements(letter, WIDEST_VECTOR)
        has_many = is_symbolic(self.batch) or self.batch >= widest.lanes
        if host().vector_bytes >= WIDEST_VECTOR and has_many:
            return widest
        size = NARROW_VECTOR
        while not is_symbolic(self.batch) and size > 2 * BYTES[letter]:
            if self.batch > VectorElements(letter, size // 2).lanes:
                break
            size //= 2
        return VectorElements(letter, size)

    @property
    def memory(self) -> int:
        """The bytes of memory for all lanes."""
        vectors = self.routines[self.routine].memory(self.sizes) * (2 if self.is_complex else 1)
        return vectors * self.elements.vector_bytes

    def fits(self) -> bool:
        """Whether there is a compact routine that pays."""
        if self.routine not in self.routines:
            return False
        how = self.routines[self.routine]
        order = self.sizes["r"] if self.routine == "trsm" else max(self.sizes.values())
        is_small = order <= how.largest and self.memory <= LARGEST_MEMORY
        if not is_small or not how.condition(self.sizes, self.options):
            return False
        fewest = VectorElements(REAL_LETTERS[self.letter], NARROW_VECTOR).lanes
        return how.takes_few or self.whole_batch >= fewest

    def calls(self) -> CallSequence:
        """The calls for all matrices."""
        elements, lanes = self.elements, self.elements.lanes
        builder = SequenceBuilder(
            [lanes * size for size in self.operand_bytes],
            [lanes * size for size in self.result_bytes],
        )
        count = builder.count_of_iteration(self.batch, lanes)
        small = routines.Small(
            builder,
            elements,
            PREFIXES[self.letter],
            self.batch,
            self.sizes,
            self.options,
            self.alpha,
        )
        how = self.routines[self.routine]
        arguments = how.arguments(small)
        parameters = builder.words(*how.parameters(small))
        name = FUNCTIONS.get(self.routine, self.routine)
        memory = builder.scratch(self.memory)
        function = function_name(name, elements, is_complex=self.is_complex)
        builder.call(function, *arguments, count, parameters, memory)
        largest = max(self.sizes.values())
        operations = how.weight * how.memory(self.sizes) * largest
        seconds = CALL_SECONDS + operations * VECTOR_SECONDS
        iterations = -(-self.batch // lanes)
        sequence = builder.sequence(iterations, seconds, concurrent=True)
        return replace(sequence, is_in_place=len(builder.calls) == 1)


FUNCTIONS: Final = {"gesvd": "gesdd"}  # that carry out a routine of another name
