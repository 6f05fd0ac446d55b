"""The model as a PyTorch module, with caches of fixed size that it updates in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn

from benchmarks.decoding.sizes import (
    GROUP,
    ModelSize,
    quantized_bytes,
    quantized_nibbles,
    random_matrix,
)


class Dense(nn.Module):
    """A matrix of weights of some type, multiplied in the type of the activations."""

    def __init__(self, matrix: Any, kind: str) -> None:
        """Stores a matrix of outputs by inputs."""
        super().__init__()
        self.kind = kind
        scales = None
        match kind:
            case "int8":
                stored, scales = map(torch.from_numpy, quantized_bytes(matrix))
            case "int4":
                stored, scales = map(torch.from_numpy, quantized_nibbles(matrix))
            case _:
                stored = torch.from_numpy(matrix)
                stored = stored.to(torch.bfloat16) if kind == "bf16" else stored
        self.stored = nn.Parameter(stored, requires_grad=False)
        if scales is not None:
            self.scales = nn.Parameter(scales, requires_grad=False)

    def matrix(self) -> torch.Tensor:
        """The weights as floats."""
        if self.kind == "int8":
            return self.stored.float() * self.scales[:, None]
        if self.kind != "int4":
            return self.stored.float()
        codes = torch.stack([self.stored & 15, self.stored >> 4], -1).float() - 8.0
        groups = codes.reshape(*self.scales.shape, GROUP) * self.scales[..., None]
        return groups.reshape(self.stored.shape[0], -1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The product."""
        return nn.functional.linear(x, self.matrix())


def rotated(x: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
    """Rotary embeddings of heads at a position."""
    half = x.shape[-1] // 2
    angles = position * 10000.0 ** (-torch.arange(half) / half)
    cosine, sine = angles.cos(), angles.sin()
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], -1)


class Layer(nn.Module):
    """Attention and a perceptron."""

    def __init__(self, size: ModelSize, kind: str, random: np.random.Generator) -> None:
        """Draws the weights of a layer."""
        super().__init__()
        self.size = size
        self.dense = nn.ModuleDict(
            {
                name: Dense(random_matrix(random, *shape), kind)
                for name, shape in size.matrices.items()
            }
        )
        self.norms = nn.ModuleList([nn.RMSNorm(size.width, eps=1e-5) for _ in range(2)])
        shape = (size.pairs, size.context, size.features)
        self.register_buffer("keys", torch.zeros(shape))
        self.register_buffer("values", torch.zeros(shape))

    def forward(self, x: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
        """The activations of one token."""
        size, dense = self.size, self.dense
        h = self.norms[0](x)
        query = rotated(dense["query"](h).view(size.heads, size.features), position)
        key = rotated(dense["key"](h).view(size.pairs, 1, size.features), position)
        self.keys.index_copy_(1, position.view(1), key)
        value = dense["value"](h).view(size.pairs, 1, size.features)
        self.values.index_copy_(1, position.view(1), value)
        query = query.view(size.pairs, size.heads // size.pairs, size.features)
        scores = query @ self.keys.transpose(1, 2) / size.features**0.5
        scores = scores.masked_fill(torch.arange(size.context) > position, -1e30)
        heads = (scores.softmax(-1) @ self.values).view(1, size.width)
        x = x + dense["output"](heads)
        h = self.norms[1](x)
        return x + dense["down"](nn.functional.silu(dense["gate"](h)) * dense["up"](h))


class Decoder(nn.Module):
    """A model that takes a token and its position, and returns the next token."""

    def __init__(self, size: ModelSize, kind: str) -> None:
        """Draws the weights of a model."""
        super().__init__()
        random = np.random.default_rng(0)
        table = random_matrix(random, size.vocabulary, size.width)
        self.table = nn.Parameter(torch.from_numpy(table), requires_grad=False)
        self.layers = nn.ModuleList([Layer(size, kind, random) for _ in range(size.layers)])
        self.norm = nn.RMSNorm(size.width, eps=1e-5)
        self.head = Dense(table, kind)

    def forward(self, token: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
        """The most likely next token, ``(1,)``."""
        x = self.table[token]
        for layer in self.layers:
            x = layer(x, position)
        return self.head(self.norm(x)).argmax(-1)
