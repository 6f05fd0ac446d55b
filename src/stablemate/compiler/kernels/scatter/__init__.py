"""Builds updates of tensors in place: scatter, dynamic_update_slice, histograms.

Updates and indices come in; a kernel that writes only the changed elements comes out.
"""
