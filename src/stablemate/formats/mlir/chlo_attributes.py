"""Reads the attributes of CHLO.

Source: CHLO dialect; spellings as upstream prints them.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.chlo import attributes as chlo
from stablemate.formats.mlir.attribute_reader import DialectAttributeReader
from stablemate.formats.mlir.stablehlo_attributes import bracketed_enumerations, integer_fields

CHLO_ATTRIBUTES: Final[dict[str, DialectAttributeReader]] = {
    "#chlo": bracketed_enumerations(chlo.ENUMERATIONS),
    "#chlo.ragged_dot": integer_fields(chlo.RaggedDotDimensionNumbers),
}
