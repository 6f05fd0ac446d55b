"""Which tests each tier runs.

``pytest`` without options runs the quick tier, ``pytest -m "not nightly"`` the standard tier, too,
and ``pytest -m nightly`` the nightly tier. The quick tier leaves out what has the mark
``standard``: long tests carry it in their files, and most cases of long families of parametrized
tests get it here. A file that ``ONE_IN`` does not name belongs to the
quick tier with all its cases.

Of each test function the quick tier runs the first case and then every k-th, the same ones in every
run. ``--one-in K`` does so with the cases of the standard tier: CI runs the quick tier and
every eleventh of the others. A test that the command line names by its node id runs in any case:
``pytest tests/compiler/kernels/test_dot.py::test_matrices_of_every_form_equal_the_interpreter``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parent
QUICK: Final = "not nightly and not standard"  # the marks that pyproject.toml selects
STANDARD: Final = "not nightly"

# For each file the k of which the quick tier runs every k-th case. Primes do not keep step with
# the numbers of element types, targets and so on, over which the cases run.
ONE_IN: Final = {
    "analysis/test_deep_calls.py": 3,
    "analysis/test_explain.py": 5,
    "analysis/test_structure.py": 5,
    "bridges/test_special_functions.py": 3,
    "cli/test_array_text.py": 7,
    "cli/test_sharded_grid.py": 7,
    "compiler/codegen/test_object_code.py": 13,
    "compiler/codegen/test_vector_lanes.py": 3,
    "compiler/config/test_element_types.py": 7,
    "compiler/fusion/test_epilogues.py": 5,
    "compiler/fusion/test_fused_kernels.py": 7,
    "compiler/kernels/test_attention.py": 29,
    "compiler/kernels/test_convolution.py": 3,
    "compiler/kernels/test_depth_blocks.py": 3,
    "compiler/kernels/test_dilated_images.py": 5,
    "compiler/kernels/test_dot.py": 11,
    "compiler/kernels/test_fft.py": 7,
    "compiler/kernels/test_line_words.py": 3,
    "compiler/kernels/test_narrow_images.py": 3,
    "compiler/kernels/test_random_bits.py": 11,
    "compiler/kernels/test_reductions.py": 11,
    "compiler/kernels/test_streamed_products.py": 5,
    "compiler/kernels/test_tiled_products.py": 6,
    "compiler/lowering/test_complex.py": 3,
    "compiler/lowering/test_complex_accuracy.py": 5,
    "compiler/lowering/test_complex_powers.py": 3,
    "compiler/lowering/test_quantized.py": 5,
    "compiler/lowering/test_quotients.py": 5,
    "compiler/lowering/test_scalar_operations.py": 5,
    "compiler/lowering/test_transcendentals.py": 11,
    "compiler/plan/test_plan_evaluator.py": 29,
    "compiler/plan/test_preparation.py": 5,
    "compiler/rewrites/test_layouts.py": 3,
    "compiler/rewrites/test_padded_images.py": 3,
    "compiler/runtime/test_guard_pages.py": 5,
    "compiler/runtime/test_process_environment.py": 2,
    "compiler/runtime/test_runtime.py": 2,
    "compiler/test_examples.py": 29,
    "debugging/test_bisection.py": 5,
    "dialects/arith/test_against_folding.py": 11,
    "documentation/test_snippets.py": 5,
    "execution/test_collectives_upstream.py": 11,
    "execution/test_every_collective.py": 5,
    "execution/test_generated.py": 7,
    "execution/test_lapack.py": 7,
    "execution/test_mpi.py": 11,
    "formats/bytecode/test_bytecode.py": 7,
    "formats/bytecode/test_bytecode_upstream.py": 13,
    "formats/hlo/test_bad_text.py": 5,
    "formats/hlo/test_literals.py": 5,
    "formats/hlo/test_text_of_opcodes.py": 5,
    "formats/mlir/test_against_upstream.py": 5,
    "formats/mlir/test_text_locations.py": 5,
    "fuzzing/test_growth.py": 3,
    "fuzzing/test_mutations.py": 7,
    "interpreter/test_dynamic_shapes.py": 11,
    "lsp/test_large_texts.py": 2,
    "oracle/test_oracle.py": 5,
    "pjrt/test_distributed.py": 3,
    "pjrt/test_donation.py": 7,
    "pjrt/test_jax_programs.py": 7,
    "programs/test_program.py": 7,
    "programs/test_programs.py": 7,
    "properties/test_accuracy.py": 13,
    "properties/test_contractions_on_xla.py": 11,
    "properties/test_edge_values.py": 7,
    "properties/test_generated_programs.py": 13,
    "properties/test_hlo_parity.py": 7,
    "properties/test_jax_functions.py": 11,
    "properties/test_quantized.py": 7,
    "properties/test_quantized_granularities.py": 5,
    "properties/test_quantized_upstream.py": 7,
    "properties/test_subnormals.py": 7,
    "properties/test_verifier_parity.py": 3,
    "reliability/test_faults.py": 5,
    "reliability/test_interruptions.py": 3,
    "transforms/test_chlo.py": 29,
    "transforms/test_passes.py": 11,
    "transforms/test_refine.py": 13,
    "transforms/vhlo/test_artifacts_upstream.py": 11,
    "xla/builder/test_documents.py": 5,
    "xla/builder/test_operations.py": 5,
    "xla/builder/test_random_programs.py": 5,
    "xla/test_corpus_runs.py": 11,
    "xla/test_from_stablehlo.py": 7,
    "xla/test_generated_programs.py": 11,
    "xla/test_layouts.py": 11,
    "xla/test_translation_against_xla.py": 7,
}


def choose(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    """Marks the cases that do not belong to the tier, before pytest deselects by marks.

    Args:
        config: That of the session.
        items: All tests that were collected, in their order.
    """
    if config.option.markexpr == QUICK and any("::" in argument for argument in config.args):
        config.option.markexpr = STANDARD
    cases, standard_cases = Counter[str](), Counter[str]()
    for item in items:
        function = item.nodeid.split("[")[0]
        if cases[function] % ONE_IN.get(item.path.relative_to(TESTS).as_posix(), 1):
            item.add_marker(pytest.mark.standard)
        cases[function] += 1
        if item.get_closest_marker("standard"):
            if standard_cases[function] % config.option.one_in:
                item.add_marker(pytest.mark.nightly)
            standard_cases[function] += 1
