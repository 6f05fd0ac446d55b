"""Reads and writes windows, dimension labels of convolutions, padding and slices.

Source: XLA, HLO text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from stablemate.diagnostics.integers import parse_integer
from stablemate.formats.hlo.text.lexer.scanner import SPACE, Scanner
from stablemate.xla.values import (
    ConvolutionDimensions,
    PaddingDimension,
    SliceDimension,
    WindowDimension,
)

FIELD: Final = re.compile(rf"([a-z_]+)={SPACE}")
# A single number has a sign if it is negative; numbers that are joined have none. The next field
# may follow without white space, but a single number begins neither a decimal nor joined ones.
JOINED: Final = "[0-9]++(?:x[0-9]++|(?!))++"
NUMBERS: Final = re.compile(rf"({JOINED}|-?[0-9]++(?![_.]|x[0-9]|[eE][+-]?[0-9])){SPACE}")
PAD: Final = r"-?[0-9]++_-?[0-9]++(?:_[0-9]++)?"
PADS: Final = re.compile(rf"({PAD}(?:x{PAD}|(?!))*+){SPACE}")
LABELS: Final = re.compile(rf"([0-9bf?]{{2,}}_[0-9io?]{{2,}}->[0-9bf?]{{2,}}){SPACE}")
# Fields of a window: where they are kept, and what need not be written.
FIELDS: Final = (
    ("size", "size", None),
    ("stride", "stride", 1),
    ("pad", "", None),
    ("lhs_dilate", "base_dilation", 1),
    ("rhs_dilate", "window_dilation", 1),
    ("rhs_reversal", "reversal", 0),
)
NAMES: Final = {text: name for text, name, _ in FIELDS}
INT64: Final = 1 << 63


def read_window(scanner: Scanner) -> tuple[WindowDimension, ...]:
    """``{size=3x3 stride=2x1 pad=1_1x2_2 lhs_dilate=1x2 rhs_dilate=2x1 rhs_reversal=1x0}``."""
    start = scanner.position
    scanner.expect("{")
    fields: dict[str, list[int]] = {}
    while not scanner.accept("}"):
        place = scanner.here()
        field = scanner.take(FIELD, f"'}}' or one of {', '.join(NAMES)}, followed by '='")
        if field not in NAMES or field in fields or (field == "pad" and "low" in fields):
            problem = "occurs twice" if field in NAMES else f"is not one of {', '.join(NAMES)}"
            scanner.error(f"'{field}' {problem}", place)
        if field == "pad":
            pads = read_pads(scanner, interior=False)
            fields["low"], fields["high"] = [pad[0] for pad in pads], [pad[1] for pad in pads]
        else:
            fields[field] = read_numbers(scanner)
    place = (start, start + 1)
    if not fields:
        return ()
    if "size" not in fields:
        scanner.error("a window has a size", place)
    if any(len(field) != len(fields["size"]) for field in fields.values()):
        scanner.error("all parts of a window have as many numbers as its size", place)
    keys = [NAMES.get(field) or field for field in fields]
    rows = zip(*fields.values(), strict=True)
    return tuple(window_dimension(dict(zip(keys, row, strict=True))) for row in rows)


def window_dimension(fields: dict[str, int]) -> WindowDimension:
    """Returns the dimension of a window with these fields."""
    reversal = fields.pop("reversal", 0) == 1
    return WindowDimension(**fields, reversal=reversal)


def read_numbers(scanner: Scanner) -> list[int]:
    """``3x3``."""
    start = scanner.position
    numbers = [
        parse_integer(part) for part in scanner.take(NUMBERS, "integers joined by 'x'").split("x")
    ]
    return check_int64(scanner, numbers, start)


def check_int64(scanner: Scanner, numbers: list[int], start: int) -> list[int]:
    """Rejects numbers that do not fit into 64 bits."""
    if not all(-INT64 <= number < INT64 for number in numbers):
        scanner.error("this integer needs more than 64 bits", (start, start + 1))
    return numbers


def read_pads(scanner: Scanner, *, interior: bool) -> list[list[int]]:
    """Reads ``1_1x2_2``, with a third number where interior padding is allowed."""
    start = scanner.position
    text = scanner.take(PADS, "padding, 'low_high' joined by 'x'")
    rows = [
        check_int64(scanner, [parse_integer(n) for n in part.split("_")], start)
        for part in text.split("x")
    ]
    if not interior and any(len(row) > 2 for row in rows):
        scanner.error("a window has no interior padding", (start, start + len(text)))
    return rows


def read_padding(scanner: Scanner) -> tuple[PaddingDimension, ...]:
    """Reads ``low_high[_interior]`` of each dimension, joined by ``x``."""
    return tuple(PaddingDimension(*read_pad) for read_pad in read_pads(scanner, interior=True))


def read_slices(scanner: Scanner) -> tuple[SliceDimension, ...]:
    """``{[start:limit:stride], ...}``."""
    return tuple(scanner.read_enclosed("{", "}", lambda: read_slice(scanner)))


def read_slice(scanner: Scanner) -> SliceDimension:
    """``[start:limit:stride]``."""
    scanner.expect("[")
    numbers = [scanner.signed_integer()]
    scanner.expect(":")
    numbers.append(scanner.signed_integer())
    if scanner.accept(":"):
        numbers.append(scanner.signed_integer())
    scanner.expect("]")
    return SliceDimension(*numbers)


def read_dim_labels(scanner: Scanner) -> ConvolutionDimensions:
    """``b01f_01io->b01f``; ``?`` after the last dimension that is used means none."""
    start = scanner.position
    text = scanner.take(LABELS, "dimension labels such as b01f_01io->b01f")
    lhs, rest = text.split("_")
    kernel, out = rest.split("->")
    parts: list[tuple[int, int, tuple[int, ...]]] = []
    for labels, letters in ((lhs, "bf"), (kernel, "io"), (out, "bf")):
        spatial = sorted(label for label in labels if label.isdigit())
        is_complete = len(spatial) == len(lhs) - lhs.count("?") - 2
        if not is_complete or [int(label) for label in spatial] != list(range(len(spatial))):
            message = f"'{labels}' must have the digits from 0 once for each spatial dimension"
            scanner.error(message, (start, start + len(text)))
        if any(labels.count(letter) != 1 for letter in letters):
            message = f"'{labels}' must have '{letters[0]}' and '{letters[1]}' once"
            scanner.error(message, (start, start + len(text)))
        indices = tuple(labels.index(label) for label in spatial)
        parts.append((labels.index(letters[0]), labels.index(letters[1]), indices))
    unused = tuple(text.rstrip("?").count("?") for text in (lhs, kernel, out))
    return ConvolutionDimensions(*parts[0], *parts[1], *parts[2], (unused[0], unused[1], unused[2]))


# ---- written


def window_text(window: Sequence[WindowDimension]) -> str:
    """Prints a window; fields that are the default in all dimensions are left out."""
    parts: list[str] = []
    for text, name, default in FIELDS:
        if text == "pad":
            if any(dimension.low or dimension.high for dimension in window):
                pads = "x".join(f"{dimension.low}_{dimension.high}" for dimension in window)
                parts.append(f"pad={pads}")
            continue
        values = [int(getattr(dimension, name)) for dimension in window]
        if any(value != default for value in values):
            parts.append(f"{text}={'x'.join(map(str, values))}")
    return f"{{{' '.join(parts)}}}"


def padding_text(padding: Sequence[PaddingDimension]) -> str:
    """Prints padding; interior padding only if there is any."""
    interior = any(dimension.interior for dimension in padding)
    return "x".join(
        f"{dimension.low}_{dimension.high}{f'_{dimension.interior}' * interior}"
        for dimension in padding
    )


def slices_text(slices: Sequence[SliceDimension]) -> str:
    """Prints slices; strides only if there are any."""
    strides = any(slice_.stride != 1 for slice_ in slices)
    parts = (f"[{slice_.start}:{slice_.limit}{f':{slice_.stride}' * strides}]" for slice_ in slices)
    return f"{{{', '.join(parts)}}}"


def dim_labels_text(labels: ConvolutionDimensions) -> str:
    """Formats dimension labels such as ``b01f_01io->b01f``."""
    lhs = operand_labels(
        "bf", labels.input_batch, labels.input_feature, labels.input_spatial, labels.unused[0]
    )
    kernel = operand_labels(
        "io",
        labels.kernel_input_feature,
        labels.kernel_output_feature,
        labels.kernel_spatial,
        labels.unused[1],
    )
    out = operand_labels(
        "bf", labels.output_batch, labels.output_feature, labels.output_spatial, labels.unused[2]
    )
    return f"{lhs}_{kernel}->{out}"


def operand_labels(
    letters: str, first: int, second: int, spatial: Sequence[int], unused: int
) -> str:
    """Returns the labels of one operand, a character for each dimension."""
    characters = {first: letters[0], second: letters[1]}
    characters.update((dimension, str(i)) for i, dimension in enumerate(spatial))
    return "".join(characters.get(i, "?") for i in range(len(spatial) + 2 + unused))
