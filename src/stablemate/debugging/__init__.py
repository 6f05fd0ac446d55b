"""Where a program goes wrong, and the smallest program that shows it."""
