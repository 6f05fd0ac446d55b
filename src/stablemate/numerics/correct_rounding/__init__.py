"""Correct rounding of functions that were computed in 64 bits.

``ziv_rounding`` finds the few results whose error leaves open to which number of a narrower type
they round. The other modules compute these again, in hundreds of decimal digits. Modules of
functions are imported when the first such result appears.
"""
