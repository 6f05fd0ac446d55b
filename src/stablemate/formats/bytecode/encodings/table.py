"""The encodings of all dialects, in which reader and writer look up kinds and classes."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from stablemate.formats.bytecode.encodings.builtin import BUILTIN
from stablemate.formats.bytecode.encodings.chlo import CHLO
from stablemate.formats.bytecode.encodings.mhlo import MHLO
from stablemate.formats.bytecode.encodings.quant import QUANT
from stablemate.formats.bytecode.encodings.sdy import SDY
from stablemate.formats.bytecode.encodings.stablehlo import STABLEHLO
from stablemate.formats.bytecode.encodings.vhlo import VHLO
from stablemate.formats.bytecode.rows import DialectEncoding, Encoders

# VHLO shares the members of its enumerations with StableHLO; its rows have a condition for that.
DIALECTS: Final = (BUILTIN, VHLO, STABLEHLO, CHLO, QUANT, SDY, MHLO)
ENCODINGS: Final = MappingProxyType({encoding.name: encoding for encoding in DIALECTS})
ATTRIBUTE_ENCODERS: Final = Encoders(
    [(d.name, attribute) for d in DIALECTS for attribute in d.attributes]
)
TYPE_ENCODERS: Final = Encoders([(d.name, value_type) for d in DIALECTS for value_type in d.types])
NO_ENCODING: Final = DialectEncoding("")
