"""What keeps the reference pages true: readers of the specification, writers of tables."""
