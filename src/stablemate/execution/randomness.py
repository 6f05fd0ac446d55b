"""Random numbers: a stream for each process of a run, derived from the seed of the run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stablemate.diagnostics.errors import ArgumentValueError


class Randomness:
    """The streams of the processes of one grid.

    Streams with different seeds or places are independent of one another.

    Attributes:
        seed: The seed of the run.
        place: Which grid of the run it is; grids that processes run have places of their own.
    """

    def __init__(self, seed: int, place: Sequence[int] = ()) -> None:
        """Makes the streams.

        Raises:
            ArgumentValueError: The seed is negative.
        """
        if seed < 0:
            raise ArgumentValueError(f"a seed is at least 0, not {seed}")
        self.seed = seed
        self.place = tuple(place)
        self.grids = 0
        self.generators: dict[int, np.random.Generator] = {}

    def generator(self, process: int) -> np.random.Generator:
        """The stream of a process, by its flattened id; every call continues it."""
        if process not in self.generators:
            sequence = np.random.SeedSequence(self.seed, spawn_key=(*self.place, process))
            self.generators[process] = np.random.Generator(np.random.Philox(sequence))
        return self.generators[process]

    def within(self, process: int) -> Randomness:
        """The streams of the next nested grid that a process runs."""
        self.grids += 1
        return Randomness(self.seed, (*self.place, process, self.grids))
