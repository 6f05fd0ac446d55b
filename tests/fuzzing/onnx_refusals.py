"""Models that ONNX's checker and ONNX Runtime both refuse must be refused here, too.

    python -m tests.fuzzing.onnx_refusals --seed 1 --models 1000

One field of a model of ONNX's own cases is changed: a number, a text, or the items of a list. A
changed model that both refuse, and that is a program here, is a finding.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

import onnx
import onnxruntime
from google.protobuf.descriptor import FieldDescriptor
from onnx.backend.test.loader import load_model_tests

import stablemate as sm
from tests.properties.generation.choices import Choices, Seeded

Place = tuple[tuple[str, ...], Any, Any]  # the fields on the way, a message, and its field
LARGEST: Final = 20000  # bytes of a model
EVERY: Final = 7  # of the cases, one is a seed
IGNORED: Final = frozenset({
    "doc_string", "metadata_props", "producer_name", "producer_version", "denotation",
    "model_version",
})  # fmt: skip
NUMBERS: Final = (0, -1, 1, 2, 3, 7, 99, 10000, 1 << 30, -(1 << 31))
UNSIGNED: Final = (FieldDescriptor.TYPE_UINT64, FieldDescriptor.TYPE_UINT32)
FLOATS: Final = (FieldDescriptor.TYPE_FLOAT, FieldDescriptor.TYPE_DOUBLE)


def load_programs(content: bytes) -> str:
    """Why stablemate refuses a model; empty if it does not."""
    try:
        sm.load(content, format="onnx")
    except sm.StablemateError as error:
        return str(error)
    return ""


def check(content: bytes) -> str:
    """Why ONNX's checker refuses a model; empty if it does not."""
    try:
        onnx.checker.check_model(content, full_check=True)
    except Exception as error:  # classes of the package's extension
        return str(error) or "refused"
    return ""


def load_session(content: bytes) -> str:
    """Why ONNX Runtime refuses a model; empty if it does not."""
    try:
        onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    except Exception as error:  # classes of the package's extension
        return str(error) or "refused"
    return ""


@cache
def models() -> Sequence[bytes]:
    """Small models."""
    onnxruntime.set_default_logger_severity(4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = sorted(load_model_tests(kind="node"), key=lambda case: case.name)
    contents = [case.model.SerializeToString() for case in cases[::EVERY]]
    return [content for content in contents if len(content) < LARGEST]


def places(message: Any, way: tuple[str, ...] = ()) -> Iterator[Place]:
    """The fields of a message, at any depth."""
    for field in message.DESCRIPTOR.fields:
        if field.name in IGNORED:
            continue
        value = getattr(message, field.name)
        inner: list[Any] = []
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            inner = list(value) if is_list(field) else [value] * message.HasField(field.name)
            for item in inner:
                yield from places(item, (*way, field.name))
        if inner or field.type != FieldDescriptor.TYPE_MESSAGE:
            yield (*way, field.name), message, field


def is_list(field: Any) -> bool:
    """Whether a field is a list."""
    return not field.has_presence


def change(choices: Choices, model: Any) -> str:
    """Changes a field of a model, and returns which."""
    names = [name for node in model.graph.node for name in (*node.input, *node.output)]
    by_way: dict[tuple[str, ...], list[Place]] = {}
    for place in places(model):
        by_way.setdefault(place[0], []).append(place)
    way = choices.of(sorted(by_way))
    _, message, field = choices.of(by_way[way])
    if is_list(field):
        change_list(choices, message, field, names)
    elif field.type == FieldDescriptor.TYPE_MESSAGE or choices.of(range(5)) == 0:
        message.ClearField(field.name)
    else:
        setattr(message, field.name, new_value(choices, field, names))
    return ".".join(way)


def change_list(choices: Choices, message: Any, field: Any, names: Sequence[str]) -> None:
    """Leaves an item of a list out, repeats it, or adds or changes one."""
    items = getattr(message, field.name)
    is_message = field.type == FieldDescriptor.TYPE_MESSAGE
    kind = choices.of(["drop", "repeat", "change"] if len(items) else ["add"])
    if kind == "drop":
        del items[choices.of(range(len(items)))]
    elif kind == "repeat" and is_message:
        items.add().CopyFrom(choices.of(list(items)))
    elif kind == "repeat":
        items.append(choices.of(list(items)))
    elif not is_message and kind == "change":
        items[choices.of(range(len(items)))] = new_value(choices, field, names)
    elif not is_message:
        items.append(new_value(choices, field, names))


def new_value(choices: Choices, field: Any, names: Sequence[str]) -> Any:
    """A value of the type of a field."""
    if field.type == FieldDescriptor.TYPE_ENUM:
        return choices.of([value.number for value in field.enum_type.values])
    if field.type in UNSIGNED:
        return choices.of([number for number in NUMBERS if number >= 0])
    if field.type in FLOATS:
        return choices.of([0.0, -1.0, 1.5, float("nan"), float("inf")])
    if field.type == FieldDescriptor.TYPE_BYTES:
        return choices.of([b"", b"x", b"RELU", bytes(8)])
    if field.type == FieldDescriptor.TYPE_STRING:
        return choices.of(["", "bogus", "Relu", *names])
    return choices.of(NUMBERS)


def outcome(seed: int | str, number: int) -> str:
    """What came of a changed model: ``refused``, ``accepted``, or a finding."""
    choices: Choices = Seeded(f"{seed}:{number}")
    before = choices.of(models())
    model = onnx.ModelProto.FromString(before)
    way = change(choices, model)
    content = model.SerializeToString()
    checked = check(content)
    if not checked or not load_session(content):
        return "accepted elsewhere"
    refused = load_programs(content)
    if refused:
        return "refused"
    if load_session(before):  # it has no kernel
        return "accepted elsewhere"
    return f"finding {number}: {way}: {' '.join(checked.split())[:200]}"


def main() -> int:
    """Changes models; exits with 1 if there is a finding."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", type=int, default=500)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    for number in range(arguments.models):
        result = outcome(arguments.seed, number)
        if result.startswith("finding"):
            print(result, flush=True)
        counts[result.split(" ")[0]] += 1
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return int(counts["finding"] > 0)


if __name__ == "__main__":
    sys.exit(main())
