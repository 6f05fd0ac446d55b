"""Partitioning: programs of global tensors as programs of the pieces that devices hold."""
