"""Emits transposes of vectors in registers; see ``loops.register_transposes``."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.compiler.codegen.addresses import AddressEmitter
from stablemate.compiler.codegen.emitter_state import EmitterState
from stablemate.compiler.codegen.instructions import type_name
from stablemate.compiler.codegen.scopes import Code, CodeScope
from stablemate.compiler.loops.operators import BYTES
from stablemate.compiler.loops.register_transposes import shuffle_stages
from stablemate.compiler.loops.statements import Loop, StoreElement, substitute_expression


class RegisterTransposeEmitter:
    """Emits stores of transposed squares."""

    def __init__(self, state: EmitterState, addresses: AddressEmitter) -> None:
        """Emits into the code of a kernel."""
        self.state = state
        self.addresses = addresses

    def transposed_store(self, loop: Loop, inner: Loop, store: StoreElement) -> None:
        """Stores vectors with a large stride between lanes: transposed, as contiguous vectors."""
        element, lanes, side = store.buffer.type, loop.extent, inner.extent
        texts: list[str] = []
        self.state.vector, self.state.width = inner.atom, side
        code: Code = []
        self.state.scopes.append(CodeScope(inner.atom, self.state.code, code))
        for i in range(lanes):
            value = substitute_expression(store.value, {loop.atom: loop.index.table.sum(i, ())}, {})
            texts.append(self.state.spread(self.state.value(value), value, side))
        self.state.scopes.pop()
        self.state.code.append(code)
        self.state.vector, self.state.width = None, 1
        texts = [self.concatenate(texts[i::side], element, side) for i in range(side)]
        texts = self.transpose(texts, element, lanes)
        first = substitute_expression(store.place, {loop.atom: loop.index.table.sum(0, ())}, {})
        for i, text in enumerate(texts):
            place = substitute_expression(first, {inner.atom: loop.index.table.sum(i, ())}, {})
            pointer = self.addresses.address(store.buffer, place, lanes)
            vector = type_name(element, lanes)
            self.state.code.append(
                f"  store {vector} {text}, ptr {pointer}, align {BYTES[element]}"
            )
        self.state.change(store.buffer)

    def concatenate(self, texts: Sequence[str], element: str, lanes: int) -> str:
        """Concatenates a power of two of vectors pair by pair."""
        result = list(texts)
        while len(result) > 1:
            vector, order = type_name(element, lanes), range(2 * lanes)
            result = [
                self.shuffle(vector, one, other, order)
                for one, other in zip(result[::2], result[1::2], strict=True)
            ]
            lanes *= 2
        return result[0]

    def transpose(self, texts: Sequence[str], element: str, lanes: int) -> list[str]:
        """Transposes each group of as many vectors as lanes."""
        result, vector = list(texts), type_name(element, lanes)
        for distance, *orders in shuffle_stages(lanes, len(result)):
            for i in range(len(result)):
                if not i & distance:
                    pair = result[i], result[i + distance]
                    for j, order in zip((i, i + distance), orders, strict=True):
                        result[j] = self.shuffle(vector, *pair, order)
        return result

    def shuffle(self, vector: str, one: str, other: str, order: Sequence[int]) -> str:
        """Shuffles the lanes of two vectors."""
        mask = ", ".join([f"i32 {lane}" for lane in order])
        return self.state.line(
            f"shufflevector {vector} {one}, {vector} {other}, <{len(order)} x i32> <{mask}>"
        )
