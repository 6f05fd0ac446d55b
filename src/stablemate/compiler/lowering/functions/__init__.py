"""Transcendental functions as expressions of primitive operations: no library, no branches.

Every function takes registers of ``f32`` or ``f64`` and is written once for both; what differs are
the coefficients in ``formats``. It holds for all numbers: denormals, infinities, NaN, signed zeros.
``docs/accuracy.md`` has the measured errors.
"""
