"""Models as tutorials of PyTorch write them, in modules of our own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from tools.torch_zoo.rows import Inputs, Model, image, tokens

CHARACTERS = 20


class Digits(nn.Module):
    """A convolutional network for handwritten digits."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Conv2d(8, 16, 3), nn.ReLU(), nn.MaxPool2d(2),
            nn.Dropout(0.25), nn.Flatten(),
        )  # fmt: skip
        self.classifier = nn.Sequential(nn.Linear(2304, 32), nn.ReLU(), nn.Linear(32, 10))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logarithms of the probabilities of digits."""
        return F.log_softmax(self.classifier(self.features(x)), dim=1)


class Names(nn.Module):
    """A recurrent network that reads a name, a character at a time, and tells its language."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(CHARACTERS + 16, 16)
        self.output = nn.Linear(16, 5)

    def forward(self, name: torch.Tensor) -> torch.Tensor:
        """Logarithms of the probabilities of languages."""
        state = self.output.weight.new_zeros(name.shape[0], 16)
        for step in F.one_hot(name, CHARACTERS).to(state.dtype).unbind(1):
            state = torch.tanh(self.hidden(torch.cat((step, state), 1)))
        return F.log_softmax(self.output(state), 1)


class Language(nn.Module):
    """A language model of words with a recurrent network."""

    def __init__(self, cell: type[nn.Module], **options: Any) -> None:
        super().__init__()
        self.embedding = nn.Embedding(50, 16)
        self.recurrent = cell(16, 16, batch_first=True, **options)
        width = 32 if options.get("bidirectional") else 16
        self.output = nn.Linear(width, 50)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        """Logarithms of the probabilities of the next word at each place."""
        hidden, _ = self.recurrent(self.embedding(words))
        return F.log_softmax(self.output(hidden), -1)


class Translation(nn.Module):
    """A sequence to another: GRUs with additive attention, which feeds its words back."""

    def __init__(self) -> None:
        super().__init__()
        self.source = nn.Embedding(40, 16)
        self.target = nn.Embedding(40, 16)
        self.encoder = nn.GRU(16, 16, batch_first=True)
        self.decoder = nn.GRU(32, 16, batch_first=True)
        self.query, self.key, self.score = nn.Linear(16, 16), nn.Linear(16, 16), nn.Linear(16, 1)
        self.output = nn.Linear(16, 40)

    def forward(self, words: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of probabilities for four words, and the attention."""
        states, hidden = self.encoder(self.source(words))
        word = torch.ones(words.shape[0], 1, dtype=torch.long)
        outputs, weights = [], []
        for _ in range(4):
            query = self.query(hidden.permute(1, 0, 2))
            scores = self.score(torch.tanh(query + self.key(states))).squeeze(2)
            weight = F.softmax(scores, -1).unsqueeze(1)
            step = torch.cat((self.target(word), torch.bmm(weight, states)), 2)
            result, hidden = self.decoder(step, hidden)
            logits = self.output(result)
            word = logits.argmax(-1).detach()
            outputs.append(logits)
            weights.append(weight)
        return F.log_softmax(torch.cat(outputs, 1), -1), torch.cat(weights, 1)


class Generator(nn.Module):
    """The generator of an adversarial network for images."""

    def __init__(self) -> None:
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(16, 32, 4, 1, 0, bias=False), nn.BatchNorm2d(32), nn.ReLU(True),
            nn.ConvTranspose2d(32, 16, 4, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(True),
            nn.ConvTranspose2d(16, 3, 4, 2, 1, bias=False), nn.Tanh(),
        )  # fmt: skip

    def forward(self, noise: torch.Tensor) -> torch.Tensor:
        """Images."""
        return self.main(noise)


class Discriminator(nn.Module):
    """The discriminator of an adversarial network for images."""

    def __init__(self) -> None:
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(3, 16, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(16, 32, 4, 2, 1, bias=False), nn.BatchNorm2d(32),
            nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(32, 1, 4, bias=False), nn.Sigmoid(),
        )  # fmt: skip

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """The probability that an image is real."""
        return self.main(images)


class Variational(nn.Module):
    """A variational autoencoder, whose noise is an argument."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Linear(64, 32)
        self.mean, self.variance = nn.Linear(32, 8), nn.Linear(32, 8)
        self.decoder = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 64), nn.Sigmoid())

    def forward(self, x: torch.Tensor, noise: torch.Tensor) -> torch.Tensor:
        """The reconstruction's loss, with the divergence from the normal distribution."""
        hidden = F.relu(self.encoder(x))
        mean, log_variance = self.mean(hidden), self.variance(hidden)
        decoded = self.decoder(mean + noise * torch.exp(0.5 * log_variance))
        divergence = -0.5 * torch.sum(1 + log_variance - mean.pow(2) - log_variance.exp())
        return F.binary_cross_entropy(decoded, torch.sigmoid(x), reduction="sum") + divergence


class Actions(nn.Module):
    """Values of actions, as reinforcement learning improves them: Huber's loss of a transition."""

    def __init__(self) -> None:
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
        self.target = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))

    def forward(self, state: torch.Tensor, action: torch.Tensor, after: torch.Tensor) -> Any:
        """The loss."""
        value = self.policy(state).gather(1, action)
        with torch.no_grad():
            expected = self.target(after).max(1).values * 0.9 + 1
        return F.smooth_l1_loss(value, expected.unsqueeze(1))


class Resolution(nn.Module):
    """Super-resolution with rearranged channels."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 16, 5, padding=2), nn.ReLU(), nn.Conv2d(16, 8, 3, padding=1), nn.ReLU(),
            nn.Conv2d(8, 9, 3, padding=1), nn.PixelShuffle(3),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Images of three times the size."""
        return self.layers(x)


class Positions(nn.Module):
    """Adds sines and cosines of places."""

    def __init__(self, width: int, length: int = 32) -> None:
        super().__init__()
        place = torch.arange(length).unsqueeze(1)
        rate = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
        table = torch.zeros(length, width)
        table[:, 0::2], table[:, 1::2] = torch.sin(place * rate), torch.cos(place * rate)
        self.register_buffer("table", table)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The sequence with its places."""
        return x + self.table[: x.size(1)]


class Encoder(nn.Module):
    """A language model with ``nn.TransformerEncoder`` and a causal mask."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.positions = nn.Embedding(50, 16), Positions(16)
        layer = nn.TransformerEncoderLayer(16, 2, 32, 0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.output = nn.Linear(16, 50)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        """Scores of the next word at each place."""
        x = self.positions(self.embedding(words) * 4.0)
        mask = nn.Transformer.generate_square_subsequent_mask(words.size(1)).to(x.dtype)
        return self.output(self.encoder(x, mask, is_causal=True))


class Whole(nn.Module):
    """A translation with ``nn.Transformer`` and masks of padding."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.positions = nn.Embedding(50, 16), Positions(16)
        self.transformer = nn.Transformer(16, 2, 1, 1, 32, 0.0, batch_first=True)
        self.output = nn.Linear(16, 50)

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        """Scores of the next word at each place."""
        x, y = (self.positions(self.embedding(words)) for words in (source, target))
        causal = torch.triu(torch.ones(y.size(1), y.size(1), dtype=torch.bool), 1)
        padding = source == 0
        result = self.transformer(
            x, y, tgt_mask=causal, src_key_padding_mask=padding, memory_key_padding_mask=padding
        )
        return self.output(result)


class Style(nn.Module):
    """A fast network for styles: reflected borders, instance norms, upsampled images."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.ReflectionPad2d(4), nn.Conv2d(3, 8, 9), nn.InstanceNorm2d(8, affine=True), nn.ReLU(),
            nn.ReflectionPad2d(1), nn.Conv2d(8, 16, 3, 2), nn.InstanceNorm2d(16, affine=True),
            nn.ReLU(), nn.Upsample(scale_factor=2, mode="nearest"), nn.Conv2d(16, 3, 3, padding=1),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Images, and the Gram matrices of their channels."""
        result = self.layers(x)
        flat = result.flatten(2)
        return result, flat @ flat.transpose(1, 2) / flat.shape[-1]


class Reader(nn.Module):
    """Tags of words with a bidirectional LSTM over words and characters' mean."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.EmbeddingBag(50, 16, mode="mean")
        self.first, self.second = nn.Linear(16, 16), nn.Linear(16, 4)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        """Scores of the classes of texts."""
        return self.second(F.relu(self.first(self.embedding(words))))


class Spatial(nn.Module):
    """A spatial transformer, which turns and moves images before it classifies them."""

    def __init__(self) -> None:
        super().__init__()
        self.locate = nn.Sequential(
            nn.Conv2d(1, 4, 7), nn.MaxPool2d(2, 2), nn.ReLU(), nn.Conv2d(4, 6, 5),
            nn.MaxPool2d(2, 2), nn.ReLU(), nn.Flatten(), nn.Linear(54, 6),
        )  # fmt: skip
        self.classify = nn.Sequential(
            nn.Conv2d(1, 4, 5), nn.ReLU(), nn.Flatten(), nn.Linear(2304, 5)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Logarithms of the probabilities of classes."""
        theta = self.locate(x).view(-1, 2, 3) + torch.eye(2, 3, dtype=x.dtype)
        grid = F.affine_grid(theta, x.size(), align_corners=False)
        return F.log_softmax(self.classify(F.grid_sample(x, grid, align_corners=False)), 1)


class Unet(nn.Module):
    """Segmentation: a convolutional encoder and decoder with skipped connections."""

    def __init__(self) -> None:
        super().__init__()
        self.down, self.middle = self.block(1, 8), self.block(8, 16)
        self.up, self.last = (
            nn.ConvTranspose2d(16, 8, 2, 2),
            nn.Sequential(self.block(16, 8), nn.Conv2d(8, 2, 1)),
        )

    def block(self, inputs: int, outputs: int) -> nn.Module:
        """Two convolutions."""
        return nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(True),
            nn.Conv2d(outputs, outputs, 3, padding=1), nn.GroupNorm(4, outputs), nn.SiLU(),
        )  # fmt: skip

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scores of the classes of each pixel."""
        first = self.down(x)
        second = self.up(self.middle(F.max_pool2d(first, 2)))
        return self.last(torch.cat((first, second), 1))


class Graph(nn.Module):
    """Two layers over the edges of a graph: sums of neighbors, by ``index_add``."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 4)

    def forward(self, nodes: torch.Tensor, edges: torch.Tensor) -> torch.Tensor:
        """Scores of the classes of nodes."""
        degree = nodes.new_ones(nodes.shape[0]).index_add(
            0, edges[1], nodes.new_ones(edges.shape[1])
        )
        for layer in (self.first, self.second):
            sums = torch.zeros_like(nodes).index_add(0, edges[1], nodes[edges[0]])
            nodes = torch.relu(layer((nodes + sums) / degree.unsqueeze(1)))
        return nodes


class Pair(nn.Module):
    """A Siamese network with a triplet loss."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Sequential(nn.Flatten(), nn.Linear(64, 16), nn.PReLU(), nn.Linear(16, 8))

    def forward(self, anchor: torch.Tensor, same: torch.Tensor, other: torch.Tensor) -> Any:
        """The loss."""
        return F.triplet_margin_loss(*[F.normalize(self.embed(x)) for x in (anchor, same, other)])


class Sine(nn.Module):
    """Predicts the next steps of waves with two LSTM cells."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.LSTMCell(1, 8), nn.LSTMCell(8, 8)
        self.output = nn.Linear(8, 1)

    def forward(self, wave: torch.Tensor) -> torch.Tensor:
        """The steps of the wave, each predicted, and two more."""
        h1, c1, h2, c2 = (wave.new_zeros(wave.size(0), 8) for _ in range(4))
        outputs = []
        step = wave[:, :1]
        for i in range(wave.size(1) + 2):
            step = wave[:, i : i + 1] if i < wave.size(1) else outputs[-1]
            h1, c1 = self.first(step, (h1, c1))
            h2, c2 = self.second(h1, (h2, c2))
            outputs.append(self.output(h2))
        return torch.cat(outputs, 1)


class Actor(nn.Module):
    """An actor and critic with a categorical distribution."""

    def __init__(self) -> None:
        super().__init__()
        self.shared, self.actor, self.critic = nn.Linear(4, 16), nn.Linear(16, 2), nn.Linear(16, 1)

    def forward(self, state: torch.Tensor, action: torch.Tensor, reward: torch.Tensor) -> Any:
        """The loss of the policy, of the value, and the entropy."""
        hidden = F.relu(self.shared(state))
        scores, value = self.actor(hidden), self.critic(hidden).squeeze(1)
        policy = torch.distributions.Categorical(logits=scores, validate_args=False)
        advantage = reward - value
        loss = -(policy.log_prob(action) * advantage.detach()).mean()
        return loss, F.mse_loss(value, reward), policy.entropy().mean()


def models() -> list[Model]:
    """The models."""
    words = tokens(7, 50)
    return [
        row("mnist", Digits, image(1, 28, 28)),
        row("char_rnn", Names, tokens(6, CHARACTERS)),
        row("word_language_model_lstm", lambda: Language(nn.LSTM, num_layers=2), words),
        row("word_language_model_gru", lambda: Language(nn.GRU, num_layers=2), words),
        row("word_language_model_rnn", lambda: Language(nn.RNN), words),
        row("tagger_bidirectional", lambda: Language(nn.LSTM, bidirectional=True), words),
        row("seq2seq_attention", Translation, tokens(6, 40)),
        row("dcgan_generator", Generator, image(16, 1, 1)),
        row("dcgan_discriminator", Discriminator, image(3, 16, 16)),
        row("vae", Variational, several((64,), (8,))),
        row("dqn", Actions, transitions),
        row("super_resolution", Resolution, image(1, 12, 12)),
        row("transformer_encoder", Encoder, words),
        row("transformer", Whole, lambda batch: {"0": ids(batch, 7), "1": ids(batch, 5)}),
        row("fast_neural_style", Style, image(3, 16, 16)),
        row("text_classification", Reader, words),
        row("spatial_transformer", Spatial, image(1, 28, 28)),
        row("unet", Unet, image(1, 16, 16)),
        row("graph_network", Graph, graph),
        row("siamese_network", Pair, several((8, 8), (8, 8), (8, 8))),
        row("time_sequence_prediction", Sine, image(5)),
        row("actor_critic", Actor, states),
    ]  # fmt: skip


def row(name: str, make: Callable[[], nn.Module], inputs: Callable[[int], Inputs]) -> Model:
    """A model of a tutorial."""
    return Model("tutorials", name, make, inputs)


def several(*shapes: tuple[int, ...]) -> Callable[[int], Inputs]:
    """Inputs: several batches of normally distributed numbers."""
    return lambda batch: {str(i): torch.randn(batch, *shape) for i, shape in enumerate(shapes)}


def ids(batch: int, length: int) -> torch.Tensor:
    """A batch of words, of which the last is padding."""
    words = torch.randint(1, 50, (batch, length))
    words[:, -1] = 0
    return words


def transitions(batch: int) -> Inputs:
    """Inputs: states, actions, and the states after them."""
    action = torch.randint(0, 2, (batch, 1))
    return {"0": torch.randn(batch, 4), "1": action, "2": torch.randn(batch, 4)}


def states(batch: int) -> Inputs:
    """Inputs: states, actions and rewards."""
    return {"0": torch.randn(batch, 4), "1": torch.randint(0, 2, (batch,)), "2": torch.randn(batch)}


def graph(batch: int) -> Inputs:
    """Inputs: nodes and edges of a graph."""
    return {"0": torch.randn(4 * batch, 8), "1": torch.randint(0, 4 * batch, (2, 6 * batch))}
