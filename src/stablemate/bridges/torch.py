"""PyTorch: modules and exported programs as programs.

``torch.export`` captures a module, torchax turns what it captured into functions of JAX, and those
become programs as those of users do.

Source: PyTorch, torch.export; torchax, export.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from stablemate.api.module import Module
from stablemate.bridges.frameworks import framework
from stablemate.bridges.jax import from_jax

NEED: Final = 'modules of PyTorch need torch and torchax: pip install torch "torchax" jax'


def from_torch(
    model: Any, *arguments: Any, keywords: Mapping[str, Any] | None = None,
    weights: Literal["constants", "argument"] = "constants", **options: Any,
) -> Module:  # fmt: skip
    """The program of a module of PyTorch, as it infers.

    It is called as the module is, with arrays in place of tensors: ``m.run(*arguments)``. With
    ``weights="argument"`` its first argument is a dictionary of its parameters and buffers, by the
    names that ``state_dict`` has; else they are constants of the program. What the module changes
    in its buffers is dropped.

    Args:
        model: A ``torch.nn.Module``, exported in the mode it is in (``eval()`` or ``train()``), or
            what ``torch.export.export`` returned.
        *arguments: Example inputs, of a module.
        keywords: Example inputs by name.
        weights: Whether weights are constants, or an argument.
        **options: What else ``torch.export.export`` takes, such as ``dynamic_shapes``.

    Raises:
        UnsupportedError: PyTorch or torchax is not installed, or they do not fit together.
        Exception: What ``torch.export`` and torchax say that they cannot export.
    """
    torch = framework("torch", NEED)
    exporter = framework("torchax.export", NEED)
    program = model
    if isinstance(model, torch.nn.Module):
        given = dict(keywords or {})
        program = torch.export.export(model, tuple(arguments), given, **options)
    state, function = exporter.exported_program_to_jax(program)
    inputs = exporter.extract_avals(program)
    called = Called(function, framework("torch.utils._pytree", NEED), program.call_spec)
    by_position, by_name = called.example(inputs)
    if weights == "argument":
        names = state_names(program)
        by_name_of_weight = dict(zip(names, state, strict=True))

        def with_weights(held: Mapping[str, Any], *args: Any, **named: Any) -> Any:
            return called([held[name] for name in names], args, named)

        return from_jax(with_weights, by_name_of_weight, *by_position, **by_name)

    def alone(*args: Any, **named: Any) -> Any:
        return called(state, args, named)

    return from_jax(alone, *by_position, **by_name)


class Called:
    """A function of flat inputs and outputs, called with trees as the module is."""

    def __init__(self, function: Callable[..., Any], trees: Any, spec: Any) -> None:
        self.function = function
        self.trees = trees
        self.spec = spec

    def example(self, leaves: Sequence[Any]) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """The arguments, by position and by name, that have these leaves."""
        args, named = self.trees.tree_unflatten(list(leaves), self.spec.in_spec)
        return args, named

    def __call__(self, state: Sequence[Any], args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """What the module returns, a tree."""
        leaves, _ = self.trees.tree_flatten((tuple(args), dict(named)))
        results = self.function(state, leaves)
        return self.trees.tree_unflatten(list(results), self.spec.out_spec)


def state_names(program: Any) -> Sequence[str]:
    """The names of what an exported program holds, in the order in which torchax takes it."""
    signature = program.graph_signature
    constants = getattr(signature, "lifted_tensor_constants", ())
    return [*signature.parameters, *signature.buffers, *constants]
