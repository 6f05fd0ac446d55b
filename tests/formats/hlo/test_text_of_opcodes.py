"""Every opcode, attribute and form of text, beside XLA's own reading and printing."""

import pytest

from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import PrintOptions, write_text
from stablemate.xla.opcodes import OPCODES
from tests.formats.hlo.instruction_texts import instructions, programs
from tests.oracle.client import Oracle

AS_REREAD = PrintOptions(reread=True)


@pytest.mark.parametrize("program", programs(), ids=list(instructions()))
def test_pieces_are_printed_as_xla_prints_them(program: str, oracle: Oracle) -> None:
    module = read_text(program)
    printed = oracle.hlo_text(program, print_large_constants=True)
    assert write_text(module, AS_REREAD) == printed
    # What XLA printed is kept as it is.
    assert write_text(read_text(printed)) == printed
    assert read_text(write_text(module, PrintOptions(async_forms=False))) == module


def test_pieces_have_all_opcodes() -> None:
    used = {
        instruction.opcode
        for program in programs()
        for computation in read_text(program).computations
        for instruction in computation.instructions
    }
    assert OPCODES.keys() - used == {"atan"}  # newer than the XLA of the tests
