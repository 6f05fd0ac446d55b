"""Instructions on squares and tiles of numbers that stay in registers."""
