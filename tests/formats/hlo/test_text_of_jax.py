"""What JAX produces is printed as it was, and read as it was printed."""

import re

import pytest

from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import STYLES, PrintOptions, write_text
from tests.xla.corpus import CorpusModule, modules

# XLA prints a negative zero as an integer, and reads that as zero.
NEGATIVE_ZERO = re.compile(r"(?<=[ {(])-0(?=[,)} ])")


def by_name(module: CorpusModule) -> str:
    return module.name


def zeros(text: str) -> str:
    return NEGATIVE_ZERO.sub("0", text)


@pytest.mark.parametrize("module", modules(), ids=by_name)
def test_modules_of_jax_are_printed_as_they_were(module: CorpusModule) -> None:
    read = read_text(module.text)
    assert write_text(read) == zeros(module.text)
    assert write_text(read, STYLES["short"]) == zeros(module.short)


@pytest.mark.parametrize("module", modules(), ids=by_name)
def test_what_was_printed_reads_as_the_same_module(module: CorpusModule) -> None:
    read = read_text(module.text)
    assert read_text(write_text(read)) == read
    assert read_text(write_text(read, PrintOptions(operand_shapes=True, percent=False))) == read
