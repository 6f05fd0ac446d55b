"""Shardings, device meshes, tile assignments and replica groups in HLO text."""
