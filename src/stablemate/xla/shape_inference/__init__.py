"""Shapes of the results of HLO instructions."""
