"""A PJRT backend: JAX compiles and runs its programs on stablemate, with nothing to build.

In goes what jaxlib hands to a PJRT client: programs in StableHLO, compile options, buffers of the
host. Out come loaded executables, buffers and events, which jaxlib uses through a ``PJRT_Api``
structure that is built in memory. ``plugin.initialize`` is what JAX calls when it looks for
plugins; everything else here may change with the interface.
"""

from stablemate.pjrt.plugin import PLATFORM, initialize

__all__ = ["PLATFORM", "initialize"]
