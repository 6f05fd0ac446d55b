"""Damaged exported programs of PyTorch, ``.pt2``.

    python -m tests.fuzzing.torch_archives --seed 1 --inputs 2000
    python -m tests.fuzzing.torch_archives --seed 1 --first 1234 --inputs 1

Members of archives are changed as texts and as bytes, left out, exchanged and cut off, and the
archives around them, too. Whatever is no program and no ``StablemateError`` is a finding.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from io import BytesIO
from typing import Any, Final
from zipfile import ZipFile

import torch

import stablemate as sm
from tests.fuzzing.binary_mutations import of_text
from tests.fuzzing.byte_mutations import changed_bytes
from tests.properties.generation.choices import Choices, Seeded

KINDS: Final = 8


class Attention(torch.nn.Module):  # type: ignore[misc,name-defined]
    """A model with a buffer, keywords and a tree of results."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)

    def forward(self, x: Any, *, scale: Any) -> Any:
        """Attention of a tensor to itself."""
        y = torch.nn.functional.scaled_dot_product_attention(x, x, x) * scale
        return {"y": self.norm(y), "shape": [y.shape[0], None]}


@cache
def archives() -> Sequence[bytes]:
    """Small exported programs."""
    x, scale, rows = torch.ones(3, 4, 2), torch.tensor(2.0), torch.export.Dim("rows", max=8)
    programs = [
        torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),)),
        torch.export.export(Attention().eval(), (x,), {"scale": scale}),
        torch.export.export(torch.nn.Tanh(), (x,), dynamic_shapes=({0: rows},)),
    ]
    files: list[bytes] = []
    for program in programs:
        stream = BytesIO()
        torch.export.save(program, stream)
        files.append(stream.getvalue())
    return files


def changed_archive(choices: Choices, data: bytes) -> bytes:
    """An archive with damage."""
    kind = choices.below(KINDS)
    if kind == 0:
        return changed_bytes(choices, data, [data])
    if kind == 1:
        return data[: choices.below(len(data))]
    with ZipFile(BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    names = list(members)
    texts = [name for name in names if name.endswith(".json")]
    name = choices.of(texts if kind >= 4 else names)
    if kind == 2:
        members.pop(name)
    elif kind == 3:
        members[name] = choices.of(
            (changed_bytes(choices, members[name], ()), b"", members[names[0]])
        )
    else:
        members[name] = of_text(choices, members[name], [members[name]])
    return archive_of(members)


def archive_of(members: Mapping[str, bytes]) -> bytes:
    """An archive whose checksums are right."""
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def examine(data: bytes) -> str:
    """Reads an archive; says what came of it. A finding raises."""
    try:
        module = sm.load(data, name="m.pt2")
        module.verify()
    except sm.StablemateError as error:
        error.render()
        return "refused"
    return "read"


def outcome_of(seed: int, number: int) -> str:
    """What came of an input by its number."""
    choices = Seeded(f"{seed}:{number}")
    return examine(changed_archive(choices, choices.of(archives())))


def main() -> int:
    """Examines inputs; prints findings and counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--inputs", type=int, default=1000)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable()
    counts: Counter[str] = Counter()
    for number in range(options.first, options.first + options.inputs):
        try:
            counts[outcome_of(options.seed, number)] += 1
        except Exception:
            counts["findings"] += 1
            print(f"--seed {options.seed} --first {number}:\n{traceback.format_exc()}", flush=True)
    print(json.dumps({"seed": options.seed, **counts}))
    return int(bool(counts["findings"]))


if __name__ == "__main__":
    sys.exit(main())
