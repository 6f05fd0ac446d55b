"""Texts with another structure: parts left out, repeated and moved, types replaced everywhere.

A change of a token rarely leaves a program valid. These changes keep brackets balanced, and replace
a type or a name in all places at once, so that many of the results are programs of upstream.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from tests.properties.generation.choices import Choices
from tests.properties.parity.forms import attribute, dictionary, location, value_type

Change = Callable[[Choices, str], str]

CLOSING: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}
TENSOR: Final = re.compile(
    r"tensor<((?:(?:\d+|\?)x)*)([^<>,]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>)?)"
    r"(?:, #stablehlo[^<>]*<[^<>]*>)?>"
)
ENDS: Final = re.compile(r"(?<=[\w>)}\]\"])$", re.MULTILINE)
OPERATION: Final = re.compile(r"^ +(?:%[\w:, %]+ = )?\"?[a-z]\w*\.[\w.]+.*$", re.MULTILINE)
ATTRIBUTE: Final = re.compile(
    r"(?<== )(?:#\w[\w.]*<[^<>\n]*>|array<[^<>\n]*>|\d+ : i\d+|\"[^\"\n]*\")"
)
ELEMENTS: Final = (
    *("f32", "i32", "i1", "f64", "bf16", "i8", "ui8", "i64", "index", "f16", "i4", "ui4", "i2"),
    *("complex<f32>", "complex<f64>", "f8E4M3FN", "f8E5M2", "f4E2M1FN", "f8E8M0FNU", "ui64"),
    *("!quant.uniform<i8:f32, 0.5>", "!quant.uniform<u8:f32, 0.5:3>", "si32", "i17", "tf32"),
    *("!quant.uniform<i8:f32:0, {0.5,0.25}>", "!quant.uniform<i8:f32:{0:1}, {0.5, 0.25}>"),
    *("complex<i32>", "vector<2xf32>", "tensor<2xf32>", "!quant.any<i8:f32>", "i128", "f80"),
)
TYPES: Final = (
    *("!stablehlo.token", "tuple<>", "tuple<tensor<2xf32>>", "memref<2xf32>", "tensor<*xf32>"),
    *("index", "f32", "none", "!stablehlo.future<tensor<2xf32>>", "() -> ()", "vector<2xf32>"),
    *("tensor<?xf32, #stablehlo.bounds<4>>", "tensor<2xf32, 1 : i32>", "complex<f32>", "i1"),
)
WORDS: Final = ("loc(", "^bb", "module", "attributes")


def restructured(choices: Choices, text: str) -> str:
    """A text with one to three changes of its structure."""
    for _ in range(choices.integer(1, 3)):
        text = choices.weighted(CHANGES)(choices, text)
    return text


def spans(text: str) -> list[tuple[int, int]]:
    """The insides of balanced brackets."""
    found: list[tuple[int, int]] = []
    open_at: list[int] = []
    for match in re.finditer(r"->|\"(?:[^\"\\\n]|\\.)*\"|[(\[{<>}\])]", text):
        token = match[0]
        if token in CLOSING:
            open_at.append(match.start())
        elif token in CLOSING.values() and open_at and CLOSING[text[open_at[-1]]] == token:
            found.append((open_at.pop() + 1, match.start()))
    return found


def items_of(text: str) -> list[str]:
    """The parts of a text between commas that are inside of no bracket."""
    items, depth = [""], 0
    for character in text.replace("->", "\0"):
        depth += (character in CLOSING) - (character in CLOSING.values())
        if character == "," and not depth:
            items.append("")
        else:
            items[-1] += character
    return [item.replace("\0", "->") for item in items]


def other_items(choices: Choices, text: str) -> str:
    """One list with an item less, twice, in another place, or from another list."""
    places = spans(text)
    if not places:
        return text
    start, end = choices.of(places)
    items = items_of(text[start:end])
    place, kind = choices.below(len(items)), choices.below(5)
    if kind == 0:
        items.pop(place)
    elif kind == 1:
        items.insert(choices.below(len(items) + 1), items[place])
    elif kind == 2:
        items = choices.permutation(items)
    elif kind == 3:
        first, last = choices.of(places)
        items.insert(place, choices.of(items_of(text[first:last])))
    else:
        first, last = choices.of(places)
        items[place] = choices.of(items_of(text[first:last]))
    return text[:start] + ",".join(items) + text[end:]


def without_brackets(choices: Choices, text: str) -> str:
    """One pair of brackets less, with what is inside, or with nothing inside."""
    places = spans(text)
    if not places:
        return text
    start, end = choices.of(places)
    if choices.chance(50):
        return text[:start] + text[end:]
    return text[: start - 1] + text[end + 1 :]


def other_shapes(choices: Choices, text: str) -> str:
    """One tensor type replaced everywhere: other elements, an open size, another rank."""
    found = list(dict.fromkeys(match[0] for match in TENSOR.finditer(text)))
    if not found:
        return text
    old = choices.of(found)
    match = TENSOR.fullmatch(old)
    assert match is not None
    sizes, element = match[1].split("x")[:-1], match[2]
    kind = choices.below(6)
    if kind == 0:
        element = choices.of(ELEMENTS)
    elif kind == 1 and sizes:
        sizes[choices.below(len(sizes))] = "?"
    elif kind == 2:
        sizes = ["?" for _ in sizes]
    elif kind == 3 and sizes:
        sizes[choices.below(len(sizes))] = choices.of(("0", "1", "2", "3"))
    elif kind == 4:
        sizes.insert(choices.below(len(sizes) + 1), choices.of(("1", "2", "?")))
    elif sizes:
        place = choices.below(len(sizes))
        bounds = ["?"] * len(sizes)
        bounds[place] = sizes[place]
        sizes[place] = "?"
        element += f", #stablehlo.bounds<{', '.join(bounds)}>"
    return replaced(choices, text, old, f"tensor<{''.join(f'{s}x' for s in sizes)}{element}>")


def replaced(choices: Choices, text: str, old: str, new: str) -> str:
    """A text with a part replaced everywhere, now and then in one place only."""
    if choices.chance(85):
        return text.replace(old, new)
    pieces = text.split(old)
    place = choices.below(len(pieces) - 1) + 1
    return old.join(pieces[:place]) + new + old.join(pieces[place:])


def other_elements(choices: Choices, text: str) -> str:
    """One element type replaced in all tensors."""
    found = list(dict.fromkeys(match[2] for match in TENSOR.finditer(text)))
    if not found:
        return text
    old, new = choices.of(found), choices.of(ELEMENTS)

    def with_element(match: re.Match[str]) -> str:
        return f"tensor<{match[1]}{new}>" if match[2] == old else match[0]

    return TENSOR.sub(with_element, text)


def other_type(choices: Choices, text: str) -> str:
    """One tensor type replaced by a type of another kind."""
    found = list(dict.fromkeys(match[0] for match in TENSOR.finditer(text)))
    if not found:
        return text
    new = choices.of(TYPES) if choices.chance(80) else value_type(choices, 1)
    return replaced(choices, text, choices.of(found), new)


def with_aliases(choices: Choices, text: str) -> str:
    """A type or an attribute behind an alias, before or after its use."""
    pattern, mark = choices.of(((TENSOR, "!t"), (ATTRIBUTE, "#a")))
    found = list(dict.fromkeys(match[0] for match in pattern.finditer(text)))
    if not found:
        return text
    old = choices.of(found)
    definition, used = f"{mark} = {old}\n", replaced(choices, text, old, mark)
    return definition + used if choices.chance(85) else used + definition


def with_location(choices: Choices, text: str) -> str:
    """A location at the end of a line or behind an argument."""
    places = [match.start() for match in ENDS.finditer(text)]
    places += [match.end() for match in re.finditer(r"%\w+: [^,()]*(?=[,)])", text)]
    if not places:
        return text
    place = choices.of(places)
    return f"{text[:place]} loc({location(choices, 1)}){text[place:]}".replace("#l", "unknown")


def with_attributes(choices: Choices, text: str) -> str:
    """Attributes of an operation, of an argument or of a result that had none."""
    kind = choices.below(4)
    added = dictionary(choices) if choices.chance(60) else f"{{k.v = {attribute(choices)}}}"
    if kind == 0:
        return re.sub(
            r"(\) (?:-> [^{\n]*)?)(\{\n)", rf"\1attributes {escaped(added)} \2", text, count=1
        )
    if kind == 1:
        return re.sub(r"(%\w+: [^,()]*)(?=[,)])", rf"\1 {escaped(added)}", text, count=1)
    lines = list(OPERATION.finditer(text))
    if not lines:
        return text
    line = choices.of(lines)
    head, colon, tail = line[0].rpartition(" : ")
    return text[: line.start()] + (f"{head} {added}{colon}{tail}") + text[line.end() :]


def escaped(text: str) -> str:
    """A text as a replacement of ``re.sub``."""
    return text.replace("\\", r"\\")


def in_module(choices: Choices, text: str) -> str:
    """The functions inside of a module, or of one inside of another."""
    name = choices.of(("", "@m", '@"a b"', "@main"))
    attributes = f" attributes {dictionary(choices)}" if choices.chance(40) else ""
    text = f"module {name}{attributes} {{\n{text}}}\n"
    return in_module(choices, text) if choices.chance(30) else text


def other_function(choices: Choices, text: str) -> str:
    """Another visibility or name of the first function, or another function of that name."""
    kind = choices.below(4)
    if kind == 0:
        visibility = choices.of(("private", "public", "nested", '"private"'))
        return re.sub(
            r"func\.func (?:private |public )?@", f"func.func {visibility} @", text, count=1
        )
    if kind == 1:
        name = choices.of(('@"a b"', "@main", '@""', "@a.b", "@_", "@$x", "@0"))
        return re.sub(r"(?<=@)\w+", name[1:], text, count=1)
    if kind == 2:
        return text + "func.func private @f0()\n"
    return text + text


def other_blocks(choices: Choices, text: str) -> str:
    """A region with another block, a label, or an operation more or less."""
    lines = list(OPERATION.finditer(text))
    if not lines:
        return text
    line, kind = choices.of(lines), choices.below(5)
    start, end = line.start(), line.end()
    if kind == 0:
        return text[:start] + text[end + 1 :]
    if kind == 1:
        return f"{text[:end]}\n{line[0]}{text[end:]}"
    if kind == 2:
        label = choices.of(("^bb0:", "^bb1:", "^bb1(%z: tensor<f32>):", "^bb0():", "^a:"))
        return f"{text[:start]}{label}\n{text[start:]}"
    if kind == 3:
        other = choices.of(lines)
        return f"{text[:start]}{other[0]}{text[end:]}"
    ending = choices.of(("return", '"func.return"() : () -> ()', "cf.br ^bb0", "stablehlo.return"))
    return f"{text[:end]}\n  {ending}{text[end:]}"


def other_names(choices: Choices, text: str) -> str:
    """One value with another name: a number, a word with signs, several results."""
    found = list(dict.fromkeys(re.findall(r"%\w+", text)))
    if not found:
        return text
    new = choices.of(("%7", "%a.b", "%_x", "%$", "%a-1", "%00", "%0", "%x#0", "%r:2", "%arg0"))
    return re.sub(rf"{choices.of(found)}\b", new, text)


def other_spaces(choices: Choices, text: str) -> str:
    """Spaces, line ends or comments at signs where there were none, or none where there were."""
    sign = choices.of((",", ":", "=", "(", ")", "{", "}", "[", "]", "<", ">", "->"))
    space = choices.of((" ", "\n", " // text\n", "\t", "  "))
    if choices.chance(30):
        return re.sub(rf" ?{re.escape(sign)} ?", sign, text)
    return text.replace(sign, f"{space}{sign}" if choices.chance(50) else f"{sign}{space}")


CHANGES: Final[Sequence[tuple[Change, int]]] = (
    (other_items, 6),
    (without_brackets, 4),
    (other_shapes, 8),
    (other_elements, 6),
    (other_type, 4),
    (with_aliases, 3),
    (with_location, 2),
    (with_attributes, 5),
    (in_module, 1),
    (other_function, 2),
    (other_blocks, 4),
    (other_names, 2),
    (other_spaces, 1),
)
