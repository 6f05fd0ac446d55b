"""Programs by structure: what they compute, whatever values are called and wherever they stand."""
