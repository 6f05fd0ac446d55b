"""Passes, one per file, named after their flags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stablemate.lazy_imports import names_on_demand

if TYPE_CHECKING:
    from stablemate.transforms.constant_arguments import replace_arguments as replace_arguments
    from stablemate.transforms.legalization import legalize_module as legalize_module
    from stablemate.transforms.pre_compile import specialize_module as specialize_module
    from stablemate.transforms.refinement_pipeline import refine_module as refine_module
    from stablemate.transforms.sdy_partition import partition_program as partition_program
    from stablemate.transforms.segmentation import Segment as Segment
    from stablemate.transforms.segmentation import SegmentedFunction as SegmentedFunction
    from stablemate.transforms.segmentation import segment_function as segment_function
    from stablemate.transforms.shardy_form import in_shardy_form as in_shardy_form
    from stablemate.transforms.splitting import OpenFunction as OpenFunction
    from stablemate.transforms.splitting import SplitFunction as SplitFunction
    from stablemate.transforms.splitting import fixed_rest as fixed_rest
    from stablemate.transforms.splitting import module_of as module_of
    from stablemate.transforms.splitting import open_function as open_function
    from stablemate.transforms.splitting import split as split

__getattr__ = names_on_demand(
    __name__,
    {
        "Segment": "segmentation",
        "SegmentedFunction": "segmentation",
        "OpenFunction": "splitting",
        "SplitFunction": "splitting",
        "fixed_rest": "splitting",
        "in_shardy_form": "shardy_form",
        "legalize_module": "legalization",
        "module_of": "splitting",
        "open_function": "splitting",
        "partition_program": "sdy_partition",
        "refine_module": "refinement_pipeline",
        "replace_arguments": "constant_arguments",
        "segment_function": "segmentation",
        "specialize_module": "pre_compile",
        "split": "splitting",
    },
)
