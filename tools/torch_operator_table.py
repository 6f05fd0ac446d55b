"""Makes a page of what ``tools.torch_operators`` logged: operators that pass, by family and type.

    python -m tools.torch_operators --first 0 --every 2 --log 0.jsonl
    python -m tools.torch_operators --first 1 --every 2 --log 1.jsonl
    python -m tools.torch_operator_table 0.jsonl 1.jsonl --page docs/torch-operators.md

Logs are of any portions, element types, routes and times; of a sample that several logs have, the
outcome in the last of them counts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

DTYPES: Final = ("float32", "float64", "bfloat16", "float16", "complex64", "int64", "int32", "bool")
FAULTS: Final = ("differs", "failed", "refused")
INDUCTOR: Final = "inductor"
ROUTES: Final = {
    "trace cpu": "Graphs of AOTAutograd, native code",
    "compile cpu": "`torch.compile(fullgraph=True)`, native code",
    "dynamic cpu": "`torch.compile(fullgraph=True, dynamic=True)`, native code",
    "trace interpreter": "Graphs of AOTAutograd, the interpreter",
    "compile interpreter": "`torch.compile(fullgraph=True)`, the interpreter",
}
# Reasons for which a sample is left out, by what its outcome says.
REASONS: Final = {
    "complex32": "complex numbers of 16-bit floats, which StableHLO lacks",
    "sparse": "sparse tensors",
    "depends on values": "results whose size depends on values",
    "data-dependent": "results or branches that depend on values, where TorchDynamo breaks graphs",
    "no translation": "an operator without a translation",
    "nothing says what": "sizes of slices that are read from tensors",
}
# Reasons for which operators of ATen and prims are not translated, by patterns of their names.
UNTRANSLATED: Final[Mapping[str, tuple[str, ...]]] = {
    "of other devices": (
        "cudnn_*", "_cudnn_*", "miopen_*", "mps_*", "_mps_*", "*_mps", "lstm_mps_*", "_triton_*",
        "_thnn_fused_*", "_scaled_dot_product_cudnn_*", "_scaled_dot_product_efficient_*",
        "_scaled_dot_product_flash_attention", "_scaled_dot_product_flash_attention_backward",
        "_scaled_dot_product_fused_*", "_efficient_attention_*", "_flash_attention_*",
        "batch_norm_stats", "batch_norm_elemt", "batch_norm_gather_*", "batch_norm_backward_*",
        "batch_norm_update_stats", "_amp_*", "_cslt_*", "_mixed_dtypes_linear",
        "_convert_weight_to_int4pack", "_weight_int4pack_mm", "_weight_int4pack_mm_with_*",
        "_scaled_grouped_mm*", "_conv_depthwise2d", "conv_depthwise3d", "_pin_memory",
        "max_pool2d_backward", "matmul_backward",
    ),
    "kernels of PyTorch's own, which its other operators call": (
        "mkldnn_*", "_mkldnn_*", "to_mkldnn", "_slow_conv*", "slow_conv*", "_nnpack_*",
        "_grid_sampler_2d_cpu_fallback*", "_compute_linear_combination", "_copy_from*",
        "_convert_weight_to_int4pack_for_cpu", "_weight_int4pack_mm_for_cpu", "_dyn_quant_*",
    ),
    "sparse and nested tensors": (
        "*sparse*", "_nested_*", "*_indices", "*_indices_copy", "indices", "indices_copy",
        "_indices*", "values", "values_copy", "_values*", "_coalesce*", "_spdiags", "_spsolve",
        "hspmm", "_convert_indices_*", "_to_dense", "to_padded_tensor", "_jagged_to_padded_*",
        "_padded_dense_to_jagged_*",
    ),
    "PyTorch's older quantized types": (
        "quantize_per_*", "quantized_*", "dequantize", "int_repr", "q_per_channel_*",
        "empty_quantized", "_empty_affine_*", "_empty_per_channel_*", "_make_per_*",
        "_fused_moving_avg_*", "_fake_quantize_learnable_*_backward",
    ),
    "gradients of operators that PyTorch decomposes before it differentiates them": (
        "upsample_*_backward", "_upsample_*_backward", "hardshrink_backward",
        "softshrink_backward", "multi_margin_loss_backward", "multilabel_margin_loss_backward",
        "glu_backward_jvp",
    ),
    "optimizers that TorchDynamo does not trace": ("_fused_ada*", "_fused_sgd"),
    "checks and orders that compute nothing": (
        "_functional_assert_*", "_functional_sym_*", "_make_token", "_make_dep_token",
    ),
    "storage, and derivatives of PyTorch's own": (
        "set", "from_file", "_resize_output", "slice_inverse", "_fw_primal*", "_make_dual*",
        "resize",
    ),
    "results whose size depends on values, or that PyTorch does not trace": (
        "_pack_padded_sequence", "linalg_lstsq", "_ctc_loss*",
    ),
    "random numbers by generators or keys of the caller": (
        "rand_like.generator", "randn_like.generator", "randint_like.generator",
        "randint_like.low_generator_dtype", "randint_like.Tensor_generator", "_philox_*",
        "randint.generator", "randint.low_generator", "randperm.generator",
    ),
    "inductor's own, and tests of PyTorch's": (
        "inductor_*", "_low_memory_max_pool_*", "_inductor_*", "prepare_softmax_online",
        "_test_*", "_foobar",
    ),
}  # fmt: skip
# Reasons for which a result differs, by operator.
DIFFERENCES: Final = {
    "logcumsumexp": "imaginary parts that differ by multiples of 2 pi",
    "nn.MultiLabelMarginLoss": "a dimension that PyTorch's decomposition adds to a single row",
}
HEAD: Final = (
    "# PyTorch's operators\n\n"
    "<!-- Made by `python -m tools.torch_operator_table`; do not edit. -->\n\n"
    "How many operators of PyTorch's own catalogs, OpInfo and ModuleInfo, compute on stablemate "
    "what PyTorch {version} computes, with the tolerances of the catalog ([what is translated]"
    "(torch.md)). An operator passes in an element type if all of its samples that were compared "
    "do.\n"
    "Where results differ by more than that, PyTorch computes in 64 bits, and a result passes that "
    "is as close to those as PyTorch's own. Random operators are compared by shape and type. "
    "Operators all of whose samples have results of a size that depends on values, or branches on "
    "values, are in no column; they are at the end.\n"
)


@dataclass
class Tally:
    """The outcomes of an operator in an element type.

    Attributes:
        passed: How many samples passed.
        faults: The messages of those that did not.
        left_out: The messages of those that TorchDynamo itself refuses.
    """

    passed: int = 0
    faults: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def counts(self) -> bool:
        """Whether any sample was compared."""
        return bool(self.passed or self.faults)

    def add(self, outcome: Mapping[str, Any]) -> None:
        """Counts a sample."""
        verdict = outcome["verdict"]
        if verdict == "passed":
            self.passed += 1
        elif verdict in FAULTS:
            self.faults.append(f"{verdict}: {outcome['message']}")
        elif verdict in ("data-dependent", "untraced"):
            self.left_out.append(outcome["message"])


Key = tuple[str, bool, str, str]  # route, gradient, element type, operator


@dataclass
class Record:
    """All outcomes.

    Attributes:
        tallies: The outcomes by route, gradient, element type and operator.
        families: The family of each operator.
        versions: The versions of PyTorch.
        samples: How many samples were compared.
    """

    tallies: dict[Key, Tally]
    families: dict[str, str]
    versions: list[str]
    samples: int


def read(paths: Iterable[Path]) -> Record:
    """The outcomes of logs."""
    latest: dict[tuple[object, ...], Mapping[str, Any]] = {}
    for path in paths:
        for line in path.read_text().splitlines():
            outcome = json.loads(line)
            names = ("route", "gradient", "dtype", "operator", "sample")
            latest[tuple([outcome[name] for name in names])] = outcome
    tallies: dict[Key, Tally] = defaultdict(Tally)
    families: dict[str, str] = {}
    for (route, gradient, dtype, operator, _), outcome in latest.items():
        kinds = {bool(gradient), gradient and outcome["verdict"] != "passed"}
        for kind in kinds:  # a sample whose gradients pass has compared the results too
            tallies[str(route), kind, str(dtype), str(operator)].add(outcome)
        families[str(operator)] = outcome["family"]
    compared = [o for o in latest.values() if o["verdict"] in ("passed", *FAULTS)]
    versions = sorted({outcome["version"] for outcome in latest.values()})
    return Record(dict(tallies), families, versions, len(compared))


def share(record: Record, route: str, gradient: bool, dtype: str, names: Iterable[str]) -> str:
    """Operators passed of those compared, such as ``51/52``; empty if there are none."""
    found = [record.tallies.get((route, gradient, dtype, name)) for name in names]
    compared = [tally for tally in found if tally is not None and tally.counts]
    if not compared:
        return ""
    return f"{sum(not tally.faults for tally in compared)}/{len(compared)}"


def section(record: Record, route: str, gradient: bool) -> list[str]:
    """The table of a route: a row for each family."""
    names: dict[str, list[str]] = defaultdict(list)
    for name, family in sorted(record.families.items()):
        names[family].append(name)
    columns = [d for d in DTYPES if share(record, route, gradient, d, record.families)]
    if not columns:
        return []
    what = "results and gradients" if gradient else "results"
    lines = [f"## {ROUTES[route]}: {what}", "", row(["family", *columns])]
    lines.append(row(["---", *["--:"] * len(columns)]))
    rows = [*sorted(names.items()), ("**all**", list(record.families))]
    for family, members in rows:
        cells = [share(record, route, gradient, dtype, members) for dtype in columns]
        if any(cells):
            lines.append(row([family, *cells]))
    return [*lines, ""]


def row(cells: Sequence[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


def reason_of(message: str) -> str:
    """Why an operator is left out, in a few words."""
    known = [reason for word, reason in REASONS.items() if word in message]
    return known[0] if known else message.split("; torch.compile lets")[0][:200]


def faults(record: Record) -> list[str]:
    """The table of operators that do not pass: where, and why."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (route, gradient, dtype, name), tally in record.tallies.items():
        if tally.faults and route != INDUCTOR:
            where = f"{dtype}{' gradient' if gradient else ''}"
            reason = DIFFERENCES.get(name) or reason_of(tally.faults[0])
            found[name, reason].add(where)
    if not found:
        return []
    lines = ["## Left out or different", "", row(["operator", "where", "why", INDUCTOR])]
    lines.append(row(["---"] * 4))
    for (name, reason), places in sorted(found.items()):
        cell = reason.replace("|", "\\|")
        lines.append(row([f"`{name}`", ", ".join(sorted(places)), cell, by_inductor(record, name)]))
    return [*lines, ""]


def by_inductor(record: Record, name: str) -> str:
    """What PyTorch's own compiler makes of an operator."""
    tallies = [t for key, t in record.tallies.items() if key[0] == INDUCTOR and key[3] == name]
    if not tallies:
        return "not measured"
    return "fails" if any(tally.faults or not tally.passed for tally in tallies) else "passes"


def dynamic(record: Record) -> list[str]:
    """The list of operators whose samples all depend on values."""
    names = sorted(
        name
        for name in record.families
        if not any(tally.counts for key, tally in record.tallies.items() if key[3] == name)
        and any(tally.left_out for key, tally in record.tallies.items() if key[3] == name)
    )
    if not names:
        return []
    listed = ", ".join(f"`{name}`" for name in names)
    return ["## Results that depend on values, and what TorchDynamo does not trace", "", listed, ""]


def untranslated() -> list[str]:
    """The table of operators of ATen that are not translated."""
    lines = ["## Operators of ATen without a translation", ""]
    lines.append(
        "All others of ATen and prims that return tensors and change none are translated, "
        "or decomposed to such."
    )
    lines += ["", row(["why", "operators"]), row(["---", "---"])]
    for reason, patterns in UNTRANSLATED.items():
        listed = ", ".join(f"`{pattern}`" for pattern in patterns)
        lines.append(row([reason, listed]))
    return [*lines, ""]


def page(record: Record) -> str:
    """The page."""
    lines = [HEAD.format(version=" and ".join(record.versions))]
    lines += [summary(record), ""]
    for route in ROUTES:
        for gradient in (False, True):
            lines += section(record, route, gradient)
    return "\n".join([*lines, *faults(record), *dynamic(record), *untranslated()]).rstrip() + "\n"


def summary(record: Record) -> str:
    """How many operators pass wherever they were compared, and how many inductor passes."""
    faulty = {
        key[3] for key, tally in record.tallies.items() if tally.faults and key[0] != INDUCTOR
    }
    compared = {key[3] for key, tally in record.tallies.items() if tally.counts}
    wanted = {
        name for name in compared if name not in faulty or by_inductor(record, name) != "fails"
    }
    passed = len(compared - faulty)
    return (
        f"Of {len(compared)} operators and modules ({record.samples} comparisons of samples), "
        f"{passed} pass in every element type and on every route in which they were compared. Of "
        f"those that `inductor`, PyTorch's own compiler, passes or was not asked about "
        f"({len(wanted)}), that is {100 * passed / max(len(wanted), 1):.1f} %. {measured(record)}"
    )


def measured(record: Record) -> str:
    """How many operators inductor was asked about, and how many of them it passes."""
    names = {key[3] for key, tally in record.tallies.items() if key[0] == INDUCTOR and tally.counts}
    if not names:
        return "It was asked about none."
    passed = sum(by_inductor(record, name) == "passes" for name in names)
    return f"It was asked about {len(names)}, and passes {passed}."


def main() -> int:
    """Writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--page", type=Path, help="by default it is printed")
    arguments = parser.parse_args()
    text = page(read(arguments.logs))
    if arguments.page is None:
        print(text)
    else:
        arguments.page.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
